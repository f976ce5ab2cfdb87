"""The words to say of a function, as a model learns to write them."""

from collections.abc import Sequence

import torch
from torch import Tensor

from tgraph_attn.vocab import Vocab

BOS, EOS = "<bos>", "<eos>"


def encode_target(words: Sequence[str], vocab: Vocab, max_target: int) -> Tensor:
    """Return the ids of the first words, then `<eos>`, then padding, `[1, max_target]` int64."""
    ids = vocab.encode([*words[: max_target - 1], EOS])
    return torch.tensor([ids + [Vocab.PAD] * (max_target - len(ids))])
