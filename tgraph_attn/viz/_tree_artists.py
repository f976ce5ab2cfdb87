"""The parts of a picture of a tree; lengths are in inches, before the picture is scaled."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tgraph_attn.viz._style import ACCENT, INK, LINE, MONOSPACE, MONOSPACE_WIDTH, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SIZE = 8.0  # of the type, in points
_PAD, _HALF = 0.05, 0.085  # between a label and its box; half the height of a box


def box_width(words: list[str]) -> Floats:
    """Return how wide the box around each label is, `[N]`."""
    return 2 * _PAD + np.array([len(word) for word in words]) * SIZE / 72 * MONOSPACE_WIDTH


def draw_branches(axes: "Axes", parent: Integers, place: Floats, scale: float) -> None:
    """Draw a line from each parent to each of its children."""
    from matplotlib.collections import LineCollection

    down = np.array([0, _HALF])
    lines = np.stack([place[parent[1:]] + down, place[1:] - down], axis=1)
    axes.add_collection(LineCollection(list(lines), colors=LINE, linewidths=0.9 * scale, zorder=1))


def draw_attention(
    axes: "Axes", place: Floats, edge_index: Integers, weight: Floats, scale: float
) -> None:
    """Draw a curve from each key to each other node that attends to it, the query."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    for (key, query), w in zip(edge_index.T.tolist(), weight.tolist(), strict=True):
        if key != query:
            path = Path(_curve(place[key], place[query]), codes)
            look: dict[str, Any] = {
                "color": ACCENT,
                "alpha": 0.2 + 0.7 * w,
                "linewidth": (0.4 + 2.4 * w) * scale,
            }
            head: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": (4 + 4 * w) * scale}
            axes.add_patch(FancyArrowPatch(path=path, zorder=2, **head, **look))


def _curve(begin: Floats, end: Floats) -> list[Floats]:
    """Return the points of a curve from box to box: up and down on different sides, or above."""
    across, down = end - begin
    if down == 0:
        rise = np.array([0, -min(0.12 + 0.12 * abs(across), 0.4)])
        begin, end = begin - (0, _HALF), end - (0, _HALF)
        return [begin, begin + rise, end + rise, end]
    toward = np.array([0, np.sign(down) * _HALF])
    begin, end = begin + toward, end - toward
    aside = np.array([0.1 + 0.06 * abs(down), 0]) * (1 if down > 0 else -1)
    return [begin, begin + (end - begin) * 0.3 + aside, begin + (end - begin) * 0.7 + aside, end]


def draw_nodes(
    axes: "Axes", words: list[str], is_leaf: NDArray[np.bool_], place: Floats, scale: float
) -> None:
    """Draw the label of each node on a white box; leaves in black."""
    from matplotlib.patches import Rectangle

    for word, leaf, (x, y), width in zip(words, is_leaf, place, box_width(words), strict=True):
        corner = x - width / 2, y - _HALF
        box = Rectangle(corner, width, 2 * _HALF, facecolor="white", alpha=0.9, zorder=3)
        axes.add_patch(box)
        look: dict[str, Any] = {"family": MONOSPACE, "fontsize": SIZE * scale, "ha": "center"}
        look |= {"color": INK if leaf else MUTED, "va": "center_baseline", "parse_math": False}
        axes.text(x, y, word, zorder=5, **look)


def draw_rings(axes: "Axes", words: list[str], place: Floats, weight: Floats, scale: float) -> None:
    """Draw a frame around each node that attends to itself: weight is 0 where there is none."""
    from matplotlib.patches import FancyBboxPatch

    widths = box_width(words)
    for node in np.flatnonzero(weight).tolist():
        (x, y), width, w = place[node], widths[node], weight[node]
        look: dict[str, Any] = {
            "edgecolor": ACCENT,
            "alpha": 0.2 + 0.7 * w,
            "linewidth": (0.4 + 1.6 * w) * scale,
        }
        box = FancyBboxPatch(
            (x - width / 2 + 0.02, y - _HALF + 0.02),
            width - 0.04,
            2 * _HALF - 0.04,
            boxstyle="round,pad=0.02",
            facecolor="none",
            zorder=4,
            **look,
        )
        axes.add_patch(box)


def draw_head(axes: "Axes", title: str | None, note: str | None, scale: float) -> None:
    """Draw the title, and what the signs mean; note is on attention, if there is any."""
    from matplotlib.lines import Line2D

    left, top = 0.15, 0.22
    if title is not None:
        look: dict[str, Any] = {"fontsize": 11 * scale, "fontweight": "bold", "color": INK}
        axes.text(left, top, title, va="center", parse_math=False, **look)
    if note is not None:
        frame: dict[str, Any] = {"marker": "s", "markersize": 7 * scale, "markerfacecolor": "none"}
        arrow: dict[str, Any] = {"marker": ">", "markevery": [1], "markersize": 4 * scale}
        axes.legend(
            [
                Line2D([], [], color=LINE, linewidth=0.9 * scale),
                Line2D([], [], color=ACCENT, linewidth=2 * scale, **arrow),
                Line2D([], [], color=ACCENT, linestyle="none", markeredgewidth=scale, **frame),
            ],
            ["edge of the tree", note, "a node's attention to itself"],
            loc="upper left",
            bbox_to_anchor=(left, top + 0.12),
            bbox_transform=axes.transData,
            ncols=3,
            frameon=False,
            borderpad=0,
            borderaxespad=0,
            fontsize=SIZE * scale,
            labelcolor=MUTED,
        )
