"""A picture of how models learn."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tgraph_attn._optional import require
from tgraph_attn.viz._line_ends import style_axes, write_ends
from tgraph_attn.viz._style import MARKERS, MUTED, SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure


def draw_learning_curves(
    curves: Mapping[str, Sequence[float]],
    *,
    references: Mapping[str, float] | None = None,
    xlabel: str = "epoch",
    title: str | None = None,
    figure: "Figure | SubFigure | None" = None,
) -> "Figure":
    """Draw one curve for each model, with its name at its end, and dashed lines to compare with.

    Args:
        curves: For each name the value after each epoch, from the first on.
        references: Values that do not change, such as that of a baseline.
        xlabel: What is counted below.
        title: What the values are, and of what.
        figure: The figure, or part of one, to draw in; by default, a new one.

    Returns:
        The whole figure; `figure.savefig("curves.png")` writes it.

    Raises:
        ImportError: matplotlib is not installed (extra `viz`).
        ValueError: There is no curve, one is empty, or there are more than 7.

    Examples:
        >>> from tgraph_attn.viz import draw_learning_curves
        >>> curves = {"tree": [0.1, 0.3, 0.4], "gcn": [0.1, 0.2, 0.3]}
        >>> figure = draw_learning_curves(curves, references={"guess": 0.05}, title="F1")
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['tree', 'gcn', 'guess']
    """
    require("draw_learning_curves", "matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    lengths = {name: len(values) for name, values in curves.items()}
    if not 1 <= len(curves) <= len(SERIES) or 0 in lengths.values():
        raise ValueError(
            f"draw_learning_curves: curves must be 1 to {len(SERIES)}, of at least one value each, "
            f"but have {lengths} values. Leave some out, or draw them in another picture."
        )
    references = {} if references is None else references
    figure = Figure(figsize=(7.2, 3.6)) if figure is None else figure
    dpi = figure.dpi
    wide, high = figure.bbox.width / dpi, figure.bbox.height / dpi
    names = 0.4 + 0.075 * max(map(len, (*curves, *references)))  # inches, like all that follow
    inside = max(wide - 0.6 - names, 0.3 * wide), max(high - 1.1, 0.3 * high)
    axes = figure.add_axes((0.6 / wide, 0.55 / high, inside[0] / wide, inside[1] / high))
    ends: list[tuple[str, float, str]] = []
    for (name, values), color, marker in zip(curves.items(), SERIES, MARKERS, strict=False):
        at = range(1, len(values) + 1)
        axes.plot(
            at, values, color=color, marker=marker, markersize=4, linewidth=1.6, clip_on=False
        )
        ends.append((name, values[-1], color))
    for name, value in references.items():
        axes.axhline(value, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        ends.append((name, value, MUTED))

    axes.set_xlim(1, max(*lengths.values(), 1.5))
    axes.margins(y=0.08)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
    axes.set_xlabel(xlabel, color=MUTED, fontsize=9)
    style_axes(axes, title)
    write_ends(axes, ends)
    return figure.figure
