"""Two layers and nothing else, read at the document node."""

from typing import Any

from torch import Tensor
from torch.nn import Module, ModuleList
from torch.nn.functional import dropout, relu

from tgraph_attn.models._document.document_convs import document_conv
from tgraph_attn.models._document.documents import Documents


class PlainLayers(Module):
    """Two layers, with dropout before each and ReLU between them.

    With A the matrix of the layer, on which kinds differ::

        h = relu(A x W_1)        out = A h W_2        read at the document node

    Args:
        conv: The kind of layer.
        in_channels: Features of a node, F.
        channels: Features after the first layer.
        num_classes: How many classes, K.
        heads: How many heads the first layer has; the second has one.
        dropout: Chance that an element is set to zero in training.

    Shapes:
        - **x**: `[N, F]`
        - **output**: `[B, K]`

    Source:
        The pair of Jiang et al., with the sizes of Text-GCN.
    """

    def __init__(
        self,
        conv: str,
        in_channels: int,
        channels: int,
        num_classes: int,
        *,
        heads: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.dropout = dropout
        self.convs = ModuleList(
            [
                document_conv(conv, in_channels, channels, heads),
                document_conv(conv, channels, num_classes, 1),
            ]
        )

    def forward(self, x: Tensor, documents: Documents, given: dict[str, Any]) -> Tensor:
        """Return the logits of each document; given is what each layer takes beside x."""
        first, second = self.convs
        x = dropout(x, self.dropout, self.training)
        x = relu(first(x, **given))
        x = dropout(x, self.dropout, self.training)
        out: Tensor = second(x, **given)
        return out[documents.document_index]


def check_plain(owner: str, layers: int, feed_forward: int) -> None:
    """Raise ValueError unless these are the settings that plain layers have."""
    if (layers, feed_forward) != (2, 0):
        raise ValueError(
            f'{owner}: the skeleton "plain" must have 2 layers and no feed_forward, but got '
            f'{layers} and {feed_forward}. Pass skeleton="residual" for others.'
        )
