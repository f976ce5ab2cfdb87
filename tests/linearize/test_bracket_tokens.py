import pytest

from tgraph_attn.linearize import bracket_tokens
from tgraph_attn.tree import Tree


def nested(tree, row=0):
    """The same by the words of the paper."""
    inside = [token for child in tree.children(row).tolist() for token in nested(tree, child)]
    return ["(", tree.label(row), *inside, ")", tree.label(row)]


def test_a_small_tree_by_hand():
    tree = Tree([-1, 0, 1, 0], ["call", "name", "part", "number"], [None, None, "get", "1"])
    assert bracket_tokens(tree) == [
        *("(", "call", "(", "name", "(", "part get", ")", "part get", ")", "name"),
        *("(", "number 1", ")", "number 1", ")", "call"),
    ]


def test_tokens_are_those_that_the_definition_gives(random_trees, functions):
    for tree in random_trees + functions:
        assert bracket_tokens(tree) == nested(tree)


def test_a_chain_of_two_hundred_thousand_nodes_is_opened_and_then_closed(chain):
    assert bracket_tokens(chain) == ["(", "x"] * 200_000 + [")", "x"] * 200_000


def test_what_is_no_tree_is_refused():
    with pytest.raises(TypeError, match="bracket_tokens: tree must be a Tree, but got str"):
        bracket_tokens("( x ) x")
