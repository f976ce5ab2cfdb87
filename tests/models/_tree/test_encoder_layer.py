import torch
from torch.nn.functional import gelu, layer_norm

from tgraph_attn.models._tree.encoder_layer import EncoderLayer


def norm(x):
    return layer_norm(x, (8,))


def test_it_equals_its_two_lines(close):
    layer, x = EncoderLayer(8, 12, 0.5).double().eval(), torch.randn(5, 8, dtype=torch.float64)
    wide, _, _, narrow = layer.feed_forward
    expected = x + layer.output(2 * norm(x))
    expected = expected + narrow(gelu(wide(norm(expected))))
    close(layer(x, lambda x: 2 * x), expected)


def test_dropout_falls_on_both_parts_and_inside_the_feed_forward_net():
    layer, seen = EncoderLayer(8, 12, 0.5).train(), []
    for part in (layer.dropout, layer.feed_forward[2]):
        part.register_forward_hook(lambda module, inputs, out: seen.append(out))
    layer(torch.randn(5, 8), lambda x: x)
    assert [tuple(out.shape) for out in seen] == [(5, 8), (5, 12), (5, 8)]
    assert all(0.2 < out.eq(0).double().mean() < 0.8 for out in seen)
