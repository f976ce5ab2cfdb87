import re
from dataclasses import replace

import pytest

from tgraph_attn.datasets._pairs import published_pairs
from tgraph_attn.datasets._pairs.published_pairs import (
    PUBLISHED,
    part_files,
    read_code_docstring,
    read_part,
    read_tl_codesum,
)


@pytest.fixture
def raw(tmp_path, data_folder):
    for name, published in PUBLISHED.items():
        for files in published.files.values():
            for file in files:
                (tmp_path / file.name).symlink_to(data_folder / name / file.name)
    return tmp_path


@pytest.fixture
def put(tmp_path):
    """Write the two files of the part that has no checksum."""

    def files(code, comment, name="tl_codesum"):
        for file, content in zip(part_files(name, "train"), (code, comment), strict=True):
            (tmp_path / file).write_bytes(content)
        return tmp_path

    return files


def test_references_of_tl_codesum_are_those_that_others_published(raw, data_folder):
    pairs = read_part(raw, "tl_codesum", "test")
    gold = data_folder / "codesum_outputs" / "TLC" / "test.gold"
    with open(gold, encoding="utf-8", newline="\n") as lines:
        references = [line.removesuffix("\n") for line in lines]
    assert [pair.comment for pair in pairs] == references
    assert len(pairs) == 8714 and pairs[0].origin == "test.token.code:1"


def test_code_docstring_is_without_its_markup(raw):
    pairs = read_part(raw, "code_docstring", "valid")
    for side, name in enumerate(part_files("code_docstring", "valid")):
        marked = (raw / name).read_bytes().decode("utf-8")
        lines = [line for pair in pairs for line in pair[side].split("\n")]
        assert len(lines) == 2000 + len(re.findall(r"\bDCNL\b", marked))
        assert not any(re.match(r"\s*(DCNL|DCSP|DCTB)\b", line) for line in lines)
    assert len(pairs) == 2000
    assert pairs[2] == (
        "def reload_config():\n    _env_reloader.update()",
        "Reload the configuration from environment variables, if necessary.",
        "data_ps.declbodies.valid:3",
    )


def test_lines_are_read_by_their_form():
    assert read_tl_codesum("7\tint f ( ) { }", "7\tdo\tit") == ("int f ( ) { }", "do\tit")
    assert read_code_docstring("f() DCNL DCSP g", "'Do.'") == ("f()\n    g", "Do.")


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("a = b > > _NUM ; c >>>= a > > d ;", "a = b >> _NUM ; c >>>= a >> d ;"),
        ("Map < A , List < B > > a ;", "Map < A , List < B >> a ;"),
        ("a > b ; c -> d ; e >= f", "a > b ; c -> d ; e >= f"),
    ],
)
def test_shifts_of_tl_codesum_are_put_together(line, source):
    made, _ = read_tl_codesum(f"1\tvoid f ( ) {{ {line} }}", "1\tit")
    assert made == f"void f ( ) {{ {source} }}"


def test_lines_end_at_a_newline_and_nowhere_else(put):
    raw = put(b"1\ta\x0cb\xc2\x85c\r\n2\td", b"1\te\n2\tf\n")
    pairs = read_part(raw, "tl_codesum", "train")
    assert pairs == [
        ("a\x0cb\x85c\r", "e", "train.token.code:1"),
        ("d", "f", "train.token.code:2"),
    ]


def test_files_of_different_lengths_are_refused(put):
    raw = put(b"1\ta\n2\tb\n3\tc\n", b"1\ta\n2\tb\n")
    message = r"train\.token\.code and train\.token\.nl must have as many lines, .* 3 and 2\. Use"
    with pytest.raises(ValueError, match=message):
        read_part(raw, "tl_codesum", "train")


@pytest.mark.parametrize(
    ("code", "comment", "said"),
    [
        (b"2\ta", b"3\ta", "of numbers 2 and 3"),
        (b"2 a", b"2\ta", "without a number and a tab"),
        (b"2\ta", b"2 a", "without a number and a tab"),
    ],
)
def test_lines_that_do_not_belong_together_are_refused(put, code, comment, said):
    raw = put(b"1\ta\n" + code, b"1\ta\n" + comment)
    with pytest.raises(ValueError, match=rf"line 2 of train\.token\.code .* they are {said}\. Use"):
        read_part(raw, "tl_codesum", "train")


def test_another_encoding_is_refused(put):
    with pytest.raises(ValueError, match=r"train\.token\.nl must be UTF-8, but is not .* Convert"):
        read_part(put(b"1\ta", b"1\t\xff"), "tl_codesum", "train")


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_a_part_without_an_address_must_be_there(tmp_path, name):
    code, comment = part_files(name, "train")
    (tmp_path / code).touch()
    message = rf"part 'train' of {name} must be in .*, but {comment} is not there.* Put it there"
    with pytest.raises(FileNotFoundError, match=message):
        read_part(tmp_path, name, "train")


def test_another_file_under_the_published_name_is_refused(tmp_path):
    (tmp_path / "valid.token.code").write_bytes(b"1\ta")
    with pytest.raises(ValueError, match=r"must be the published file with 4,063,597 bytes"):
        read_part(tmp_path, "tl_codesum", "valid")


def test_without_a_network_the_file_to_put_there_is_named(tmp_path, monkeypatch):
    published = PUBLISHED["tl_codesum"]
    far = (tmp_path / "nowhere").as_uri()
    files = {"valid": tuple(replace(file, address=far) for file in published.files["valid"])}
    monkeypatch.setitem(published_pairs.PUBLISHED, "tl_codesum", replace(published, files=files))
    with pytest.raises(ConnectionError, match=r"valid\.token\.code must be there or be fetched"):
        read_part(tmp_path, "tl_codesum", "valid")
