import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.models._document.document_convs import RELATIONS, conv_inputs, document_conv
from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.ops.symmetric_weight import symmetric_weight
from tgraph_attn.transforms import DocumentGraph


def inputs(conv, batch):
    return conv_inputs(conv, batch, check_documents("test", batch, 11))


@pytest.mark.parametrize("conv", RELATIONS)
@pytest.mark.parametrize("heads", [1, 2])
def test_each_kind_takes_what_is_made_for_it(conv, heads, documents):
    batch = Batch.from_data_list(documents)
    layer = document_conv(conv, 6, 8, heads)
    out = layer(torch.randn(batch.num_nodes, 6), **inputs(conv, batch))
    assert out.shape == (batch.num_nodes, 8)
    assert ("bias" in dict(layer.named_parameters())) == (conv == "labelled_gcn")


def test_gcn_has_the_edges_of_pmi_and_tfidf_with_one_self_edge_each(documents):
    batch = Batch.from_data_list(documents)
    given = inputs("gcn", batch)
    both = torch.cat([batch.pmi_edge_index, batch.tfidf_edge_index], 1)
    weight = torch.cat([batch.pmi_edge_weight, batch.tfidf_edge_weight])
    order = (both[1] * batch.num_nodes + both[0]).argsort()
    assert given["edge_index"].equal(both[:, order])
    assert len({tuple(edge) for edge in both.t().tolist()}) == both.size(1)
    assert both[:, both[0] == both[1]].size(1) == batch.num_nodes
    expected = symmetric_weight(both[:, order], weight[order], batch.num_nodes)
    assert given["edge_weight"].equal(expected)
    assert inputs("gat", batch)["edge_index"].equal(given["edge_index"])
    assert set(inputs("gat", batch)) == {"edge_index"}


def labels(batch):
    given = inputs("labelled_gcn", batch)
    return dict(
        zip(
            (tuple(edge) for edge in given["edge_index"].t().tolist()),
            given["edge_type"].tolist(),
            strict=True,
        )
    )


def test_labels_are_earlier_itself_later_to_the_document_and_back(graph):
    #             oil  price  document
    # oil          1     2       4        of each row the key, of each column the query,
    # price        ...                    as (key, query)
    found = labels(graph("oil price"))
    assert found == {
        **{(0, 0): 1, (1, 1): 1, (2, 2): 1},
        **{(0, 1): 0, (1, 0): 2},
        **{(0, 2): 3, (1, 2): 3},
        **{(2, 0): 4, (2, 1): 4},
    }


def test_labels_of_dependencies_take_the_place_of_neighbours_where_there_are_heads(graph):
    parsed = DocumentGraph(graph.vocab, graph.statistics, relations=["dependency", "tfidf"])
    found = labels(parsed(["oil", "price", "rises"], heads=[2, 2, 2]))
    words = {edge: label for edge, label in found.items() if 3 not in edge}
    assert words == {
        **{(0, 0): 2, (1, 1): 2, (2, 2): 2},
        **{(2, 0): 0, (2, 1): 0, (0, 2): 1, (1, 2): 1},
    }
    assert {label for edge, label in found.items() if 3 in edge} == {2, 3, 4}


def test_self_attention_takes_the_document_of_each_node_alone(documents):
    batch = Batch.from_data_list(documents)
    assert inputs("self_attention", batch)["batch"].equal(batch.batch)
    assert set(inputs("self_attention", batch)) == {"batch"}


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"DocumentGNN: conv must be one of \['gat', 'gcn', "):
        document_conv("gru", 6, 8, 1)


@pytest.mark.parametrize(
    ("conv", "name", "kind"),
    [
        (conv, name, "weight" if name in ("pmi", "tfidf") else "type")
        for conv, names in RELATIONS.items()
        for name in names
        if (conv, name) != ("labelled_gcn", "tfidf")
    ],
)
def test_edges_without_their_types_or_weights_are_refused(documents, conv, name, kind):
    del documents[0][f"{name}_edge_{kind}"]
    message = rf"DocumentGNN: batch must have {name}_edge_{kind}, but .* relations hold '{name}'"
    with pytest.raises(ValueError, match=message):
        inputs(conv, documents[0])
    del documents[0][f"{name}_edge_index"]
    with pytest.raises(ValueError, match=rf"data must have {name}_edge_index"):
        inputs(conv, documents[0])
