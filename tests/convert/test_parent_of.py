import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.convert import data_to_tree, parent_of, relation_edges, tree_to_data
from tgraph_attn.tree import Tree


def test_root_of_each_tree_of_a_batch_has_minus_one():
    batch = Batch.from_data_list([tree_to_data(Tree(p)) for p in ([-1, 0, 1], [-1], [-1, 0])])
    parent = parent_of(batch)
    assert parent.dtype == np.int64
    assert parent.tolist() == [-1, 0, 1, -1, -1, 4]


def test_data_is_not_changed():
    data = Data(parent_index=torch.tensor([0, 0]), num_nodes=2)
    parent_of(data)[:] = 5
    assert data.parent_index.tolist() == [0, 0]


def test_data_without_a_tree_is_refused_with_its_keys():
    with pytest.raises(
        ValueError,
        match=r"^parent_of: data must have parent_index, but has only \['edge_index', 'x'\]\. "
        r"Make it with tree_to_data\(tree\)\.$",
    ):
        parent_of(Data(x=torch.zeros(2, 1), edge_index=torch.zeros(2, 0, dtype=torch.int64)))


@pytest.mark.parametrize(
    ("wrong", "got"),
    [
        (torch.tensor([0.0, 0.0]), r"torch.float32 \[2\]"),
        (torch.tensor([0, 0], dtype=torch.int32), r"torch.int32 \[2\]"),
        (torch.tensor([[0, 0]]), r"torch.int64 \[1, 2\]"),
        ([0, 0], "list"),
    ],
)
def test_parents_of_the_wrong_sort_are_refused(wrong, got):
    with pytest.raises(ValueError, match=rf"int64 tensor of shape \[N\], but is {got}"):
        parent_of(Data(parent_index=wrong, num_nodes=2))


@pytest.mark.parametrize("other", [{"x": torch.zeros(3, 1)}, {"num_nodes": 3}])
def test_parents_of_other_nodes_are_refused(other):
    with pytest.raises(ValueError, match=r"for each of the 3 nodes, but has 2\. Cut a tree with"):
        parent_of(Data(parent_index=torch.tensor([0, 0]), **other))


@pytest.mark.parametrize(
    "function", [parent_of, data_to_tree, lambda d: relation_edges(d, ["full"])]
)
def test_what_is_no_graph_is_refused(function):
    with pytest.raises(TypeError, match=r"data must be a Data, but got Tree. Make it with tree_to"):
        function(Tree([-1]))
