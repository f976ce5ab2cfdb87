import pytest

from tgraph_attn.datasets._pairs.cut_docstring import cut_docstring
from tgraph_attn.parse import parse_code


def cut(source):
    tree = parse_code(source, "python", subtokens="off", strings="keep")
    row = tree.kind.tolist().index("function_definition")
    return cut_docstring(tree, row, source, int(tree.span[row, 1]))


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ('def f():\n    "Do."\n    a()\n    b()\n', "def f():\n    a()\n    b()"),
        ('def f():\n    """Do.\n\n    More.\n    """\n\n    a()\n', "def f():\n\n    a()"),
        ('def f(): "Do."; a()\n', "def f(): a()"),
        ('def f():\n    "Do."; a()\n    b()\n', "def f():\n    a()\n    b()"),
        ('def f():\n    "Do."  # why\n    a()\n', "def f():\n    # why\n    a()"),
        ('def f():\n    # why\n    "Do."\n    a()\n', "def f():\n    # why\n    a()"),
        ('class A:\n  @b\n  def f():\n    "Do."\n    a()\n', "  def f():\n    a()"),
        ('if a: pass\nasync def f():\n\t"Do."\n\ta()\n', "async def f():\n\ta()"),
    ],
)
def test_the_docstring_goes_with_its_line_and_the_rest_keeps_its_indent(source, rest):
    assert cut(source) == (rest, "Do." if "More" not in source else "Do.\n\n    More.\n    ")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f():\n    a()\n", "no docstring"),
        ("def f():\n    f'{a}'\n    a()\n", "no docstring"),
        ('def f():\n    a()\n    "Do."\n', "no docstring"),
        ('def f():\n    "Do."\n', "no body"),
        ('def f():\n    "Do."\n    # why\n', "no body"),
    ],
)
def test_functions_without_docstring_or_body_say_so(source, reason):
    assert cut(source) == reason


def test_what_follows_the_function_can_be_kept():
    source = '@b\ndef f():\n    "Do."\n    a()\n\nf()\n'
    tree = parse_code(source, "python", subtokens="off", strings="keep")
    row = tree.kind.tolist().index("function_definition")
    rest, _ = cut_docstring(tree, row, source, len(source))
    assert rest == "def f():\n    a()\n\nf()\n"
