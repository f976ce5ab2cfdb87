"""A picture of how accuracy depends on size."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_positive
from tgraph_attn._optional import require
from tgraph_attn.viz._line_ends import style_axes, write_ends
from tgraph_attn.viz._style import MARKERS, MUTED, SERIES

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

Floats = NDArray[np.float64]


def draw_accuracy_by_size(
    sizes: ArrayLike,
    correct: Mapping[str, ArrayLike],
    *,
    bins: int = 8,
    xlabel: str = "nodes",
    title: str | None = None,
    figure: "Figure | SubFigure | None" = None,
) -> "Figure":
    """Draw the accuracy of each model on groups of items from small to large.

    The groups are of about as many items each; items of one size are in one group, so there may
    be fewer groups than asked for. A point is at the mean size of its group. The thin line through
    it is one standard error to each side, as far as it comes from which items are in the group: for
    one run with accuracy p on n items, sqrt(p (1 - p) / n). Between two models the gap is shaded,
    in the colour of the better one.

    Args:
        sizes: The size of each item, such as the number of its nodes.
        correct: For each name whether the model is right on each item; or, of several runs, the
            fraction of them that are.
        bins: How many groups.
        xlabel: What the size is.
        title: What to write above it.
        figure: The figure, or part of one, to draw in; by default, a new one.

    Shapes:
        - **sizes**: `[N]`, each above 0
        - each of **correct**: `[N]`, each in [0, 1]

    Returns:
        The whole figure; `figure.savefig("sizes.png")` writes it.

    Raises:
        ImportError: matplotlib is not installed (extra `viz`).
        ValueError: There is no item, there are no models or more than 7, a model has another
            number of items, a size is not above 0, or a number of correct is not in [0, 1].

    Examples:
        >>> from tgraph_attn.viz import draw_accuracy_by_size
        >>> correct = {"gcn": [1, 0, 0, 0], "self_attention": [1, 1, 1, 0]}
        >>> figure = draw_accuracy_by_size([2, 3, 8, 9], correct, bins=2)
        >>> [line.get_ydata().tolist() for line in figure.axes[0].lines[:2]]
        [[50.0, 0.0], [100.0, 50.0]]
    """
    require("draw_accuracy_by_size", "matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, NullLocator

    size, right = _check(sizes, correct)
    check_positive("draw_accuracy_by_size", bins=bins)
    cuts = np.unique(np.quantile(size, np.arange(1, bins) / bins))
    _, group, count = np.unique(np.digitize(size, cuts), return_inverse=True, return_counts=True)
    middle = np.bincount(group, size) / count
    means = {name: np.bincount(group, values) / count for name, values in right.items()}

    figure = Figure(figsize=(7.2, 3.6)) if figure is None else figure
    wide, high = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    names = 0.4 + 0.075 * max(map(len, right))  # inches, like all that follow
    inside = max(wide - 0.75 - names, 0.3 * wide), max(high - 1.15, 0.3 * high)
    axes = figure.add_axes((0.75 / wide, 0.6 / high, inside[0] / wide, inside[1] / high))
    ends = []
    for (name, mean), color, marker in zip(means.items(), SERIES, MARKERS, strict=False):
        axes.plot(middle, 100 * mean, color=color, marker=marker, markersize=4, linewidth=1.6)
        ends.append((name, 100 * float(mean[-1]), color))
        variance = (np.bincount(group, right[name] ** 2) / count - mean**2).clip(min=0)
        look: dict[str, Any] = {"fmt": "none", "ecolor": color, "elinewidth": 0.8, "alpha": 0.6}
        axes.errorbar(middle, 100 * mean, 100 * np.sqrt(variance / count), **look)
    if len(means) == 2:
        first, second = (100 * mean for mean in means.values())
        for color, better in ((SERIES[0], first >= second), (SERIES[1], second >= first)):
            axes.fill_between(
                middle, first, second, where=better, interpolate=True, color=color, alpha=0.15,
                linewidth=0,
            )  # fmt: skip
    axes.set_xscale("log")
    left, last = float(middle[0]), float(middle[-1])
    axes.set_xlim(left / 1.05, last * 1.02 if last > left else left * 1.05)
    shown = _round_ticks(left, last)
    axes.set_xticks(shown, [f"{tick:,.0f}" for tick in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, 0), min(high, 101))
    groups = "1 group" if len(count) == 1 else f"{len(count)} groups"
    items = " to ".join(f"{number:,}" for number in sorted({count.min(), count.max()}))
    axes.set_xlabel(f"{xlabel} ({groups} of {items})", color=MUTED, fontsize=9)
    axes.set_ylabel("accuracy, %", color=MUTED, fontsize=9)
    style_axes(axes, title)
    write_ends(axes, ends)
    return figure.figure


def _round_ticks(left: float, right: float) -> list[float]:
    """Return round numbers in a range, few enough to be read on a scale of ratios."""
    for steps in ((1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7)):
        ticks = [s * 10.0**power for power in range(-1, 9) for s in steps]
        inside = [tick for tick in ticks if left <= tick <= right and tick == round(tick)]
        if len(inside) >= 3:
            return inside
    return sorted({round(left), round(right)})


def _check(sizes: ArrayLike, correct: Mapping[str, ArrayLike]) -> tuple[Floats, dict[str, Floats]]:
    """Return the arguments as float arrays, or raise.

    Raises:
        ValueError: as `draw_accuracy_by_size`.
    """
    owner = "draw_accuracy_by_size"
    size = np.asarray(sizes, float)
    right = {name: np.asarray(values, float) for name, values in correct.items()}
    if not 1 <= len(right) <= len(SERIES):
        raise ValueError(
            f"{owner}: correct must have 1 to {len(SERIES)} models, but has {len(right)}. Leave "
            "some out, or draw them in another picture."
        )
    shapes = {name: list(values.shape) for name, values in right.items()}
    if size.ndim != 1 or not size.size or any(shape != [size.size] for shape in shapes.values()):
        raise ValueError(
            f"{owner}: sizes and each of correct must have one number for each item, but have "
            f"shapes {list(size.shape)} and {shapes}. Pass all of the same items, one or more."
        )
    if not (np.isfinite(size).all() and size.min() > 0):
        raise ValueError(
            f"{owner}: each size must be above 0, but they range from {size.min()} to "
            f"{size.max()}. Count the document node, too."
        )
    for name, values in right.items():
        if not (values.min() >= 0 and values.max() <= 1):
            raise ValueError(
                f"{owner}: each number of correct must be in [0, 1], but those of {name!r} range "
                f"from {values.min()} to {values.max()}. Pass predicted == truth, or its mean over "
                "runs."
            )
    return size, right
