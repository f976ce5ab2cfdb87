import pytest
import torch

from tgraph_attn.nn.conv._block_places import block_places, node_edges

# Two graphs, of three nodes and of one, in blocks of two: nodes 0 1 | 2 - | 3 -
BATCH = torch.tensor([0, 0, 0, 1])
EDGES = torch.tensor([[0, 2, 3, 0], [2, 2, 3, 2]])


def test_graphs_are_filled_up_to_whole_blocks():
    places = block_places("op", EDGES, BATCH, 2)
    assert places.place.tolist() == [0, 1, 2, 4]
    assert places.is_node.tolist() == [True, True, True, False, True, False]
    assert places.block_index.tolist() == [[0, 1, 2, 0], [1, 1, 2, 1]]


def test_edges_between_nodes_are_there_once_and_sorted_by_query():
    edges = node_edges(block_places("op", EDGES, BATCH, 2), 2)
    assert edges.tolist() == [[0, 1, 2, 3], [2, 2, 2, 3]]


def test_no_nodes_have_no_places():
    places = block_places("op", EDGES[:, :0], BATCH[:0], 2)
    assert places.place.numel() == places.is_node.numel() == 0
    assert node_edges(places, 2).shape == (2, 0)


def test_an_edge_that_ends_inside_a_block_is_refused():
    with pytest.raises(ValueError, match="every 2th of a graph, but node 1 is number 1 of its"):
        block_places("op", torch.tensor([[0], [1]]), BATCH, 2)
    with pytest.raises(ValueError, match=r"op: edge_index must be in \[0, 4\)"):
        block_places("op", torch.tensor([[0], [4]]), BATCH, 2)
