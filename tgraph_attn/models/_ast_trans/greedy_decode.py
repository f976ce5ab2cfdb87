"""Writing the likeliest word, one after the other."""

import torch
from torch import Tensor
from torch.nn import TransformerDecoderLayer
from torch.nn.functional import linear, scaled_dot_product_attention

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
    layers = [_CachedLayer(layer, memory, is_node) for layer in decoder.stack.layers]
    word = torch.full((memory.size(0), 1), bos, device=memory.device)
    ended = torch.zeros_like(word, dtype=torch.bool)
    words = []
    for place in range(max_length):
        x = decoder.embed(word, place)  # [B, 1, F]
        for layer in layers:
            x = layer.step(x)
        word = decoder.generator(decoder.norm(x)).argmax(-1)
        word = word.masked_fill(ended, Vocab.PAD)
        words.append(word)
        ended = ended | (word == eos) | (word == Vocab.PAD)
        if ended.all():
            break
    return torch.cat(words, dim=1)


class _CachedLayer:
    """A layer of torch's decoder that is given one word after the other."""

    def __init__(self, layer: TransformerDecoderLayer, memory: Tensor, is_node: Tensor) -> None:
        self.layer = layer
        self.heads = layer.self_attn.num_heads
        self.mask = None if is_node.all() else is_node[:, None, None]  # [B, 1, 1, N]
        cross, channels = layer.multihead_attn, memory.size(2)
        weight, bias = cross.in_proj_weight, cross.in_proj_bias
        self.query_weight, self.query_bias = weight[:channels], bias[:channels]
        key_value = linear(memory, weight[channels:], bias[channels:])
        self.key, self.value = self._split(key_value, 2)  # of the nodes
        self.word_key, self.word_value = self.key[:, :, :0], self.value[:, :, :0]

    def step(self, x: Tensor) -> Tensor:
        """Return what the layer makes of the next word, `[B, 1, F]`."""
        layer, own = self.layer, self.layer.self_attn
        projected = linear(layer.norm1(x), own.in_proj_weight, own.in_proj_bias)
        query, key, value = self._split(projected, 3)
        self.word_key = torch.cat([self.word_key, key], dim=2)
        self.word_value = torch.cat([self.word_value, value], dim=2)
        seen = scaled_dot_product_attention(query, self.word_key, self.word_value)
        x = x + own.out_proj(self._join(seen))

        (query,) = self._split(linear(layer.norm2(x), self.query_weight, self.query_bias), 1)
        seen = scaled_dot_product_attention(query, self.key, self.value, self.mask)
        x = x + layer.multihead_attn.out_proj(self._join(seen))
        return x + layer.linear2(layer.activation(layer.linear1(layer.norm3(x))))

    def _split(self, x: Tensor, parts: int) -> list[Tensor]:
        """Return `parts` tensors `[B, H, L, C]` of one `[B, L, parts * H * C]`."""
        shaped = x.view(*x.shape[:2], parts, self.heads, -1)
        return list(shaped.permute(2, 0, 3, 1, 4).contiguous())

    def _join(self, x: Tensor) -> Tensor:
        return x.transpose(1, 2).flatten(2)
