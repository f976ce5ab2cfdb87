import pytest

from tgraph_attn.linearize import preorder_tokens
from tgraph_attn.tree import Tree


def test_tokens_are_the_labels_in_preorder():
    tree = Tree([-1, 0, 1, 0], ["call", "name", "part", "number"], [None, None, "get", "1"])
    assert preorder_tokens(tree) == ["call", "name", "part get", "number 1"]


def test_a_chain_of_two_hundred_thousand_nodes_has_as_many_tokens(chain):
    assert preorder_tokens(chain) == ["x"] * 200_000


def test_what_is_no_tree_is_refused():
    with pytest.raises(TypeError, match="preorder_tokens: tree must be a Tree, but got NoneType"):
        preorder_tokens(None)
