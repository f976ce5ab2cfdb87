import pytest
import torch

from tgraph_attn.nn.conv._full_edges import full_edges


def test_edges_of_two_graphs_by_hand():
    edge_index = full_edges("test", torch.empty(3), torch.tensor([0, 0, 2]))
    assert edge_index.tolist() == [[0, 1, 0, 1, 2], [0, 0, 1, 1, 2]]
    assert full_edges("test", torch.empty(2), None).tolist() == [[0, 1, 0, 1], [0, 0, 1, 1]]
    assert full_edges("test", torch.empty(0), None).shape == (2, 0)


def test_many_pairs_are_refused_but_not_many_nodes():
    with pytest.raises(ValueError, match=r"below 4,096 nodes, but the 4,096 nodes here make 16,7"):
        full_edges("test", torch.empty(4096), None)
    assert full_edges("test", torch.empty(5000), torch.arange(5000)).shape == (2, 5000)
