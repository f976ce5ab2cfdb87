import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.models._document import plain_layers
from tgraph_attn.models._document.document_convs import RELATIONS, conv_inputs
from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.models._document.plain_layers import PlainLayers, check_plain


def inputs(documents, conv):
    batch = Batch.from_data_list(documents)
    found = check_documents("test", batch, 11)
    return torch.randn(batch.num_nodes, 6), found, conv_inputs(conv, batch, found)


def test_it_is_two_layers_with_relu_between_read_at_the_document_node(documents, close):
    for conv in RELATIONS:
        layers = PlainLayers(conv, 6, 8, 3, heads=2, dropout=0.5).eval()
        x, found, given = inputs(documents, conv)
        first, second = layers.convs
        expected = second(first(x, **given).relu(), **given)
        close(layers(x, found, given), expected[[3, 7, 8, 10, 11, 18]])
        assert {name.split(".")[0] for name, _ in layers.named_parameters()} == {"convs"}


def test_dropout_falls_on_the_input_of_both_layers(documents, monkeypatch):
    seen = []

    def dropout(x, p, training):
        seen.append((x.size(1), p, training))
        return x

    monkeypatch.setattr(plain_layers, "dropout", dropout)
    layers = PlainLayers("gcn", 6, 8, 3, heads=1, dropout=0.4)
    layers(*inputs(documents, "gcn"))
    layers.eval()(*inputs(documents, "gcn"))
    assert seen == [(6, 0.4, True), (8, 0.4, True), (6, 0.4, False), (8, 0.4, False)]


def test_the_last_layer_has_one_head_and_a_logit_for_each_class():
    first, second = PlainLayers("self_attention", 6, 8, 3, heads=4, dropout=0.0).convs
    assert (first.heads, first.out_channels) == (4, 2)
    assert (second.heads, second.out_channels) == (1, 3)


@pytest.mark.parametrize(("layers", "feed_forward"), [(1, 0), (3, 0), (2, 9)])
def test_other_layers_than_its_two_are_refused(layers, feed_forward):
    check_plain("test", 2, 0)
    message = rf'test: the skeleton "plain" must have 2 .* but got {layers} and {feed_forward}\.'
    with pytest.raises(ValueError, match=message):
        check_plain("test", layers, feed_forward)
