import pytest
from torch_geometric.data import Data

from tgraph_attn.convert import tree_to_data
from tgraph_attn.models._tree.relation_transform import relation_transform
from tgraph_attn.transforms import (
    AddAncestorEdges,
    AddPathLevelEdges,
    AddSiblingEdges,
    AddWindowEdges,
)
from tgraph_attn.tree import Tree

#     0
#    / \\
#   1   3
#   |
#   2
TREE = Tree([-1, 0, 1, 0])


def same(one: Data, other: Data):
    assert sorted(one.keys()) == sorted(other.keys())
    return all(one[name].equal(other[name]) for name in one.keys() if "_edge_" in name)


def test_each_relation_is_added_as_far_as_it_reaches():
    relations = {"ancestor": (1, 1), "sibling": (2, 3), "path_level": (1, 2), "window": (1, 4)}
    expected = tree_to_data(TREE)
    for add in (AddAncestorEdges(1), AddSiblingEdges(3), AddPathLevelEdges(2), AddWindowEdges(4)):
        expected = add(expected)
    assert same(relation_transform("Model", relations)(tree_to_data(TREE)), expected)


def test_a_model_without_relations_changes_nothing():
    assert same(relation_transform("Model", {})(tree_to_data(TREE)), tree_to_data(TREE))


def test_relations_that_need_more_are_refused():
    relations = {"ancestor": (1, 7), "pmi": (1, 1)}
    with pytest.raises(ValueError, match=r"Model: .* but it has \['pmi'\]\. Add all of them by"):
        relation_transform("Model", relations)
