"""A picture of a tree, and of what its nodes attend to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from torch_geometric.data import Data

from tgraph_attn._checks import check_fraction, check_integers, check_strings
from tgraph_attn._optional import require
from tgraph_attn.convert.data_to_tree import data_to_tree
from tgraph_attn.tree import Tree
from tgraph_attn.viz._tidy_layout import tidy_layout
from tgraph_attn.viz._tree_artists import (
    box_width,
    draw_attention,
    draw_branches,
    draw_head,
    draw_nodes,
    draw_rings,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

_MAX_NODES = 1_000
_ENLARGED = 1.25  # at most, in a figure with room
_GAP, _LEVEL, _MARGIN, _HEAD = 0.12, 0.55, 0.15, 0.75  # inches


def draw_tree(
    tree: Tree | Data,
    labels: Sequence[str] | None = None,
    attention: tuple[Any, Any] | None = None,
    *,
    min_weight: float = 0.1,
    title: str | None = None,
    figure: "Figure | SubFigure | None" = None,
) -> "Figure":
    """Draw a tree from top to bottom, and the attention of one head as curves on it.

    A curve leads from a key j to the query i that attends to it; the greater the weight, the wider
    and darker it is. A frame around a node is the attention that it pays to itself.

    Args:
        tree: The tree, or a graph with a parent_index.
        labels: What to write at each node; `tree.labels` by default.
        attention: The edges and the weight of each, such as
            `(edge_index, alpha[:, head])` of what a layer gives with `return_attention_weights`.
        min_weight: Lesser weights are not drawn, and the legend says so.
        title: What to write above it.
        figure: The figure, or part of one, to draw in, as large as fits. By default, a new one of
            the size that the tree needs.

    Shapes:
        - **edge_index**: `[2, E]`, row 0 the key j, row 1 the query i
        - **weight**: `[E]`, each in [0, 1]

    Returns:
        The whole figure; `figure.savefig("tree.png")` writes it.

    Raises:
        ImportError: matplotlib is not installed (extra `viz`).
        ValueError: There are more than 1,000 nodes, labels or weights are not as many as nodes or
            edges, an edge joins what is no node, or a weight is not in [0, 1].

    Examples:
        >>> from tgraph_attn.tree import Tree
        >>> from tgraph_attn.viz import draw_tree
        >>> tree = Tree([-1, 0, 0], text=["sum", "x", "y"])
        >>> figure = draw_tree(tree, attention=([[1, 2], [0, 0]], [0.9, 0.1]), title="A sum")
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['sum', 'x', 'y', 'A sum']
    """
    require("draw_tree", "matplotlib")
    from matplotlib.figure import Figure

    check_fraction("draw_tree", min_weight=min_weight)
    tree = data_to_tree(tree) if isinstance(tree, Data) else tree
    n = tree.num_nodes
    if n > _MAX_NODES:
        raise ValueError(
            f"draw_tree: a picture may have at most {_MAX_NODES:,} nodes, but this tree has {n:,}. "
            "Cut it with tree.truncate(n), or take a tree.subtree(node)."
        )
    given = tree.labels if labels is None else labels
    words: list[str] = check_strings("draw_tree", "labels", given, n, "").tolist()
    edges = None if attention is None else _strong(*attention, n, min_weight)

    width = box_width(words)
    across = tidy_layout(tree.parent, width + _GAP)
    place = np.stack([across + _MARGIN - _GAP / 2, _HEAD + _LEVEL * tree.depth], axis=1)
    right = float((place[:, 0] + width / 2).max()) + _MARGIN
    least = 5.6 if edges is not None else 0.0
    need = max(right, least, 0.11 * len(title or "")), float(place[:, 1].max()) + 0.3

    if figure is None:
        figure = Figure(figsize=need)
    have = np.array([figure.bbox.width, figure.bbox.height]) / figure.dpi
    scale = float(min(_ENLARGED, *(have / np.array(need))))
    wide, high = scale * np.array(need) / have
    axes = figure.add_axes((0, 1 - high, wide, high))
    axes.set(xlim=(0, need[0]), ylim=(need[1], 0))
    axes.set_axis_off()
    draw_branches(axes, tree.parent, place, scale)
    draw_nodes(axes, words, tree.subtree_size == 1, place, scale)
    note = None
    if edges is not None:
        (key, query), weight = edges
        own = np.zeros(n)
        own[query[key == query]] = weight[key == query]
        draw_attention(axes, place, edges[0], weight, scale)
        draw_rings(axes, words, place, own, scale)
        note = f"attention, from key to query: the wider the more, below {min_weight:g} not drawn"
    draw_head(axes, title, note, scale)
    return figure.figure


def _strong(
    edge_index: Any, weight: Any, num_nodes: int, min_weight: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the edges that weigh enough, the least first, or raise."""
    index = check_integers("draw_tree", "edge_index", edge_index, (2, None))
    weights = np.asarray(weight, float)
    if weights.shape != index.shape[1:]:
        raise ValueError(
            f"draw_tree: there must be one weight for each of the {index.shape[1]} edges, but "
            f"their shape is {list(weights.shape)}. Pass one head, such as alpha[:, 0]."
        )
    for name, values, limit in (
        ("edge_index", index, num_nodes - 1),
        ("weight", weights, 1 + 1e-5),
    ):
        if values.size and not 0 <= values.min() <= values.max() <= limit:
            raise ValueError(
                f"draw_tree: {name} must be in [0, {limit:.0f}], but ranges from {values.min()} to "
                f"{values.max()}. Pass the attention of this one tree, not of a batch."
            )
    kept = np.flatnonzero(weights >= min_weight)
    kept = kept[np.argsort(weights[kept], kind="stable")]
    return index[:, kept], weights[kept].clip(max=1.0)
