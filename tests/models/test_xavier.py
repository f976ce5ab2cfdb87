import math

import torch
from torch.nn import Embedding, LayerNorm, Linear, Sequential, TransformerDecoder
from torch.nn import TransformerDecoderLayer as Layer

from tgraph_attn.models._xavier import xavier


def test_matrices_are_drawn_within_their_bounds_and_biases_are_zero():
    module = Sequential(Linear(30, 50), Embedding(50, 30), LayerNorm(30))
    torch.nn.init.ones_(module[0].bias)
    xavier(module)
    bound = math.sqrt(6 / 80)
    for part in module[:2]:
        assert 0.9 * bound < part.weight.abs().max() <= bound
    assert not module[0].bias.any() and module[2].weight.eq(1).all()


def test_layers_that_torch_copied_no_longer_begin_alike():
    stack = TransformerDecoder(Layer(8, 2, 16), 2)
    matrices = [name for name, p in stack.layers[0].named_parameters() if p.dim() > 1]
    assert len(matrices) == 6
    xavier(stack)
    first, second = (dict(layer.named_parameters()) for layer in stack.layers)
    assert not any(first[name].equal(second[name]) for name in matrices)
