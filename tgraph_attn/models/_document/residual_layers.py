"""Layers with residuals and norms, and a text read from all its words."""

from typing import Any

import torch
from torch import Tensor
from torch.nn import GELU, Dropout, Identity, LayerNorm, Linear, Module, ModuleList, Sequential
from torch.nn.functional import dropout

from tgraph_attn.models._document.document_convs import document_conv
from tgraph_attn.models._document.documents import Documents
from tgraph_attn.ops.edge_aggregate import edge_aggregate


class ResidualLayers(Module):
    """Layers that each add to the features, and a linear map of three readings of the nodes.

    With F' channels, for each layer::

        x = x + W_o conv(norm(x))
        x = x + feed_forward(norm(x))        if there is one

    then the document node, the mean of the word nodes and their maximum, after a last norm, stand
    side by side. A document without words has zeros for the latter two.

    Args:
        conv: The kind of layer.
        in_channels: Features of a node, F.
        channels: Features of a node between layers, F'.
        num_classes: How many classes, K.
        layers: How many layers.
        heads: How many heads each has.
        feed_forward: The width of the feed-forward part; 0 for none.
        dropout: Chance that an element is set to zero in training: of what a layer adds, and of
            what is read.

    Shapes:
        - **x**: `[N, F]`
        - **output**: `[B, K]`
    """

    def __init__(
        self,
        conv: str,
        in_channels: int,
        channels: int,
        num_classes: int,
        *,
        layers: int,
        heads: int,
        feed_forward: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.dropout = dropout
        self.lin_in = Identity() if in_channels == channels else Linear(in_channels, channels)
        self.norms = ModuleList(LayerNorm(channels) for _ in range(layers))
        self.convs = ModuleList(
            document_conv(conv, channels, channels, heads) for _ in range(layers)
        )
        self.projections = ModuleList(Linear(channels, channels) for _ in range(layers))
        self.feed_forwards = ModuleList(
            _feed_forward(channels, feed_forward, dropout) if feed_forward else Identity()
            for _ in range(layers)
        )
        self.has_feed_forward = feed_forward > 0
        self.norm = LayerNorm(channels)
        self.lin_out = Linear(3 * channels, num_classes)

    def forward(self, x: Tensor, documents: Documents, given: dict[str, Any]) -> Tensor:
        """Return the logits of each document; given is what each layer takes beside x."""
        p, training = self.dropout, self.training
        x = self.lin_in(x)
        for norm, conv, projection, feed_forward in zip(
            self.norms, self.convs, self.projections, self.feed_forwards, strict=True
        ):
            x = x + dropout(projection(conv(norm(x), **given)), p, training)
            if self.has_feed_forward:
                x = x + dropout(feed_forward(x), p, training)
        read = read_nodes(self.norm(x), documents)
        out: Tensor = self.lin_out(dropout(read, p, training))
        return out


def read_nodes(x: Tensor, documents: Documents) -> Tensor:
    """Return the document node, the mean and the maximum of the words, `[B, 3 F]`."""
    size = len(documents.document_index)
    of_words = [
        edge_aggregate(x, documents.word_edges, reduce=reduce, num_queries=size)
        for reduce in ("mean", "max")
    ]
    return torch.cat([x[documents.document_index], *of_words], dim=1)


def _feed_forward(channels: int, width: int, p: float) -> Sequential:
    return Sequential(
        LayerNorm(channels), Linear(channels, width), GELU(), Dropout(p), Linear(width, channels)
    )
