import pytest

from tgraph_attn.models._document.plain_layers import PlainLayers
from tgraph_attn.models._document.residual_layers import ResidualLayers
from tgraph_attn.models._document.skeleton_layers import skeleton_layers


def make(skeleton, **settings):
    sizes = {"word_channels": 6, "channels": 8, "layers": 2, "heads": 2, "feed_forward": 0}
    return skeleton_layers(skeleton, "self_attention", 3, {**sizes, **settings}, 0.4)


def test_plain_has_its_sizes():
    layers = make("plain")
    assert isinstance(layers, PlainLayers) and layers.dropout == 0.4
    sizes = [(conv.in_channels, conv.heads, conv.out_channels) for conv in layers.convs]
    assert sizes == [(6, 2, 4), (8, 1, 3)]


def test_residual_has_its_sizes():
    layers = make("residual", layers=3, feed_forward=20)
    assert isinstance(layers, ResidualLayers) and layers.dropout == 0.4
    sizes = [(conv.in_channels, conv.heads, conv.out_channels) for conv in layers.convs]
    assert sizes == [(8, 2, 4)] * 3
    assert [parts[1].out_features for parts in layers.feed_forwards] == [20] * 3
    assert (layers.lin_in.in_features, layers.lin_out.out_features) == (6, 3)


def test_an_unknown_skeleton_and_settings_that_plain_has_not_are_refused():
    with pytest.raises(ValueError, match=r"DocumentGNN: skeleton must be one of \['plain', 'resid"):
        make("bare")
    with pytest.raises(ValueError, match=r"DocumentGNN: the skeleton \"plain\" must have 2 layers"):
        make("plain", layers=3)
    with pytest.raises(ValueError, match=r"no feed_forward, but got 2 and 20"):
        make("plain", feed_forward=20)
