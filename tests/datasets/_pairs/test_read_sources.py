from collections import Counter

import pytest

from tgraph_attn.datasets._pairs.find_pairs import FAULTY_FILES
from tgraph_attn.datasets._pairs.read_sources import code_files, read_sources

ENCODINGS = ["klingon", "rot13", "hex", "undefined", "punycode", "utf-16", "zlib"]
CODE = 'def f(a):\n    "Ä: {}."\n    return a\n'


def test_files_of_the_language_are_found_also_in_subfolders(tmp_path):
    for name in ("b.py", "my sub é/a.py", "A.java", "c.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert code_files(tmp_path, "python") == ["b.py", "my sub é/a.py"]
    assert code_files(tmp_path, "java") == ["A.java"]


def test_hidden_folders_tests_and_installed_packages_are_left_out(tmp_path):
    folder = tmp_path / ".hidden" / "tests"  # the folder's own path does not count
    for name in (".venv/lib", ".git", "lib/site-packages", "tests", "src/test", "src/main"):
        (folder / name).mkdir(parents=True)
        (folder / name / "A.java").touch()
    assert code_files(folder, "java") == ["src/main/A.java"]
    (folder / "src" / "main" / "A.java").unlink()
    with pytest.raises(ValueError, match=r"named \*.java, .* none outside of hidden folders and"):
        code_files(folder, "java")


def test_an_empty_folder_and_another_language_are_refused(tmp_path):
    (tmp_path / "a.txt").touch()
    with pytest.raises(ValueError, match=r"no examples in .*: it must hold files named \*\.py"):
        code_files(tmp_path, "python")
    with pytest.raises(ValueError, match=r"found for \['java', 'python'\], but .* 'go'.*jsonl"):
        code_files(tmp_path, "go")


def test_each_file_is_in_one_split_and_all_are_accounted_for(tmp_path):
    names = [f"{n}.py" for n in range(20)]
    for name in names:
        (tmp_path / name).write_text(CODE.format(name) * 2, encoding="utf-8")
    splits, dropped = read_sources(tmp_path, names, "python", seed=0)
    assert {split: len(pairs) for split, pairs in splits.items()} == {
        "train": 32,
        "val": 4,
        "test": 4,
    }
    files = [{p.origin.split(":")[0] for p in pairs} for pairs in splits.values()]
    assert sum(map(len, files)) == 20
    assert set(map(str, dropped.values())) == {str(Counter({FAULTY_FILES: 0}))}
    assert splits["train"][1].origin.endswith(":4")
    other, _ = read_sources(tmp_path, names, "python", seed=1)
    assert splits != other


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "file not decodable"),
        ('"Ä"'.encode("latin-1"), "file not decodable"),
        *((f"# coding: {name}\nx".encode(), "file not decodable") for name in ENCODINGS),
        (b"", "file without function"),
        (b"x = (((", "file with syntax errors"),
    ],
)
def test_a_file_that_gives_nothing_is_counted_with_its_reason(tmp_path, content, reason):
    (tmp_path / "a.py").write_bytes(content)
    splits, dropped = read_sources(tmp_path, ["a.py"], "python", seed=0)
    faulty = reason == "file with syntax errors"
    assert splits["train"] == [] and dropped["train"] == {reason: 1, FAULTY_FILES: faulty}


def test_files_with_syntax_errors_are_counted_also_if_they_give_functions(tmp_path):
    (tmp_path / "a.py").write_text(CODE + "\ndef g(:\n", encoding="utf-8")
    splits, dropped = read_sources(tmp_path, ["a.py"], "python", seed=0)
    assert len(splits["train"]) == 1 and dropped["train"] == {"no docstring": 1, FAULTY_FILES: 1}
    assert dropped["test"] == {FAULTY_FILES: 0}


@pytest.mark.parametrize(
    ("encoding", "end"),
    [("utf-8", "\n"), ("utf-8", "\r"), ("utf-8-sig", "\r\n"), ("latin-1", "\r\n")],
)
def test_encodings_and_ends_of_lines_make_no_difference(tmp_path, encoding, end):
    text = "# coding: latin-1\n" + CODE if encoding == "latin-1" else CODE
    (tmp_path / "a.py").write_bytes(text.replace("\n", end).encode(encoding))
    splits, _ = read_sources(tmp_path, ["a.py"], "python", seed=0)
    [(source, comment, _)] = splits["train"]
    assert (source, comment) == ("def f(a):\n    return a", "Ä: {}.")


def test_java_is_read_as_utf_8_alone(tmp_path):
    text = "class A { /** Ä. */\r\n void f() { } }"
    for name, encoding in (("a", "utf-8-sig"), ("b", "latin-1")):
        (tmp_path / f"{name}.java").write_bytes(text.encode(encoding))
    splits, dropped = read_sources(tmp_path, ["a.java", "b.java"], "java", seed=0)
    assert [pair.comment for pair in splits["train"]] == ["Ä."]
    assert dropped["train"] == {"file not decodable": 1, FAULTY_FILES: 0}
