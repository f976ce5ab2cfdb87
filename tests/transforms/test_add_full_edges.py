import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.transforms import AddFullEdges


def test_graph_is_marked():
    assert AddFullEdges()(Data(num_nodes=2)).full is True


def test_each_graph_of_a_batch_is_marked_before_or_after_batching():
    graphs = [Data(num_nodes=2), Data(num_nodes=1)]
    before = Batch.from_data_list([AddFullEdges()(graph) for graph in graphs])
    after = AddFullEdges()(Batch.from_data_list(graphs))
    assert before.full.tolist() == after.full.tolist() == [True, True]
    assert after.full.dtype == torch.bool


def test_repr_and_number_of_types():
    assert repr(AddFullEdges()) == "AddFullEdges()"
    assert AddFullEdges().num_types == 1
