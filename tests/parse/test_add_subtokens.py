import pytest

from tgraph_attn.parse import add_subtokens
from tgraph_attn.tree import Tree

#        0 call
#      /    |    \
#  1 name 2 args  4 end     1 and 3 are identifiers, 4 is none
#           |
#         3 name
TREE = Tree(
    [-1, 0, 0, 2, 0],
    ["call", "field_identifier", "args", "identifier", "number"],
    [None, "getMax", "()", "x2", "one_two"],
    [[0, 20], [0, 6], [6, 12], [7, 9], [13, 20]],
    [5, 6, 7, 8, 9],
    faults=[[2, 0], [4, 1]],
)


def test_words_are_children_of_their_identifier_with_their_own_spans():
    tree = add_subtokens(TREE)
    assert tree.parent.tolist() == [-1, 0, 1, 1, 0, 4, 5, 5, 0]
    assert tree.kind.tolist() == [
        *("call", "field_identifier", "subtoken", "subtoken"),
        *("args", "identifier", "subtoken", "subtoken", "number"),
    ]
    assert tree.text.tolist() == [None, None, "get", "max", "()", None, "x", "2", "one_two"]
    assert tree.span[[2, 3, 6, 7]].tolist() == [[0, 3], [3, 6], [7, 8], [8, 9]]
    assert tree.span[[0, 1, 4, 5, 8]].tolist() == TREE.span.tolist()
    assert tree.source.tolist() == [5, 6, 6, 6, 7, 8, 8, 8, 9]
    assert tree.faults.tolist() == [[4, 0], [8, 1]]


def test_words_of_a_chain_hang_under_one_another():
    tree = add_subtokens(TREE, "chain")
    assert tree.parent.tolist() == [-1, 0, 1, 2, 0, 4, 5, 6, 0]
    assert tree.labels == add_subtokens(TREE).labels


def test_off_changes_nothing():
    assert add_subtokens(TREE, "off") is TREE


def test_identifiers_with_children_or_without_text_are_left_alone():
    tree = Tree([-1, 0, 0], ["scoped_identifier", "identifier", "x"], ["a.b", None, "c"])
    assert add_subtokens(tree) == tree


def test_words_of_a_tree_without_spans_have_none():
    tree = add_subtokens(Tree([-1], ["identifier"], ["a_b"]))
    assert tree.span.tolist() == [[-1, -1]] * 3


def test_adding_words_twice_adds_none():
    assert add_subtokens(add_subtokens(TREE)) == add_subtokens(TREE)


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match=r"add_subtokens: mode must be one of .* but got 'all'"):
        add_subtokens(TREE, "all")
