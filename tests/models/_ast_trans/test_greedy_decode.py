import pytest
import torch

from tgraph_attn.models._ast_trans.greedy_decode import greedy_decode
from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder

BOS, EOS = 2, 3
IS_NODE = torch.arange(5) < torch.tensor([[5], [1], [3]])


@pytest.fixture
def decoder():
    sizes = dict(heads=2, layers=2, hidden=12, dropout=0.5, max_length=6)
    return TargetDecoder(9, 8, **sizes).double().eval()


@pytest.fixture
def memory():
    return 3 * torch.randn(3, 5, 8, dtype=torch.float64)


def decode(decoder, memory, is_node=IS_NODE, max_length=6):
    with torch.no_grad():
        return greedy_decode(decoder, memory, is_node, bos=BOS, eos=EOS, max_length=max_length)


def spread(decoder):
    """Make words differ: untrained, a decoder writes one and the same."""
    torch.nn.init.normal_(decoder.embedding.weight, std=9.0)
    torch.nn.init.normal_(decoder.generator.weight)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("is_node", [IS_NODE, torch.ones_like(IS_NODE)], ids=["padded", "full"])
def test_each_word_is_the_argmax_of_the_decoder_on_those_before_it(decoder, memory, seed, is_node):
    torch.manual_seed(seed)
    spread(decoder)
    with torch.no_grad():
        decoder.generator.bias[[0, EOS]] = -99.0  # no sequence ends
    words = torch.full((3, 1), BOS)
    for _ in range(6):
        logits = decoder.generator(decoder(words, memory, is_node))
        words = torch.cat([words, logits[:, -1:].argmax(-1)], dim=1)
    assert decode(decoder, memory, is_node).equal(words[:, 1:])
    assert words[:, 1:].unique().numel() > 1


def test_a_row_is_padded_after_its_end_and_all_stop_with_the_last(decoder, memory):
    endings = iter([[5, 6, EOS], [EOS, 7, 5], [4, EOS, 6], [4, 4, 4]])
    script = decoder.generator
    script.forward = lambda states: torch.nn.functional.one_hot(
        torch.tensor(next(endings)).unsqueeze(1), 9
    )
    expected = [[5, EOS, 0], [6, 7, EOS], [EOS, 0, 0]]
    assert decode(decoder, memory).tolist() == expected
    assert next(endings) == [4, 4, 4]


def test_padding_ends_a_row_too(decoder, memory):
    script = iter([[0, 5, EOS], [6, EOS, 6]])
    decoder.generator.forward = lambda states: torch.nn.functional.one_hot(
        torch.tensor(next(script)).unsqueeze(1), 9
    )
    assert decode(decoder, memory).tolist() == [[0, 0], [5, EOS], [EOS, 0]]


def test_no_row_gets_longer_than_max_length(decoder, memory):
    with torch.no_grad():
        decoder.generator.bias[5] = 99.0
    assert decode(decoder, memory, max_length=2).tolist() == [[5, 5]] * 3
