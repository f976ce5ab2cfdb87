"""A decoder that is given one word after the other."""

from collections.abc import Callable

from torch import Tensor
from torch.nn import TransformerDecoderLayer
from torch.nn.functional import linear, scaled_dot_product_attention

from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder

# Keeps the keys and values of one more word of a layer, and returns those of all its words.
Keep = Callable[[Tensor, Tensor, int], tuple[Tensor, Tensor]]


class CachedDecoder:
    """Tell the logits of the next word, but look at each word and at each node once.

    It equals the decoder on all words so far; that has to be in evaluation mode. Of each tree there
    may be several sequences, one beside the other: they see the same nodes.

    Args:
        decoder: The decoder.
        memory: The nodes of each tree.
        is_node: Where there is no padding.

    Shapes:
        - **memory**: `[B, N, F]`; **is_node**: `[B, N]` bool
    """

    def __init__(self, decoder: TargetDecoder, memory: Tensor, is_node: Tensor) -> None:
        self.decoder = decoder
        self.layers = [_CachedLayer(layer, memory, is_node) for layer in decoder.stack.layers]

    def step(self, word: Tensor, place: int, keep: Keep) -> Tensor:
        """Return the logits of the word behind each of these.

        Args:
            word: The last word of each sequence; those of one tree are neighbours.
            place: How many words are before it.
            keep: Is given the keys and values of these words, `[B * K, H, 1, C]`, and the number of
                the layer, and returns them behind those of the words before, `[B * K, H, L, C]`.

        Shapes:
            - **word**: `[B * K, 1]` int64
            - **output**: `[B * K, 1, V]`
        """
        x = self.decoder.embed(word, place)  # [B * K, 1, F]
        for number, layer in enumerate(self.layers):
            x = layer.step(x, number, keep)
        logits: Tensor = self.decoder.generator(self.decoder.norm(x))
        return logits


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

    def step(self, x: Tensor, number: int, keep: Keep) -> Tensor:
        """Return what the layer makes of the next word, `[B * K, 1, F]`."""
        layer, own = self.layer, self.layer.self_attn
        projected = linear(layer.norm1(x), own.in_proj_weight, own.in_proj_bias)
        query, key, value = self._split(projected, 3)
        seen = scaled_dot_product_attention(query, *keep(key, value, number))
        x = x + own.out_proj(self._join(seen))

        # To the nodes the sequences of one tree are K queries, so that nodes are not repeated.
        asked = linear(layer.norm2(x), self.query_weight, self.query_bias)
        (query,) = self._split(asked.view(self.key.size(0), -1, x.size(2)), 1)  # [B, H, K, C]
        seen = scaled_dot_product_attention(query, self.key, self.value, self.mask)
        x = x + layer.multihead_attn.out_proj(self._join(seen).view(x.shape))
        return x + layer.linear2(layer.activation(layer.linear1(layer.norm3(x))))

    def _split(self, x: Tensor, parts: int) -> list[Tensor]:
        """Return `parts` tensors `[B, H, L, C]` of one `[B, L, parts * H * C]`."""
        shaped = x.view(*x.shape[:2], parts, self.heads, -1)
        return list(shaped.permute(2, 0, 3, 1, 4).contiguous())

    def _join(self, x: Tensor) -> Tensor:
        return x.transpose(1, 2).flatten(2)
