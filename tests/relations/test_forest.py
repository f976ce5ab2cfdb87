import numpy as np
import pytest

from tgraph_attn.relations._forest import read_forest
from tgraph_attn.relations.ancestor_edges import ancestor_edges
from tgraph_attn.relations.path_level_edges import path_level_edges
from tgraph_attn.relations.sibling_edges import sibling_edges


def test_depth_and_subtree_size_are_those_found_by_climbing(forests, line):
    for parent in forests:
        forest = read_forest("test", parent)
        lines = [line(parent, i) for i in range(len(parent))]
        assert forest.depth.tolist() == [len(nodes) - 1 for nodes in lines]
        assert forest.subtree_size.tolist() == [
            sum(i in nodes for nodes in lines) for i in range(len(parent))
        ]


NO_FOREST = {
    "no_node": ([], "must have at least one node, but has none"),
    "no_root": ([2, 0, 1], "node 0 must be the root, with parent -1, but its parent is 2"),
    "root_is_not_first": ([1, -1], "node 0 must be the root, with parent -1, but its parent is 1"),
    "cycle": ([-1, 0, 3, 4, 2], "from node 2 it leads round a cycle"),
    "own_parent": ([-1, 0, 2], "no node may be its own parent, but node 2 is"),
    "root_of_a_data": ([0, 0], r"but node 0 is.*parent_of\(data\)"),
    "beyond_the_last_row": ([-1, 0, 3], "one of the 3 rows, but that of node 2 is 3"),
    "below_minus_one": ([-1, -2], "one of the 2 rows, but that of node 1 is -2"),
    "child_before_its_parent": ([-1, 2, 0], "must be in pre-order.*node 1"),
    "subtree_in_two_pieces": ([-1, 0, 0, 1], r"must be in pre-order.*node 3 \(parent 1\)"),
    "back_to_a_deeper_node": ([-1, 0, 1, 0, 2], r"must be in pre-order.*node 4 \(parent 2\)"),
    "back_to_an_earlier_tree": ([-1, 0, -1, 0], r"must be in pre-order.*node 3 \(parent 0\)"),
    "two_dimensions": ([[-1, 0]], r"must have shape \[any\], but has \[1, 2\]"),
}


@pytest.mark.parametrize("relation", [ancestor_edges, sibling_edges, path_level_edges])
@pytest.mark.parametrize(("parent", "message"), NO_FOREST.values(), ids=NO_FOREST)
def test_what_is_no_forest_is_refused(relation, parent, message):
    with pytest.raises(ValueError, match=rf"^{relation.__name__}: .*{message}"):
        relation(parent)


@pytest.mark.parametrize("relation", [ancestor_edges, sibling_edges, path_level_edges])
@pytest.mark.parametrize("dtype", [float, bool, object])
def test_parents_that_are_no_whole_numbers_are_refused(relation, dtype):
    with pytest.raises(TypeError, match=rf"^{relation.__name__}: parent must hold whole numbers"):
        relation(np.array([-1, 0]).astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_any_whole_numbers_will_do_and_are_not_changed(dtype, listed):
    parent = np.array([-1, 0, 1, 0], dtype)[::1]
    parent.flags.writeable = False
    assert listed(ancestor_edges(parent, 1)) == listed(ancestor_edges([-1, 0, 1, 0], 1))


@pytest.mark.parametrize("relation", [ancestor_edges, sibling_edges, path_level_edges])
def test_forest_has_the_edges_of_its_trees_one_after_the_other(relation, listed):
    first, second, third = [-1, 0, 1, 1, 0], [-1], [-1, 0, 0]
    joined = [*first, -1, -1, 6, 6]
    expected = [
        (j + shift, i + shift, r)
        for parent, shift in ((first, 0), (second, 5), (third, 6))
        for j, i, r in listed(relation(parent, 2))
    ]
    assert listed(relation(joined, 2)) == expected


@pytest.mark.parametrize("relation", [ancestor_edges, sibling_edges, path_level_edges])
def test_one_node_has_its_self_edge_or_none(relation, listed):
    middle = (2 * 3 + 1) ** (2 if relation is path_level_edges else 1) // 2
    assert listed(relation([-1], 3)) == [(0, 0, middle)]
    assert listed(relation([-1], 3, self_edges=False)) == []


@pytest.mark.parametrize("relation", [ancestor_edges, sibling_edges, path_level_edges])
@pytest.mark.parametrize(
    ("distance", "error", "message"),
    [
        (0, ValueError, "must be at least 1, but got 0"),
        (2**62, ValueError, "must be at most 1,073,741,824"),
        (1.5, TypeError, "must be an int of at least 1, but got 1.5"),
        (True, TypeError, "must be an int of at least 1, but got True"),
    ],
)
def test_distance_that_is_no_whole_number_of_steps_is_refused(relation, distance, error, message):
    with pytest.raises(error, match=rf"^{relation.__name__}: max_(distance|path) {message}"):
        relation([-1], distance)
