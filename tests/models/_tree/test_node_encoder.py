import torch
from torch.nn.functional import layer_norm

from tgraph_attn.models._tree.node_encoder import NodeEncoder


def make():
    return NodeEncoder(7, 8, layers=2, hidden=12, dropout=0.5).double()


def test_layers_get_the_normed_embedding_one_after_the_other_and_a_norm_ends_them(close):
    encoder, x = make().eval(), torch.tensor([3, 0, 3])
    attend = [lambda x: x, lambda x: -x]
    expected = layer_norm(encoder.embedding(x), (8,))
    for layer, layer_attends in zip(encoder.layers, attend, strict=True):
        expected = layer(expected, layer_attends)
    close(encoder(x, attend), layer_norm(expected, (8,)))


def test_where_a_node_stands_makes_no_difference():
    out = make().eval()(torch.tensor([3, 0, 3]), [lambda x: x, lambda x: x])
    assert out[0].equal(out[2]) and not out[0].equal(out[1])


def test_places_are_told_where_they_are_given(close):
    encoder, x = make().eval(), torch.tensor([3, 0, 3])
    attend = [lambda x: x, lambda x: x]
    out = encoder(x, attend, torch.tensor([0, 1, 2]))
    assert not out[0].allclose(out[2])
    close(out[2], encoder(x, attend, torch.tensor([2, 2, 2]))[0])
    assert not out[0].allclose(encoder(x, attend)[0])  # also the first place is one


def test_dropout_falls_on_the_embedding_in_training():
    encoder = make().train()
    zeros = []
    encoder.dropout.register_forward_hook(lambda module, inputs, out: zeros.append(out.eq(0)))
    encoder(torch.arange(7), [lambda x: x, lambda x: x])
    assert 0.2 < zeros[0].double().mean() < 0.8


def test_matrices_begin_as_xavier_draws_them():
    encoder = make()
    assert 0 < encoder.embedding.weight.abs().max() <= (6 / (7 + 8)) ** 0.5
    assert all(not layer.output.bias.any() for layer in encoder.layers)
