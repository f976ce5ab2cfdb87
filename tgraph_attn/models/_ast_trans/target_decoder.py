"""From the nodes of a tree and the words so far to the next word."""

import torch
from torch import Tensor
from torch.nn import (
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    Module,
    TransformerDecoder,
    TransformerDecoderLayer,
)

from tgraph_attn.models._tree.positions import sinusoidal_positions
from tgraph_attn.models._xavier import xavier


class TargetDecoder(Module):
    """Attend to the words so far and to the nodes of the tree; torch's decoder, pre-norm, GELU.

    The embedding of a word is a lookup plus sinusoidal positions, LayerNorm and dropout. The
    `generator` that turns states into logits has weights of its own.

    Args:
        num_words: Size of the vocabulary, V.
        channels: Features of a word and of a node, F.
        heads: Heads of each attention.
        layers: How many layers.
        hidden: Width of their feed-forward nets.
        dropout: Chance that a number is set to zero in training.
        max_length: How many words a sequence has at most.

    Shapes:
        - **words**: `[B, L]` int64 in `[0, V)`, L at most max_length; the first is `<bos>`
        - **memory**: `[B, N, F]` the nodes of each tree, padded to the largest
        - **is_node**: `[B, N]` bool; False where there is padding
        - **output**: `[B, L, F]` the states, of which `generator` makes logits `[B, L, V]`
    """

    def __init__(
        self,
        num_words: int,
        channels: int,
        *,
        heads: int,
        layers: int,
        hidden: int,
        dropout: float,
        max_length: int,
    ) -> None:
        super().__init__()
        self.embedding = Embedding(num_words, channels)
        positions = sinusoidal_positions(max_length, channels)
        self.register_buffer("positions", positions, persistent=False)
        self.norm_embedding = LayerNorm(channels)
        self.dropout = Dropout(dropout)
        layer = TransformerDecoderLayer(
            channels, heads, hidden, dropout, "gelu", batch_first=True, norm_first=True
        )
        self.stack = TransformerDecoder(layer, layers)
        self.norm = LayerNorm(channels)
        self.generator = Linear(channels, num_words)
        xavier(self)

    positions: Tensor

    def forward(self, words: Tensor, memory: Tensor, is_node: Tensor) -> Tensor:
        """Return the state after each word, `[B, L, F]`."""
        length = words.size(1)
        later = torch.ones(length, length, dtype=torch.bool, device=words.device).triu(1)
        x = self.stack(
            self.embed(words),
            memory,
            tgt_mask=later,
            tgt_is_causal=True,
            memory_key_padding_mask=~is_node,
        )
        return self.norm(x)

    def embed(self, words: Tensor, first: int = 0) -> Tensor:
        """Return what enters the stack, `[B, L, F]`, for words that stand at `first` and after."""
        x = self.embedding(words) + self.positions[first : first + words.size(1)]
        return self.dropout(self.norm_embedding(x))
