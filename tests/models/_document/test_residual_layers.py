import torch
from torch_geometric.data import Batch

from tgraph_attn.models._document.document_convs import conv_inputs
from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.models._document.residual_layers import ResidualLayers, read_nodes


def inputs(documents, channels):
    batch = Batch.from_data_list(documents)
    found = check_documents("test", batch, 11)
    return torch.randn(batch.num_nodes, channels), found, conv_inputs("gcn", batch, found)


def make(in_channels=6, **settings):
    settings = {"layers": 2, "heads": 1, "feed_forward": 0, "dropout": 0.5, **settings}
    return ResidualLayers("gcn", in_channels, 8, 3, **settings)


def test_three_readings_are_the_document_node_the_mean_and_the_maximum_of_words(documents, close):
    x, found, _ = inputs(documents[:3], 4)  # of 3, 3 and no words, and a document node each
    rows = []
    for first, last in ((0, 3), (4, 7)):
        words = x[first:last]
        rows.append(torch.cat([x[last], words.mean(0), words.max(0).values]))
    rows.append(torch.cat([x[8], torch.zeros(8)]))
    close(read_nodes(x, found), torch.stack(rows))


def test_layers_that_add_nothing_leave_the_readings_of_the_normed_features(documents, close):
    layers = make(feed_forward=5).eval()
    for part in (*layers.projections, *(parts[-1] for parts in layers.feed_forwards)):
        torch.nn.init.zeros_(part.weight)
        torch.nn.init.zeros_(part.bias)
    x, found, given = inputs(documents, 6)
    expected = layers.lin_out(read_nodes(layers.norm(layers.lin_in(x)), found))
    close(layers(x, found, given), expected)


def test_features_of_the_right_width_are_not_mapped_first():
    assert "lin_in.weight" in dict(make(6).named_parameters())
    assert "lin_in.weight" not in dict(make(8).named_parameters())


def test_feed_forward_parts_are_there_only_if_asked_for():
    assert not any("feed_forward" in name for name, _ in make().named_parameters())
    names = [n for n, _ in make(feed_forward=5, layers=3).named_parameters() if "feed_forw" in n]
    assert len(names) == 3 * 6


def test_dropout_falls_on_additions_and_readings_in_training_alone(documents, monkeypatch):
    seen = []

    def dropout(x, p, training):
        seen.append((x.size(1), training))
        return x

    monkeypatch.setattr("tgraph_attn.models._document.residual_layers.dropout", dropout)
    layers = make(feed_forward=5)
    layers(*inputs(documents, 6))
    assert seen == [*[(8, True)] * 4, (24, True)]
    seen.clear()
    layers.eval()(*inputs(documents, 6))
    assert seen == [*[(8, False)] * 4, (24, False)]
