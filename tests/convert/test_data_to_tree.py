import networkx as nx
import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.convert import data_to_tree, tree_to_data
from tgraph_attn.parse import from_heads, from_networkx, parse_code, parse_nested
from tgraph_attn.transforms import AddAncestorEdges
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

TREES = {
    "one_node": Tree([-1]),
    "one_node_with_text": Tree([-1], text=["a"]),
    "no_text": Tree([-1, 0, 0], kind=["s", "a", "b"]),
    "no_kind": Tree([-1, 0, 0], text=["s", None, ""]),
    "code": parse_code("def f(a):\n    return a + 1\n", "python"),
    "code_with_errors": parse_code("def f(:\n  pass\nx = (1\n", "python"),
    "empty_code": parse_code("", "python"),
    "nested": parse_nested({"a": [1, None, "x"], "b": {}}),
    "virtual_root": from_heads([1, 1, 3, 3], ["w", "x", "y", "z"]),
    "network": from_networkx(nx.DiGraph([(0, 2), (0, 1), (1, 3)])),
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_round_trip_gives_an_equal_tree(tree):
    back = data_to_tree(tree_to_data(tree))
    assert back == tree
    assert (back.num_errors, back.num_missing) == (tree.num_errors, tree.num_missing)


def test_code_with_errors_keeps_their_number():
    tree = TREES["code_with_errors"]
    assert tree.num_errors + tree.num_missing > 0  # so that the test above sees them


def test_round_trip_through_a_batch_gives_equal_trees():
    vocab = Vocab.build(TREES["code"].labels)
    add = AddAncestorEdges(3)
    batch = Batch.from_data_list([add(tree_to_data(tree, vocab)) for tree in TREES.values()])
    assert [data_to_tree(data) for data in batch.to_data_list()] == list(TREES.values())


def test_only_the_parents_have_to_be_there():
    assert data_to_tree(Data(parent_index=torch.tensor([0, 0, 1]))) == Tree([-1, 0, 1])


def test_batch_is_refused():
    batch = Batch.from_data_list([tree_to_data(Tree([-1]))] * 3)
    with pytest.raises(ValueError, match=r"^data_to_tree: .*one graph, but is a batch of 3\. Pass"):
        data_to_tree(batch)


def test_two_trees_in_one_data_are_refused():
    with pytest.raises(ValueError, match=r"one root, but nodes 0 and 1 both have parent -1"):
        data_to_tree(Data(parent_index=torch.tensor([0, 1])))
