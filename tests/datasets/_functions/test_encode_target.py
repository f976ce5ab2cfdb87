import pytest
import torch

from tgraph_attn.datasets._functions.encode_target import BOS, EOS, encode_target
from tgraph_attn.vocab import Vocab

VOCAB = Vocab.build(["get", "name"], specials=[BOS, EOS])  # get is 4, name 5


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["get", "name"], [4, 5, 3, 0, 0]),
        (["set", "name"], [1, 5, 3, 0, 0]),
        (["get"] * 9, [4, 4, 4, 4, 3]),
        ([], [3, 0, 0, 0, 0]),
    ],
)
def test_words_end_and_are_padded_or_cut(words, ids):
    target = encode_target(words, VOCAB, 5)
    assert target.tolist() == [ids] and target.dtype == torch.int64


def test_the_word_that_ends_is_always_there():
    assert encode_target(["get", "name"], VOCAB, 1).tolist() == [[3]]
