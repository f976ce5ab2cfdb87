"""The two skeletons around the layers of a document."""

from collections.abc import Mapping

from tgraph_attn._checks import check_choice
from tgraph_attn.models._document.plain_layers import PlainLayers, check_plain
from tgraph_attn.models._document.residual_layers import ResidualLayers


def skeleton_layers(
    skeleton: str, conv: str, num_classes: int, sizes: Mapping[str, int], dropout: float
) -> PlainLayers | ResidualLayers:
    """Return the layers, from the first features of nodes to the logits of documents.

    Args:
        skeleton: "plain" or "residual".
        conv: The kind of layer.
        num_classes: How many classes, K.
        sizes: word_channels, channels, layers, heads and feed_forward, as `DocumentGNN` has them.
        dropout: Chance that a feature is set to zero in training.

    Raises:
        ValueError: The skeleton is unknown, or plain with more than it has.
    """
    check_choice("DocumentGNN", "skeleton", skeleton, ("plain", "residual"))
    width = (conv, sizes["word_channels"], sizes["channels"], num_classes)
    layers, heads, feed_forward = (sizes[name] for name in ("layers", "heads", "feed_forward"))
    if skeleton == "residual":
        return ResidualLayers(
            *width, layers=layers, heads=heads, feed_forward=feed_forward, dropout=dropout
        )
    check_plain("DocumentGNN", layers, feed_forward)
    return PlainLayers(*width, heads=heads, dropout=dropout)
