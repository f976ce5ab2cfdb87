import numpy as np
import pytest

from tgraph_attn.linearize import cut_tree
from tgraph_attn.tree import Tree

#        0 function
#      /     |      \
#   1 name  2 args   4 body        reversed: function, body, return, x, args, arg, name
#            |       |
#           3 arg    5 return
#                    |
#                    6 x
KIND = ["function", "name", "args", "arg", "body", "return", "x"]
TREE = Tree(
    [-1, 0, 0, 2, 0, 4, 5],
    KIND,
    ["f", None, None, "a", None, None, "x"],
    [[0, 70], [1, 2], [2, 4], [3, 4], [4, 70], [5, 70], [6, 70]],
    [10, 11, 12, 13, 14, 15, 16],
    faults=[[1, 0], [3, 1], [6, 0], [6, 1]],
)
TURNED = Tree(
    [-1, 0, 1, 2, 0, 4, 0],
    ["function", "body", "return", "x", "args", "arg", "name"],
    ["f", None, None, "x", None, "a", None],
    [[0, 70], [4, 70], [5, 70], [6, 70], [2, 4], [3, 4], [1, 2]],
    [10, 14, 15, 16, 12, 13, 11],
    faults=[[3, 0], [3, 1], [5, 1], [6, 0]],
)


def test_a_small_tree_is_turned_round_with_all_its_columns_by_hand():
    assert cut_tree(TREE, 7, reverse_root="always") == TURNED
    assert cut_tree(TREE, 99, reverse_root="always") == TURNED


def test_only_a_tree_that_is_too_large_is_turned_round_by_default():
    assert cut_tree(TREE, 7) is TREE and cut_tree(TREE, 99) is TREE
    assert cut_tree(TREE, 6) == TURNED.truncate(6)
    assert cut_tree(TREE, 5).faults.tolist() == [[3, 0], [3, 1]]
    assert cut_tree(TREE, 1) == Tree([-1], ["function"], ["f"], [[0, 70]], [10])


def test_a_tree_that_is_never_turned_round_is_truncated():
    for size in (1, 3, 7, 9):
        assert cut_tree(TREE, size, reverse_root="never") == TREE.truncate(size)


def test_turning_twice_changes_nothing_and_cutting_comes_after_turning(random_trees, functions):
    for tree in random_trees + functions:
        turned = cut_tree(tree, tree.num_nodes, reverse_root="always")
        assert cut_tree(turned, tree.num_nodes, reverse_root="always") == tree
        for size in range(1, tree.num_nodes, 7):
            assert cut_tree(tree, size) == turned.truncate(size)
        assert sorted(turned.source.tolist()) == tree.source.tolist()
        blocks = [tree.subtree(row) for row in tree.children(0).tolist()]
        again = [turned.subtree(row) for row in turned.children(0).tolist()]
        assert again == blocks[::-1]


def test_a_root_with_two_hundred_thousand_children_and_a_chain_are_cut(star, chain):
    assert cut_tree(star, 1000).source.tolist() == [0, *range(200_000, 199_001, -1)]
    assert np.array_equal(cut_tree(chain, 150_000).source, np.arange(150_000))
    assert cut_tree(chain, 200_000, reverse_root="always") == chain


def test_options_out_of_choice_are_refused():
    with pytest.raises(TypeError, match="cut_tree: tree must be a Tree, but got list"):
        cut_tree([-1], 3)
    with pytest.raises(ValueError, match="cut_tree: max_nodes must be at least 1, but got 0"):
        cut_tree(TREE, 0)
    with pytest.raises(TypeError, match="cut_tree: max_nodes must be an int"):
        cut_tree(TREE, 2.0)
    with pytest.raises(ValueError, match=r"cut_tree: reverse_root must be one of .*'sometimes'"):
        cut_tree(TREE, 3, reverse_root="sometimes")
