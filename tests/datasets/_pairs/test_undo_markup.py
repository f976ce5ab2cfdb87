import ast

import pytest

from tgraph_attn.datasets._pairs.undo_markup import undo_description, undo_markup
from tgraph_attn.parse import parse_code


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("def f(): DCNL  DCSP pass", "def f():\n    pass"),
        (
            "@a DCNL def f(): DCNL  DCSP if a: DCNL DCSP  DCSP  DCSP b() DCNL DCSP if c: d",
            "@a\ndef f():\n    if a:\n            b()\n    if c: d",
        ),
        ("def f(): DCNL DCTB DCSP return x", "def f():\n        return x"),
        ("x = a  +  b", "x = a  +  b"),
        ("x = DCNLS + DCSP DCNL XDCNL", "x = DCNLS + DCSP\nXDCNL"),
        ("", ""),
    ],
)
def test_lines_and_levels_are_undone(line, source):
    assert undo_markup(line) == source


@pytest.mark.parametrize(
    "text",
    [
        "' DCSP '",
        "'a DCNL  DCSP b'",
        '"it\'s DCNL DCSP"',
        r"'\' DCNL DCSP \\'",
        "u' DCTB '",
        "('''a DCNL b''')",
    ],
)
def test_strings_are_left_alone(text):
    assert undo_markup(f"def f(): DCNL  DCSP x = {text} DCNL DCSP return x") == (
        f"def f():\n    x = {text}\n    return x"
    )


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("x = ' DCNL y = 1", "x = '\ny = 1"),
        ('x = \' DCNL y = "a DCNL b" DCNL z', 'x = \'\ny = "a DCNL b"\nz'),
        ("x = ' \\' DCNL y = \" \\' DCNL z", "x = ' \\'\ny = \" \\'\nz"),
        # Minutes, if the time were quadratic.
        ("'" + "\\'" * 300_000 + " DCNL y", "'" + "\\'" * 300_000 + "\ny"),
        ('"' + "\\\"\\'" * 200_000 + " DCNL y", '"' + "\\\"\\'" * 200_000 + "\ny"),
    ],
    ids=range(5),
)
def test_a_quote_that_nothing_closes_opens_no_string(line, source):
    assert undo_markup(line) == source


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (r"'It\'s here.'", "It's here."),
        ("'One. DCNL Two DCNL DCSP three'", "One.\nTwo\nthree"),
        (r"'\operatorname{L}, \\d, \n'", r"\operatorname{L}, \\d, \n"),
        (r"'\"a\" isn\'t'", r"\"a\" isn't"),
        ("''", ""),
        ("'", "'"),
        ("bare", "bare"),
        ("'DCNLS'", "DCNLS"),
    ],
)
def test_docstrings_lose_quotes_and_marks(line, text):
    assert undo_description(line) == text


def test_functions_of_the_corpus_are_python_again(data_folder):
    """Those that the running Python can read; the corpus has some of Python 2."""
    file = data_folder / "code_docstring" / "data_ps.declbodies.valid"
    with open(file, encoding="utf-8", newline="\n") as lines:
        sources = [undo_markup(next(lines).rstrip("\n")) for _ in range(300)]
    read = 0
    for source in sources:
        assert "DCNL" not in source and not any(
            line.lstrip().startswith(("DCSP", "DCTB")) for line in source.split("\n")
        )
        try:
            body = ast.parse(source).body
        except SyntaxError:
            continue
        read += 1
        assert len(body) == 1 and isinstance(body[0], ast.FunctionDef)
        tree = parse_code(source, "python")
        assert len(tree.faults) == 0 and tree.subtree_size[1] == tree.num_nodes - 1
    assert read > 240
