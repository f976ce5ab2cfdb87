"""A picture of which classes are taken for which."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers, check_strings, check_within
from tgraph_attn._optional import require
from tgraph_attn.viz._style import ACCENT, INK, LINE, MUTED, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

_MAX_CLASSES = 200
_RIGHT, _WRONG = SERIES[1], ACCENT
_CHARACTER = 0.6  # about how wide one is, as a part of the size of the type
_TOP, _MARGIN, _COUNTS = 0.95, 0.25, 0.75  # inches: title and legend; around; the column of counts


def draw_confusion(
    truth: ArrayLike,
    predicted: ArrayLike,
    classes: Sequence[str],
    *,
    title: str | None = None,
    figure: "Figure | SubFigure | None" = None,
) -> "Figure":
    """Draw how many items of each class are taken for which: true classes down, predicted across.

    A cell is the darker the larger its part of the items of the true class, its row: blue on the
    diagonal, where the two agree, red elsewhere. Its number of items is written where it fits. At
    the end of a row is how many items there are of its class.

    Args:
        truth: The class of each item, by number.
        predicted: The one that a model says.
        classes: The names, by number, K.
        title: What to write above it.
        figure: The figure, or part of one, to draw in, as large as fits. By default, a new one of
            the size that the classes need.

    Shapes:
        - **truth**, **predicted**: `[N]` integers, each in `[0, K)`

    Returns:
        The whole figure; `figure.savefig("confusion.png")` writes it.

    Raises:
        ImportError: matplotlib is not installed (extra `viz`).
        TypeError: truth or predicted hold other than whole numbers, or classes other than str.
        ValueError: There is no item, they are not as many predicted as true, there are fewer than
            1 or more than 200 classes, or a number is not one of them.

    Examples:
        >>> from tgraph_attn.viz import draw_confusion
        >>> figure = draw_confusion([0, 0, 1], [0, 1, 1], ["corn", "oil"])
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['1', '1', '1', 'items', '2', '1']
    """
    require("draw_confusion", "matplotlib")
    from matplotlib.figure import Figure

    counts, names = _count(truth, predicted, classes)
    k = len(names)
    longest = max(map(len, names))
    size = 9.0 if k <= 12 else 7.5 if k <= 30 else 6.5  # of the type, in points
    label = longest * size * _CHARACTER / 72
    upright = label <= 0.8 * _cell(k)
    below = 0.45 + (0.15 if upright else label * 0.75 + 0.1)
    left, right = _MARGIN + 0.2 + label, _COUNTS + _MARGIN
    if figure is None:
        wide = max(left + k * _cell(k) + right, 0.11 * len(title or "") + 2 * _MARGIN, 4.2)
        figure = Figure(figsize=(wide, _TOP + k * _cell(k) + below))
    have = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    need = left + k * _cell(k) + right, _TOP + k * _cell(k) + below
    scale = min(1.25, have[0] / need[0], have[1] / need[1])
    side = scale * k * _cell(k)
    corner = scale * left / have[0], 1 - (scale * _TOP + side) / have[1]
    axes = figure.add_axes((*corner, side / have[0], side / have[1]))
    _draw_cells(axes, counts, scale * _cell(k) * 72, size * scale)
    _write_names(axes, names, counts.sum(axis=1), upright, size * scale)
    head = figure.add_axes((0, 1 - scale * _TOP / have[1], 1, scale * _TOP / have[1]))
    _draw_head(head, title, have[0] / scale, scale)
    return figure.figure


def _cell(k: int) -> float:
    """Return how wide a cell is, in inches, before the picture is scaled."""
    return 0.5 if k <= 12 else 0.3 if k <= 30 else 0.19


def _count(
    truth: ArrayLike, predicted: ArrayLike, classes: Sequence[str]
) -> tuple[NDArray[np.int64], list[str]]:
    """Return how many items of each class are taken for which, `[K, K]`, and the names, or raise.

    Raises:
        TypeError, ValueError: as `draw_confusion`.
    """
    owner, hint = "draw_confusion", "Number the classes from 0, in the order of their names."
    rows = check_integers(owner, "truth", truth, (None,))
    columns = check_integers(owner, "predicted", predicted, (None,))
    if len(rows) != len(columns) or not len(rows):
        raise ValueError(
            f"{owner}: truth and predicted must have one class for each item, but have "
            f"{len(rows)} and {len(columns)}. Pass both, of the same items."
        )
    names: list[str] = check_strings(owner, "classes", classes, len(classes), "").tolist()
    k = len(names)
    if not 1 <= k <= _MAX_CLASSES:
        raise ValueError(
            f"{owner}: a picture may have 1 to {_MAX_CLASSES} classes, but there are {k}. Take the "
            "items of some of them."
        )
    for name, numbers in (("truth", rows), ("predicted", columns)):
        check_within(owner, name, numbers, k, hint)
    return np.bincount(rows * k + columns, minlength=k * k).reshape(k, k), names


def _draw_cells(axes: "Axes", counts: NDArray[np.int64], cell: float, size: float) -> None:
    """Draw the matrix; cell is how wide one is, in points."""
    k = len(counts)
    part = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    colors = np.where(np.eye(k, dtype=bool)[..., None], _tint(part, _RIGHT), _tint(part, _WRONG))
    axes.imshow(colors, aspect="auto", interpolation="nearest")
    axes.set_xticks(np.arange(-0.5, k), minor=True)
    axes.set_yticks(np.arange(-0.5, k), minor=True)
    axes.grid(which="minor", color=LINE, linewidth=0.5 if k <= 30 else 0.3)
    axes.tick_params(which="both", length=0)
    for spine in axes.spines.values():
        spine.set(color=LINE, linewidth=0.5)
    for row, column in np.argwhere(counts).tolist():
        text = str(counts[row, column])
        fits = min(size, 0.7 * cell, 0.85 * cell / (len(text) * _CHARACTER))
        if fits >= 0.6 * size:
            ink = "#ffffff" if part[row, column] > 0.55 else INK
            axes.text(column, row, text, ha="center", va="center", fontsize=fits, color=ink)


def _tint(part: NDArray[np.float64], color: str) -> NDArray[np.float64]:
    """Return the colour of each part in [0, 1]: white for 0. The root shows small ones, too."""
    from matplotlib.colors import to_rgb

    return 1 - np.sqrt(part)[..., None] * (1 - np.array(to_rgb(color)))


def _write_names(
    axes: "Axes", names: list[str], total: NDArray[np.int64], upright: bool, size: float
) -> None:
    """Write the classes to the left and below, and how many items each has to the right."""
    k = len(names)
    look: dict[str, Any] = {"color": INK, "fontsize": size, "parse_math": False}
    axes.set_yticks(range(k), names, **look)
    turned: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(k), names, **look, **({} if upright else turned))
    axes.set_ylabel("true class", color=MUTED, fontsize=size, labelpad=4)
    axes.set_xlabel("predicted class", color=MUTED, fontsize=size, labelpad=4)
    note: dict[str, Any] = {"color": MUTED, "fontsize": size, "ha": "left", "va": "center"}
    axes.text(k - 0.3, -0.5 - 0.9 * size / 72, "items", **(note | {"va": "bottom"}))
    for row, count in enumerate(total.tolist()):
        axes.text(k - 0.3, row, f"{count:,}", **note)


def _draw_head(axes: "Axes", title: str | None, wide: float, scale: float) -> None:
    """Draw the title, and what the colours mean, in inches before the picture is scaled."""
    axes.set(xlim=(0, wide), ylim=(_TOP, 0))
    axes.set_axis_off()
    look: dict[str, Any] = {"va": "center", "fontsize": 8 * scale, "color": MUTED}
    if title is not None:
        bold: dict[str, Any] = {"fontsize": 11 * scale, "fontweight": "bold", "color": INK}
        axes.text(_MARGIN, 0.25, title, va="center", parse_math=False, **bold)
    steps = np.linspace(0, 1, 64)[None]
    at = _MARGIN
    for words, color in (("right", _RIGHT), ("wrong", _WRONG)):
        axes.text(at, 0.55, f"{words}  0 %", **look)
        bar = (at + 0.68, at + 1.28, 0.605, 0.495)
        axes.imshow(_tint(steps, color), aspect="auto", extent=bar)
        axes.text(at + 1.34, 0.55, "100 %", **look)
        at += 1.95
    axes.set(xlim=(0, wide), ylim=(_TOP, 0))
