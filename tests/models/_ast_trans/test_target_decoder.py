import pytest
import torch
from torch.nn import TransformerDecoderLayer
from torch.nn.functional import gelu, layer_norm

from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder
from tgraph_attn.models._tree.positions import sinusoidal_positions

WORDS = torch.tensor([[2, 5, 6, 3], [2, 4, 3, 0]])
IS_NODE = torch.tensor([[True, True, True], [True, False, False]])


@pytest.fixture
def decoder():
    sizes = dict(heads=2, layers=2, hidden=12, dropout=0.5, max_length=6)
    return TargetDecoder(9, 8, **sizes).double().eval()


@pytest.fixture
def memory():
    return torch.randn(2, 3, 8, dtype=torch.float64)


def test_words_are_embedded_with_their_places(decoder, close):
    places = sinusoidal_positions(4, 8).double()
    expected = layer_norm(decoder.embedding(WORDS) + places, (8,))
    close(decoder.embed(WORDS), expected)
    close(decoder.embed(WORDS[:, 2:], first=2), expected[:, 2:])


def test_each_state_is_that_of_the_words_so_far_alone(decoder, memory, close):
    states = decoder(WORDS, memory, IS_NODE)
    for length in range(1, 5):
        close(decoder(WORDS[:, :length], memory, IS_NODE)[:, -1], states[:, length - 1])


def test_states_are_the_same_where_torch_takes_its_way_without_gradients(decoder, memory, close):
    expected = decoder(WORDS, memory, IS_NODE)
    with torch.no_grad():
        close(decoder(WORDS, memory, IS_NODE), expected)


def test_layers_are_torchs_with_gelu_and_the_norm_first(decoder):
    for layer in decoder.stack.layers:
        assert isinstance(layer, TransformerDecoderLayer)
        assert layer.norm_first and layer.activation is gelu


def test_padding_of_nodes_is_never_seen(decoder, memory, close):
    before = decoder(WORDS, memory, IS_NODE)
    other = memory.clone()
    other[1, 1:] = 99
    close(decoder(WORDS, other, IS_NODE), before)
    close(decoder(WORDS[1:], memory[1:, :1], IS_NODE[1:, :1]), before[1:])
    other[0, 2] = 99
    assert not decoder(WORDS, other, IS_NODE)[0].equal(before[0])


def test_a_norm_comes_last(decoder, memory, close):
    states = decoder(WORDS, memory, IS_NODE)
    close(states.mean(-1), torch.zeros(2, 4, dtype=torch.float64))
    assert (states.square().mean(-1) - 1).abs().max() < 1e-3


def test_positions_are_not_in_the_state_dict(decoder):
    assert "positions" not in decoder.state_dict()
