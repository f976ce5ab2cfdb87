"""From node ids to what each node is in its tree."""

from collections.abc import Callable, Sequence

from torch import Tensor
from torch.nn import Dropout, Embedding, LayerNorm, Module, ModuleList

from tgraph_attn.models._tree.encoder_layer import EncoderLayer
from tgraph_attn.models._tree.positions import sinusoidal_positions
from tgraph_attn.models._xavier import xavier


class NodeEncoder(Module):
    """Embed each node's id, then run the layers; where a node stands, their edges say.

    The embedding is a lookup, LayerNorm and dropout; LayerNorm ends the stack. For sequences, which
    have no edges, a node's place may be added to what was looked up.

    Args:
        num_words: Size of the vocabulary.
        channels: Features of a node, F.
        layers: How many layers.
        hidden: Width of their feed-forward nets.
        dropout: Chance that a number is set to zero in training.

    Shapes:
        - **x**: `[N]` int64 in `[0, num_words)`
        - **place**: `[N]` int64, or None
        - **attend**: for each layer, a map of `[N, F]` to `[N, F]`
        - **output**: `[N, F]`
    """

    def __init__(
        self, num_words: int, channels: int, *, layers: int, hidden: int, dropout: float
    ) -> None:
        super().__init__()
        self.embedding = Embedding(num_words, channels)
        self.norm_embedding = LayerNorm(channels)
        self.dropout = Dropout(dropout)
        self.layers = ModuleList(EncoderLayer(channels, hidden, dropout) for _ in range(layers))
        self.norm = LayerNorm(channels)
        xavier(self)

    def forward(
        self,
        x: Tensor,
        attend: Sequence[Callable[[Tensor], Tensor]],
        place: Tensor | None = None,
    ) -> Tensor:
        """Return the features of each node, `[N, F]`."""
        x = self.embedding(x)
        if place is not None and len(place):
            waves = sinusoidal_positions(int(place.max()) + 1, x.size(1))
            x = x + waves.to(x)[place]
        x = self.dropout(self.norm_embedding(x))
        for layer, layer_attends in zip(self.layers, attend, strict=True):
            x = layer(x, layer_attends)
        return self.norm(x)
