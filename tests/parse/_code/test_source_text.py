import numpy as np
import pytest

from tgraph_attn.parse import ParseError
from tgraph_attn.parse._code.source_text import encode, read_source, to_characters


@pytest.mark.parametrize("text", ["", "abc", "é😀x\r\n\ufeff\0", "\ufeffé"])
def test_str_and_utf8_bytes_are_read_alike_and_nothing_is_changed(text):
    for source in (text, text.encode(), bytearray(text.encode())):
        assert read_source("f", source) == text


@pytest.mark.parametrize("text", ["", "abc", "é😀x€", "a\ud800b"])
def test_each_position_in_bytes_is_the_number_of_characters_before_it(text):
    data = encode(text)
    begins = np.cumsum([0, *(len(encode(c)) for c in text)])
    assert to_characters(data, begins, len(text)).tolist() == list(range(len(text) + 1))


def test_a_lone_surrogate_is_another_character_for_the_parser_but_still_one():
    assert encode("a\ud800b").decode("utf-8") == "a\ufffdb"


def test_bytes_that_are_not_utf8_are_refused_with_line_and_column():
    with pytest.raises(ParseError, match="f: bytes must be UTF-8, but hold 0xfe") as caught:
        read_source("f", b"a\n\xc3\xa9\xfe")
    assert (caught.value.line, caught.value.column) == (2, 2)


@pytest.mark.parametrize("source", [None, 3, ["a"]])
def test_what_is_no_text_is_refused(source):
    with pytest.raises(TypeError, match="f: source must be str or bytes, but got"):
        read_source("f", source)
