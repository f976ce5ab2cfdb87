import pytest

from tgraph_attn.linearize._terminals import find_terminals
from tgraph_attn.parse import add_subtokens, parse_code
from tgraph_attn.tree import Tree


def terminals(tree, *, mark_numbers=False):
    rows, words = find_terminals(tree, mark_numbers=mark_numbers)
    return list(zip(rows.tolist(), words, strict=True))


@pytest.mark.parametrize(
    ("mode", "rows"), [("off", [2, 4, 5]), ("children", [2, 6, 9]), ("chain", [2, 6, 9])]
)
def test_words_are_the_same_in_each_mode_of_sub_tokens(mode, rows):
    tree = parse_code("maxSize\n_x2 + 1.50", "python", subtokens=mode)
    found = terminals(tree)
    assert [words for _, words in found] == [("max", "size"), ("x", "2"), ("1.50",)]
    assert [tree.kind[row] for row, _ in found] == ["identifier", "identifier", "float"]


def test_nodes_without_text_and_inner_nodes_are_none():
    tree = Tree(
        [-1, 0, 1, 1, 0, 0], ["a", "b", "c", "d", "e", "f"], ["x", "y", None, "z", "", None]
    )
    assert terminals(tree) == [(3, ("z",)), (4, ("",))]


def test_a_node_with_words_and_other_children_is_none():
    tree = Tree([-1, 0, 0], ["identifier", "subtoken", "type"], [None, "x", None])
    assert terminals(tree) == []
    assert terminals(tree.truncate(2)) == [(0, ("x",))]


def test_a_name_that_lost_its_words_says_nothing():
    tree = add_subtokens(Tree([-1, 0], ["call", "identifier"], [None, "getName"]))
    assert terminals(tree.truncate(3)) == [(1, ("get",))] and terminals(tree.truncate(2)) == []


def test_numbers_are_told_by_their_kind_and_marked_if_asked_for():
    tree = parse_code("x = [1_000, inf, nan, -2e5, 0x1F, 1j]", "python", subtokens="off")
    words = [said for _, said in terminals(tree)]
    assert words == [(w,) for w in "x 1_000 inf nan 2e5 0x1F 1j".split()]
    marked = [said for _, said in terminals(tree, mark_numbers=True)]
    assert marked == [(w,) for w in "x NUM inf nan NUM NUM NUM".split()]


def test_a_lone_node_may_be_one():
    assert terminals(Tree([-1], text=["x"])) == [(0, ("x",))]
    assert terminals(Tree([-1])) == []
