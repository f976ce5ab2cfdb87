"""Names at the right ends of lines, for which no legend is needed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tgraph_attn.viz._style import INK, LINE, MUTED


def style_axes(axes: Any, title: str | None) -> None:
    """Give axes the look of all pictures of lines: a grid of values, a line below, a title."""
    axes.grid(axis="y", color=LINE, linewidth=0.6, alpha=0.6)
    axes.tick_params(which="both", colors=MUTED, labelsize=8, length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    if title is not None:
        look: dict[str, Any] = {"fontsize": 11, "fontweight": "bold", "color": INK}
        axes.set_title(title, loc="left", pad=10, parse_math=False, **look)


def write_ends(axes: Any, ends: Sequence[tuple[str, float, str]]) -> None:
    """Write each name to the right of where its line ends, and none over another."""
    low, high = axes.get_ylim()
    height = axes.get_window_extent().height / axes.figure.dpi * 72  # points
    wanted = np.array([(value - low) / (high - low) * height for _, value, _ in ends])
    for (name, value, color), at in zip(ends, apart(wanted, 12.0), strict=True):
        axes.annotate(
            name,
            xy=(1, (value - low) / (high - low)),
            xycoords="axes fraction",
            xytext=(14, at - (value - low) / (high - low) * height),
            textcoords="offset points",
            color=color,
            fontsize=9,
            va="center",
            parse_math=False,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.6, "shrinkB": 3},
        )


def apart(wanted: NDArray[np.float64], least: float) -> NDArray[np.float64]:
    """Return places that are at least so far apart, in the same order, near the wanted ones.

    Neighbours that are too near are put together, in the middle of what they want, until none are.
    """
    order = np.argsort(wanted, kind="stable")
    groups: list[list[int]] = []
    for item in order.tolist():
        groups.append([item])
        while len(groups) > 1 and _first(wanted, groups[-1], least) < least + _last(
            wanted, groups[-2], least
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = np.empty_like(wanted)
    for group in groups:
        places[group] = _first(wanted, group, least) + least * np.arange(len(group))
    return places


def _first(wanted: NDArray[np.float64], group: list[int], least: float) -> float:
    return float(wanted[group].mean()) - least * (len(group) - 1) / 2


def _last(wanted: NDArray[np.float64], group: list[int], least: float) -> float:
    return float(wanted[group].mean()) + least * (len(group) - 1) / 2
