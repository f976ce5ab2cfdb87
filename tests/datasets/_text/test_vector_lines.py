import gzip
import zipfile

import pytest

from tgraph_attn.datasets._text.vector_lines import vector_lines

LINES = b"the 1 2\nOil 3.5 -4e-1\n"


@pytest.fixture
def lines(tmp_path):
    def read(content, name="vectors.txt"):
        path = tmp_path / name
        path.write_bytes(content)
        return [(n, word, *map(float, values)) for n, word, values in
                vector_lines(path, progress=False)]  # fmt: skip

    return read


READ = [(1, "the", 1, 2), (2, "Oil", 3.5, -0.4)]


def test_each_line_is_a_word_and_its_numbers(lines):
    assert lines(LINES) == READ and lines(LINES.rstrip()) == READ


@pytest.mark.parametrize("end", [b" \n", b"\r\n"])
def test_space_or_return_at_the_end_of_a_line_does_no_harm(lines, end):
    assert lines(LINES.replace(b"\n", end) + end) == READ


def test_header_of_word2vec_and_fasttext_is_no_word(lines):
    assert [word for _, word, *_ in lines(b"2 2\n" + LINES)] == ["the", "Oil"]
    assert lines(b"7 1\n") == [] and lines(b"7 0.5\n5 1\n") == [(1, "7", 0.5), (2, "5", 1)]


@pytest.mark.parametrize("first", [b"", b"2 2\n", b"\n"])
def test_mark_of_byte_order_is_no_part_of_the_first_word(lines, first):
    read = lines(b"\xef\xbb\xbf" + first + LINES)
    assert [word for _, word, *_ in read] == ["the", "Oil"]


def test_number_with_a_low_line_is_a_word(lines):
    assert lines(b". 1_0 5 6\n1_0 7 8\n") == [(1, ". 1_0", 5, 6), (2, "1_0", 7, 8)]
    assert lines(LINES + b". 1_0 7 8\n")[2] == (3, ". 1_0", 7, 8)


def test_words_with_spaces_and_words_that_are_numbers_survive(lines):
    content = LINES + b". . . 5 6\nat name@domain.com 7 8\n1/2 9 9\n0.5 1 1\n"
    assert lines(content)[2:] == [
        (3, ". . .", 5, 6),
        (4, "at name@domain.com", 7, 8),
        (5, "1/2", 9, 9),
        (6, "0.5", 1, 1),
    ]
    assert lines(b". . 5 6\nthe 1 2\n")[0] == (1, ". .", 5, 6)


def test_words_may_hold_any_character_but_those_that_are_no_utf_8_are_passed_over(lines):
    content = "the 1 2\ncafé 3 4\nno\xa0break 5 6\nodd\x85 7 8\n".encode() + b"caf\xe9 9 9\n"
    assert [word for _, word, *_ in lines(content)] == ["the", "café", "no\xa0break", "odd\x85"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LINES + b"up 1\n", "a word and 2 numbers, but line 3 has 1: b'up 1"),
        (LINES + b"up 1 2 3\n", "a word and 2 numbers, but line 3 has 3"),
        (LINES + b"up\n", "a word and 2 numbers, but line 3 has 0"),
        (b"2 3\n" + LINES, "a word and 3 numbers, but line 2 has 2"),
        (b"the\t1\t2\n", "a word and some numbers, but line 1 has 0"),
        (b"the text of a page\n", "a word and some numbers, but line 1 has"),
    ],
)
def test_line_of_another_length_is_named(lines, content, message):
    with pytest.raises(ValueError, match=f"load_vectors: each line of .*{message}"):
        lines(content)


def test_packed_files_are_read_like_plain_ones(lines, tmp_path):
    assert lines(gzip.compress(LINES), "vectors.txt.gz") == READ
    with zipfile.ZipFile(tmp_path / "one.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/", "")
        archive.writestr("folder/vectors.txt", LINES)
    assert len(list(vector_lines(tmp_path / "one.zip", progress=False))) == 2


def test_one_of_several_files_of_a_zip_must_be_said(tmp_path):
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.50d.txt", "the 1 2")
        archive.writestr("a.100d.txt", "the 1 2 3")
    names = r"two.zip has \['a.50d.txt', 'a.100d.txt'\]. Say which one: two.zip/a.50d.txt"
    for path in ("two.zip", "two.zip/a.txt"):
        with pytest.raises(ValueError, match=names):
            list(vector_lines(tmp_path / path, progress=False))
    (line,) = vector_lines(tmp_path / "two.zip" / "a.100d.txt", progress=False)
    assert line.values == [b"1", b"2", b"3"]


def test_damaged_files_are_refused(lines):
    packed = gzip.compress(LINES * 1000)
    with pytest.raises(ValueError, match=r"must be whole, but is damaged \(EOFError"):
        lines(packed[:-20], "vectors.gz")
    with pytest.raises(ValueError, match=r"must be whole, but is damaged \(BadGzipFile"):
        lines(LINES, "vectors.gz")
    with pytest.raises(ValueError, match=r"must be a zip file, but is none"):
        lines(LINES, "vectors.zip")


@pytest.mark.parametrize("name", ["absent.txt", "plain.txt/member.txt", "."])
def test_file_that_is_not_there_is_refused(tmp_path, name):
    (tmp_path / "plain.txt").write_bytes(LINES)
    with pytest.raises(FileNotFoundError, match="must be a file of word vectors, but is not there"):
        list(vector_lines(tmp_path / name, progress=False))


def test_progress_ends_at_the_size_of_the_file(tmp_path, capsys):
    path = tmp_path / "vectors.txt"
    path.write_bytes(LINES * 5000)
    list(vector_lines(path, progress=True))
    assert "100%" in capsys.readouterr().err
