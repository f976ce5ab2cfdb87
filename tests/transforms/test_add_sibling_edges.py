import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn.transforms import AddSiblingEdges

#      0
#    / | \
#   1  3  4
#   |
#   2
PARENT = torch.tensor([0, 0, 1, 0, 0])


def test_edges_of_a_small_tree_by_hand(edges_of):
    data = AddSiblingEdges(max_distance=2)(Data(parent_index=PARENT, num_nodes=5))
    assert edges_of(data, "sibling") == [
        (0, 0, 2),
        *((1, 1, 2), (3, 1, 3), (4, 1, 4)),
        (2, 2, 2),
        *((1, 3, 1), (3, 3, 2), (4, 3, 3)),
        *((1, 4, 0), (3, 4, 1), (4, 4, 2)),
    ]


def test_pairs_beyond_the_distance_and_self_edges_can_be_left_out(edges_of):
    data = AddSiblingEdges(1, self_edges=False)(Data(parent_index=PARENT, num_nodes=5))
    assert edges_of(data, "sibling") == [(3, 1, 2), (1, 3, 0), (4, 3, 2), (3, 4, 0)]


def test_repr_names_every_parameter():
    expected = "AddSiblingEdges(max_distance=3, self_edges=False)"
    assert repr(AddSiblingEdges(3, self_edges=False)) == expected


def test_number_of_types():
    assert AddSiblingEdges(7).num_types == 15


@pytest.mark.parametrize("distance", [0, -1])
def test_distance_below_1_is_refused(distance):
    with pytest.raises(ValueError, match=r"^AddSiblingEdges: max_distance must be at least 1"):
        AddSiblingEdges(distance)
