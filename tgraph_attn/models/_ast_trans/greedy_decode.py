"""Writing the likeliest word, one after the other."""

import torch
from torch import Tensor

from tgraph_attn.models._ast_trans.cached_decoder import CachedDecoder
from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder
from tgraph_attn.vocab import Vocab


def greedy_decode(
    decoder: TargetDecoder, memory: Tensor, is_node: Tensor, *, bos: int, eos: int, max_length: int
) -> Tensor:
    """Return for each tree the likeliest next word, again and again, up to `<eos>`.

    It equals the argmax of the decoder on all words so far, but looks at each word and at each node
    once: a layer keeps the keys and values of both. The decoder has to be in evaluation mode.

    Args:
        decoder: The decoder.
        memory: The nodes of each tree.
        is_node: Where there is no padding.
        bos: The word before the first.
        eos: The word that ends a sequence; padding ends it too.
        max_length: How many words to write at most.

    Shapes:
        - **memory**: `[B, N, F]`; **is_node**: `[B, N]` bool
        - **output**: `[B, L]` int64, 0 after the end; L as the longest, at most max_length
    """
    cached, kept = CachedDecoder(decoder, memory, is_node), _Kept()
    word = torch.full((memory.size(0), 1), bos, device=memory.device)
    ended = torch.zeros_like(word, dtype=torch.bool)
    words = []
    for place in range(max_length):
        word = cached.step(word, place, kept.update).argmax(-1)
        word = word.masked_fill(ended, Vocab.PAD)
        words.append(word)
        ended = ended | (word == eos) | (word == Vocab.PAD)
        if ended.all():
            break
    return torch.cat(words, dim=1)


class _Kept:
    """The keys and values of the words so far, for each layer."""

    def __init__(self) -> None:
        self.of_layer: dict[int, tuple[Tensor, Tensor]] = {}

    def update(self, key: Tensor, value: Tensor, layer: int) -> tuple[Tensor, Tensor]:
        if layer in self.of_layer:
            before = self.of_layer[layer]
            key, value = torch.cat([before[0], key], 2), torch.cat([before[1], value], 2)
        self.of_layer[layer] = key, value
        return key, value
