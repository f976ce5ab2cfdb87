import pytest
import torch
from torch_geometric.data import Batch
from torch_geometric.nn import SAGEConv
from torch_geometric.transforms import AddSelfLoops, ToUndirected

from tgraph_attn.convert import tree_to_data
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

#        0 call
#       /      \
#   1 name   4 number 7
#    /   \
# 2 get  3 size
TREE = Tree(
    [-1, 0, 1, 1, 0],
    kind=["call", "name", "part", "part", "number"],
    text=[None, None, "get", "size", "7"],
    span=[[0, 11], [0, 8], [0, 3], [4, 8], [9, 10]],
    source=[0, 2, 3, 4, 1],
    faults=[[0, 1], [4, 0]],
)


def test_every_attribute_of_a_small_tree_by_hand():
    data = tree_to_data(TREE)
    data.validate()
    edges = list(zip(*data.edge_index.tolist(), data.edge_type.tolist(), strict=True))
    assert edges == [
        *((1, 0, 1), (4, 0, 1)),
        *((0, 1, 0), (2, 1, 1), (3, 1, 1)),
        *((1, 2, 0), (1, 3, 0), (0, 4, 0)),
    ]
    assert data.x.tolist() == [0, 0, 0, 0, 0]
    assert data.parent_index.tolist() == [0, 0, 1, 1, 0]
    assert data.depth.tolist() == [0, 1, 2, 2, 1]
    assert data.span.tolist() == [[0, 11], [0, 8], [0, 3], [4, 8], [9, 10]]
    assert data.source.tolist() == [0, 2, 3, 4, 1]
    assert data.fault_index.tolist() == [0, 4] and data.fault_type.tolist() == [1, 0]
    assert data.kind == ["call", "name", "part", "part", "number"]
    assert data.text == [None, None, "get", "size", "7"]
    assert data.num_nodes == 5
    tensors = [value for value in data.to_dict().values() if isinstance(value, torch.Tensor)]
    assert len(tensors) == 9 and all(value.dtype == torch.int64 for value in tensors)


def test_x_is_the_number_of_each_label():
    vocab = Vocab.build(["call", "part get", "number 7", "part get"])
    assert tree_to_data(TREE, vocab).x.tolist() == [
        vocab.encode([label])[0] for label in ("call", "name", "part get", "part size", "number 7")
    ]
    assert tree_to_data(TREE, vocab).x.tolist() == [3, 1, 2, 1, 4]


def test_tree_edges_are_sorted_each_once_and_both_ways(trees):
    for parent in trees:
        data = tree_to_data(Tree(parent))
        edges = list(zip(*data.edge_index.tolist(), data.edge_type.tolist(), strict=True))
        both = [(p, i, 0) for i, p in enumerate(parent) if p != -1]
        both += [(i, p, 1) for p, i, _ in both]
        assert edges == sorted(both, key=lambda edge: (edge[1], edge[0]))


def test_one_node_has_no_edge():
    data = tree_to_data(Tree([-1]))
    data.validate()
    assert data.edge_index.shape == (2, 0) and data.edge_type.shape == (0,)
    assert data.edge_index.dtype == data.edge_type.dtype == torch.int64


def test_batch_shifts_what_holds_nodes_and_nothing_else():
    batch = Batch.from_data_list([tree_to_data(TREE), tree_to_data(Tree([-1])), tree_to_data(TREE)])
    one = tree_to_data(TREE)
    for name in ("edge_index", "parent_index", "fault_index"):
        assert (
            batch[name].tolist()
            == torch.cat(
                [one[name], tree_to_data(Tree([-1]))[name] + 5, one[name] + 6], dim=-1
            ).tolist()
        )
    for name in ("x", "edge_type", "depth", "span", "source", "fault_type"):
        assert (
            batch[name].tolist()
            == torch.cat([one[name], tree_to_data(Tree([-1]))[name], one[name]]).tolist()
        )
    assert batch.ptr.tolist() == [0, 5, 6, 11] and batch.num_nodes == 11
    assert batch.kind == [one.kind, [""], one.kind]


def test_tensors_of_the_data_can_be_written_and_the_tree_stays():
    data = tree_to_data(TREE)
    for name in ("parent_index", "depth", "span", "source", "fault_index"):
        data[name].fill_(1)
    assert TREE.parent.tolist() == [-1, 0, 1, 1, 0] and TREE.depth.tolist() == [0, 1, 2, 2, 1]
    assert TREE.faults.tolist() == [[0, 1], [4, 0]]


def test_stock_layer_works_at_once():
    data = tree_to_data(TREE)
    assert SAGEConv(3, 2)(torch.randn(5, 3), data.edge_index).shape == (5, 2)


def test_stock_transforms_are_not_safe():
    """The page on concepts warns of it: once this fails, PyG has changed, and so must the page."""
    data = tree_to_data(Tree([-1, 0, 0]))
    assert data.edge_type.tolist() == [1, 1, 0, 0]
    assert ToUndirected()(data).edge_type.tolist() == [1, 1, 1, 1]
    assert AddSelfLoops()(data).edge_index.size(1) > len(AddSelfLoops()(data).edge_type)


@pytest.mark.parametrize("wrong", [[-1, 0], None, "x = 1"])
def test_what_is_no_tree_is_refused(wrong):
    with pytest.raises(TypeError, match=r"^tree_to_data: tree must be a Tree, but got \w+\. Make"):
        tree_to_data(wrong)
