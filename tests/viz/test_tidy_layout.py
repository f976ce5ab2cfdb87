import numpy as np
import pytest

from tgraph_attn.parse import parse_code
from tgraph_attn.tree import Tree
from tgraph_attn.viz._tidy_layout import tidy_layout

SHAPES = {
    "lone node": [-1],
    "toy": [-1, 0, 1, 1, 0],
    "chain": [-1, 0, 1, 2],
    "deep first": [-1, 0, 1, 2, 0, 0, 5, 5, 7],
    "deep last": [-1, 0, 1, 1, 1, 0, 5, 6, 7, 7],
}


def layout(parent, width=1.0):
    parent = np.asarray(parent)
    return tidy_layout(parent, np.full(parent.size, width))


#        0               0 is at the middle of 1 and 4; 4 is as near to 1 as depth 1 allows
#       / \
#      1   4
#     / \
#    2   3
def test_places_of_a_small_tree_by_hand():
    assert layout([-1, 0, 1, 1, 0]).tolist() == [1.5, 1.0, 0.5, 1.5, 2.0]
    assert layout([-1, 0, 1, 1, 0], 2.0).tolist() == [3.0, 2.0, 1.0, 3.0, 4.0]


def test_wide_nodes_push_their_neighbours():
    place = tidy_layout(np.array([-1, 0, 0, 0]), np.array([1.0, 1.0, 5.0, 1.0]))
    assert place.tolist() == [3.5, 0.5, 3.5, 6.5]
    assert tidy_layout(np.array([-1, 0]), np.array([5.0, 1.0])).tolist() == [2.5, 2.5]


@pytest.mark.parametrize("name", SHAPES)
def test_no_two_nodes_overlap_and_parents_are_in_the_middle(name):
    check(Tree(SHAPES[name]), np.ones(len(SHAPES[name])))


def test_real_trees_with_labels_of_any_width_do_not_overlap():
    source = "\n".join(f"def f{n}(a, b={n}):\n    return [g(x, y=2) for x in a]" for n in range(9))
    tree = parse_code(source, "python")
    check(tree, np.array([float(len(label)) for label in tree.labels]))


def check(tree, width):
    place = tidy_layout(tree.parent, width)
    assert (place - width / 2).min() == pytest.approx(0)
    for depth in range(tree.depth.max() + 1):
        rows = np.flatnonzero(tree.depth == depth)  # in pre-order, so from left to right
        ends, begins = place[rows] + width[rows] / 2, place[rows] - width[rows] / 2
        assert (ends[:-1] <= begins[1:] + 1e-9).all()
    for node in range(tree.num_nodes):
        children = tree.children(node)
        if children.size:
            assert place[node] == pytest.approx(place[children[[0, -1]]].mean())


def test_equal_subtrees_are_drawn_equal():
    #      0 -> (1 -> 2, 3 -> 4), (5), (6 -> 7, 8 -> 9)
    place = layout([-1, 0, 1, 1, 3, 0, 0, 6, 6, 8])
    assert np.diff(place[1:5]) == pytest.approx(np.diff(place[6:10]))


@pytest.mark.parametrize("parent", [np.arange(-1, 50_000), np.r_[-1, np.zeros(50_000, int)]])
def test_a_long_chain_and_a_large_star_are_no_problem(parent):
    assert np.isfinite(layout(parent)).all()
