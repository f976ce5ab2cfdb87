import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.convert import relation_edges, tree_to_data
from tgraph_attn.transforms import AddAncestorEdges, AddFullEdges, AddSiblingEdges
from tgraph_attn.tree import Tree


def two_relations(parent):
    return AddSiblingEdges(1)(AddAncestorEdges(2)(tree_to_data(Tree(parent))))


def test_each_relation_has_its_own_edges_in_the_order_asked_for():
    data = two_relations([-1, 0, 0])
    edges = relation_edges(data, ["sibling", "ancestor"])
    assert list(edges) == ["sibling", "ancestor"]
    for name, (edge_index, edge_type, edge_weight) in edges.items():
        assert edge_index is data[f"{name}_edge_index"]
        assert edge_type is data[f"{name}_edge_type"]
        assert edge_weight is None


def test_keys_of_a_dict_are_names():
    assert list(relation_edges(two_relations([-1, 0]), {"ancestor": (1, 2)})) == ["ancestor"]


def test_weights_are_found_and_types_may_be_missing():
    pairs, weight = torch.tensor([[0, 1], [1, 0]]), torch.tensor([0.5, 2.0])
    data = Data(pmi_edge_index=pairs, pmi_edge_weight=weight, num_nodes=2)
    assert relation_edges(data, ["pmi"])["pmi"] == (pairs, None, weight)


def test_full_has_no_edges_in_a_graph_and_in_a_batch():
    data = AddFullEdges()(tree_to_data(Tree([-1, 0])))
    batch = Batch.from_data_list([data, data])
    assert relation_edges(data, ["full"]) == {"full": None}
    assert relation_edges(batch, ["full"]) == {"full": None}
    assert relation_edges(batch[1], ["full"]) == {"full": None}


@pytest.mark.parametrize("full", [False, torch.tensor([True, False])])
def test_graph_that_is_not_marked_is_not_full(full):
    with pytest.raises(ValueError, match=r"must have full=True for each graph.*AddFullEdges"):
        relation_edges(Data(full=full, num_nodes=1), ["full"])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "path_level",
            r"path_level_edge_index, but .* \['ancestor', 'sibling'\]\. .* AddPathLevel",
        ),
        ("window", "window_edge_index.* AddWindowEdges"),
        ("full", "full=True for each graph.* AddFullEdges"),
        ("pmi", "pmi_edge_index.* AddPMIEdges"),
        ("tfidf", "tfidf_edge_index.* AddTFIDFEdges"),
        ("neighbour", "neighbour_edge_index.* AddNeighbourEdges"),
        ("dependency", "dependency_edge_index.* AddDependencyEdges"),
        ("kin", r"kin_edge_index.* Set data\.kin_edge_index, or did you mean one of \['ancestor'"),
    ],
)
def test_relation_that_is_missing_is_refused_with_its_transform(name, message):
    with pytest.raises(ValueError, match=rf"^relation_edges: data must have {message}"):
        relation_edges(two_relations([-1, 0]), ["ancestor", name])


def test_types_of_the_wrong_length_are_refused():
    data = two_relations([-1, 0])
    data.ancestor_edge_type = data.ancestor_edge_type[:-1]
    with pytest.raises(ValueError, match=r"\(ancestor\): ancestor_edge_type must have one row per"):
        relation_edges(data, ["ancestor"])


def test_one_name_that_is_no_list_is_refused():
    with pytest.raises(TypeError, match=r"but got the str 'full'\. Pass \['full'\]"):
        relation_edges(two_relations([-1]), "full")
