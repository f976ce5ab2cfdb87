import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn.transforms import AddAncestorEdges

#     0
#    / \
#   1   3
#   |
#   2
PARENT = torch.tensor([0, 0, 1, 0])


def test_edges_of_a_small_tree_by_hand(edges_of):
    data = AddAncestorEdges(max_distance=2)(Data(parent_index=PARENT, num_nodes=4))
    assert edges_of(data, "ancestor") == [
        *((0, 0, 2), (1, 0, 3), (2, 0, 4), (3, 0, 3)),
        *((0, 1, 1), (1, 1, 2), (2, 1, 3)),
        *((0, 2, 0), (1, 2, 1), (2, 2, 2)),
        *((0, 3, 1), (3, 3, 2)),
    ]


def test_pairs_beyond_the_distance_and_self_edges_can_be_left_out(edges_of):
    data = AddAncestorEdges(1, self_edges=False)(Data(parent_index=PARENT, num_nodes=4))
    assert edges_of(data, "ancestor") == [
        *((1, 0, 2), (3, 0, 2), (0, 1, 0), (2, 1, 2), (1, 2, 0), (0, 3, 0)),
    ]


def test_repr_names_every_parameter():
    expected = "AddAncestorEdges(max_distance=3, self_edges=False)"
    assert repr(AddAncestorEdges(3, self_edges=False)) == expected


def test_number_of_types():
    assert AddAncestorEdges(7).num_types == 15


@pytest.mark.parametrize("distance", [0, -1])
def test_distance_below_1_is_refused(distance):
    with pytest.raises(ValueError, match=r"^AddAncestorEdges: max_distance must be at least 1"):
        AddAncestorEdges(distance)
