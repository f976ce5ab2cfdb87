"""A picture of a text, and of how much each word weighs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tgraph_attn._optional import require
from tgraph_attn.viz._style import INK, MONOSPACE, MONOSPACE_WIDTH, MUTED
from tgraph_attn.viz._word_shades import shade, word_strengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

_MAX_WORDS = 2_000
_WIDTH, _MARGIN, _LINE, _HALF = 7.2, 0.2, 0.27, 0.1  # inches; half the height of a background
_TITLE, _SCALE = 0.3, 0.36  # the height of the title, and of the scale
_SIZE = 9.0  # of the type, in points
_CHARACTER = _SIZE / 72 * MONOSPACE_WIDTH
_ENLARGED, _SHRUNK = 1.25, 0.97  # at most, in a figure with room; step by step, in one without


def draw_words(
    words: Sequence[tuple[str, float]],
    *,
    title: str | None = None,
    figure: "Figure | SubFigure | None" = None,
) -> "Figure":
    """Draw words as running text, each on a background that is the stronger the more it weighs.

    The greatest weight has the strongest background, 0 has none; a scale above the text says what
    the greatest is. A word longer than a line is cut.

    Args:
        words: The words in the order of the text, each with its weight, at least 0, such as what
            `DocumentGNN.word_weights` gives.
        title: What to write above it.
        figure: The figure, or part of one, to draw in, as large as fits. By default, a new one as
            high as the text needs.

    Returns:
        The whole figure; `figure.savefig("words.png")` writes it.

    Raises:
        ImportError: matplotlib is not installed (extra `viz`).
        TypeError: words are not pairs of a str and a number.
        ValueError: There is no word, there are more than 2,000, or a weight is below 0 or not
            finite.

    Examples:
        >>> from tgraph_attn.viz import draw_words
        >>> figure = draw_words([("oil", 0.6), ("prices", 0.3), ("rise", 0.0)], title="crude")
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['oil', 'prices', 'rise', 'crude', 'weight  0', '0.6']
    """
    require("draw_words", "matplotlib")
    from matplotlib.figure import Figure

    strength = word_strengths("draw_words", words, _MAX_WORDS)
    top = _MARGIN + _SCALE + (0.0 if title is None else _TITLE)
    texts = [" ".join(word.split()) for word, _ in words]
    if figure is None:
        lines = _lay_out(texts, _WIDTH)[-1][1] + 1
        figure, scale = Figure(figsize=(_WIDTH, top + _LINE * lines + _MARGIN)), 1.0
    else:
        scale = _fit(texts, figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi - top)
    wide, high = (part / figure.dpi / scale for part in (figure.bbox.width, figure.bbox.height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, wide), ylim=(high, 0))
    axes.set_axis_off()
    placed = zip(_lay_out(texts, wide), strength.tolist(), strict=True)
    for (shown, line, column), part in placed:
        left, middle = _MARGIN + column * _CHARACTER, top + (line + 0.5) * _LINE
        _draw_word(axes, shown, (left, middle), part, scale)
    if title is not None:
        look: dict[str, Any] = {"fontsize": 11 * scale, "fontweight": "bold", "color": INK}
        axes.text(_MARGIN, _MARGIN + 0.08, title, va="center", parse_math=False, **look)
    greatest = max(float(weight) for _, weight in words)
    _draw_scale(axes, top - _SCALE / 2 - 0.06, greatest, scale)
    return figure.figure


def _fit(texts: list[str], wide: float, high: float) -> float:
    """Return how much larger than by default the type can be, with all lines in the room."""
    scale = _ENLARGED
    while (_lay_out(texts, wide / scale)[-1][1] + 1) * _LINE + _MARGIN > high / scale:
        scale *= _SHRUNK
    return scale


def _lay_out(texts: list[str], wide: float) -> list[tuple[str, int, int]]:
    """Return each text, cut if need be, with the number of its line and of its first column."""
    columns = max(2, int((wide - 2 * _MARGIN) / _CHARACTER))
    line, column, places = 0, 0, []
    for text in texts:
        shown = text if len(text) <= columns else text[: columns - 1] + "…"
        if column and column + len(shown) > columns:
            line, column = line + 1, 0
        places.append((shown, line, column))
        column += len(shown) + 1
    return places


def _draw_word(
    axes: "Axes", text: str, place: tuple[float, float], strength: float, scale: float
) -> None:
    """Write a word from a place on, in the middle of its line, on its background."""
    from matplotlib.patches import FancyBboxPatch

    (left, middle), width, (background, ink) = place, len(text) * _CHARACTER, shade(strength)
    if strength > 0:
        pad = 0.35 * _CHARACTER
        box = FancyBboxPatch(
            (left - pad, middle - _HALF),
            width + 2 * pad,
            2 * _HALF,
            boxstyle="round,pad=0,rounding_size=0.03",
            facecolor=background,
            linewidth=0,
            zorder=1,
        )
        axes.add_patch(box)
    axes.text(
        left + width / 2,
        middle,
        text,
        ha="center",
        va="center_baseline",
        family=MONOSPACE,
        fontsize=_SIZE * scale,
        color=ink,
        parse_math=False,
    )


def _draw_scale(axes: "Axes", middle: float, greatest: float, scale: float) -> None:
    """Draw the scale of backgrounds, from 0 to the greatest weight."""
    from matplotlib.colors import ListedColormap

    look: dict[str, Any] = {"va": "center", "fontsize": 8 * scale, "color": MUTED}
    if greatest == 0:
        axes.text(_MARGIN, middle, "all weights are 0", **look)
        return
    left, right = _MARGIN + 0.62, _MARGIN + 1.82
    axes.text(left - 0.08, middle, "weight  0", ha="right", **look)
    colors = ListedColormap([shade(step / 63)[0] for step in range(64)])
    extent = (left, right, middle + 0.055, middle - 0.055)
    axes.imshow([range(64)], cmap=colors, aspect="auto", extent=extent, zorder=1)
    axes.text(right + 0.08, middle, f"{greatest:.2g}", **look)
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())
