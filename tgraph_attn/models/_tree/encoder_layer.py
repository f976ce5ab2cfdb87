"""One layer of an encoder, around whatever lets nodes see each other."""

from collections.abc import Callable

from torch import Tensor
from torch.nn import GELU, Dropout, LayerNorm, Linear, Module, Sequential


class EncoderLayer(Module):
    """Add to x what nodes see in each other, then what a feed-forward net makes of each.

    With the norm before each part (pre-norm)::

        x = x + dropout(output(attend(norm_attend(x))))
        x = x + dropout(forward(norm_forward(x)))        forward: Linear, GELU, dropout, Linear

    `attend` comes with each call: it holds the edges, and has parameters of its own.

    Args:
        channels: Features of a node, F.
        hidden: Width of the feed-forward net.
        dropout: Chance that a number is set to zero in training.

    Shapes:
        - **x**, **output**: `[N, F]`; `attend` maps `[N, F]` to `[N, F]`
    """

    def __init__(self, channels: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.norm_attend = LayerNorm(channels)
        self.output = Linear(channels, channels)
        self.norm_forward = LayerNorm(channels)
        self.feed_forward = Sequential(
            Linear(channels, hidden), GELU(), Dropout(dropout), Linear(hidden, channels)
        )
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, attend: Callable[[Tensor], Tensor]) -> Tensor:
        """Return the new node features, `[N, F]`."""
        x = x + self.dropout(self.output(attend(self.norm_attend(x))))
        return x + self.dropout(self.feed_forward(self.norm_forward(x)))
