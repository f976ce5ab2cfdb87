import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.transforms import AddWindowEdges

TWO_EDGES = [(0, 0, 1), (1, 0, 2), (0, 1, 0), (1, 1, 1)]


@pytest.mark.parametrize(
    "data",
    [
        Data(num_nodes=2),
        Data(x=torch.zeros(2, 3)),
        Data(parent_index=torch.tensor([0, 0])),
        Data(edge_index=torch.zeros(2, 0, dtype=torch.int64), num_nodes=2),
    ],
)
def test_nodes_need_no_tree(data, edges_of):
    assert edges_of(AddWindowEdges(size=1)(data), "window") == TWO_EDGES


def test_self_edges_can_be_left_out(edges_of):
    data = AddWindowEdges(2, self_edges=False)(Data(num_nodes=3))
    assert edges_of(data, "window") == [
        *((1, 0, 3), (2, 0, 4), (0, 1, 1), (2, 1, 3), (0, 2, 0), (1, 2, 1)),
    ]


def test_no_window_crosses_from_one_graph_to_the_next(edges_of):
    batch = Batch.from_data_list([Data(num_nodes=2), Data(num_nodes=1), Data(num_nodes=2)])
    second = [(j + 3, i + 3, r) for j, i, r in TWO_EDGES]
    assert edges_of(AddWindowEdges(1)(batch), "window") == [*TWO_EDGES, (2, 2, 1), *second]


@pytest.mark.parametrize(
    "graphs", [{"batch": torch.tensor([0, 0, 2])}, {"ptr": torch.tensor([0, 2, 2, 3])}], ids=list
)
def test_graph_ids_or_their_bounds_alone_are_enough(graphs, edges_of):
    data = AddWindowEdges(1)(Data(num_nodes=3, **graphs))
    assert edges_of(data, "window") == [*TWO_EDGES, (2, 2, 1)]


def test_unsorted_graph_ids_are_refused():
    with pytest.raises(ValueError, match=r"^AddWindowEdges: batch must be sorted"):
        AddWindowEdges(1)(Data(num_nodes=4, batch=torch.tensor([0, 1, 1, 0])))


def test_unknown_number_of_nodes_is_refused():
    data = Data(edge_index=torch.tensor([[0], [1]]))
    with pytest.raises(ValueError, match=r"has only \['edge_index'\]\. Set data\.num_nodes"):
        AddWindowEdges(1)(data)


def test_repr_names_every_parameter():
    expected = "AddWindowEdges(size=3, self_edges=False)"
    assert repr(AddWindowEdges(3, self_edges=False)) == expected


def test_number_of_types():
    assert AddWindowEdges(3).num_types == 7


def test_size_below_1_is_refused():
    with pytest.raises(ValueError, match=r"^AddWindowEdges: size must be at least 1, but got 0"):
        AddWindowEdges(0)
