import pickle

import pytest

from tgraph_attn.parse import ParseError


@pytest.mark.parametrize(
    ("before", "line", "column"),
    [
        ("", 1, 1),
        ("ab", 1, 3),
        ("a\nb", 2, 2),
        ("a\r\nb\r\n", 3, 1),
        ("a\rbc", 2, 3),
        ("é😀", 1, 3),
    ],
)
def test_lines_and_columns_count_characters_from_one_whatever_ends_a_line(before, line, column):
    error = ParseError.at("f: no", f"{before}rest\nmore", len(before))
    assert (error.line, error.column) == (line, column)
    assert str(error) == f"f: no (line {line}, column {column})"


def test_it_is_a_value_error_and_survives_pickling():
    error = pickle.loads(pickle.dumps(ParseError("f: no", 3, 4)))
    assert isinstance(error, ValueError) and str(error) == "f: no (line 3, column 4)"
    assert (error.line, error.column) == (3, 4)
