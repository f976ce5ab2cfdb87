import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn.transforms import AddPathLevelEdges

#     0
#    / \
#   1   3
#   |
#   2
TREE = Data(parent_index=torch.tensor([0, 0, 1, 0]), num_nodes=4)


def types(path, level):
    return (path + 2) * 5 + level + 2


def test_edges_of_a_small_tree_by_hand(edges_of):
    assert edges_of(AddPathLevelEdges(max_path=2)(TREE), "path_level") == [
        *((0, 0, types(0, 0)), (1, 0, types(1, 1)), (2, 0, types(2, 2)), (3, 0, types(1, 1))),
        *((0, 1, types(-1, -1)), (1, 1, types(0, 0)), (2, 1, types(1, 1)), (3, 1, types(2, 0))),
        *((0, 2, types(-2, -2)), (1, 2, types(-1, -1)), (2, 2, types(0, 0))),
        *((0, 3, types(-1, -1)), (1, 3, types(-2, 0)), (3, 3, types(0, 0))),
    ]


def test_levels_and_self_edges_can_be_left_out(edges_of):
    data = AddPathLevelEdges(2, 0, self_edges=False)(TREE)
    assert edges_of(data, "path_level") == [(3, 1, types(2, 0)), (1, 3, types(-2, 0))]


def test_repr_names_every_parameter():
    expected = "AddPathLevelEdges(max_path=3, max_level=1, self_edges=False, max_edges=9)"
    assert repr(AddPathLevelEdges(3, 1, self_edges=False, max_edges=9)) == expected


def test_number_of_types():
    assert AddPathLevelEdges(19).num_types == 39**2


def test_more_edges_than_allowed_are_refused():
    with pytest.raises(ValueError, match="at most 13 edges, but this one would have 14"):
        AddPathLevelEdges(2, max_edges=13)(TREE)


@pytest.mark.parametrize(("name", "value"), [("max_path", 0), ("max_edges", 0), ("max_level", -1)])
def test_size_that_makes_no_sense_is_refused(name, value):
    with pytest.raises(ValueError, match=rf"^AddPathLevelEdges: {name} must be at least"):
        AddPathLevelEdges(**{name: value})
