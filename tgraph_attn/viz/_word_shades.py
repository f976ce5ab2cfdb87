"""How strong the background of each word of a text is."""

from collections.abc import Sequence
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from tgraph_attn._checks import check_type
from tgraph_attn.viz._style import ACCENT, INK

_STRONGEST = 0.9  # part of ACCENT in the background of the greatest weight
_LIGHT_INK_FROM = 0.83  # of the greatest weight


def word_strengths(
    owner: str, words: Sequence[tuple[str, float]], max_words: int
) -> NDArray[np.float64]:
    """Return each word's weight as a part of the greatest one, zeros if all are 0, or raise.

    Raises:
        TypeError: words are not pairs of a str and a number.
        ValueError: There is no word, there are too many, or a weight is below 0 or not finite.
    """
    hint = "Pass a list of (word, weight), as DocumentGNN.word_weights(text) gives it."
    check_type(owner, "words", words, (list, tuple), hint)
    for item in words:
        check_type(owner, "each of words", item, (list, tuple), hint)
        kinds = tuple(map(type, item))
        if len(item) != 2 or not (issubclass(kinds[0], str) and issubclass(kinds[1], Real)):
            raise TypeError(
                f"{owner}: each of words must be a (str, number), but got {item}. {hint}"
            )
    if not 1 <= len(words) <= max_words:
        raise ValueError(
            f"{owner}: words must be 1 to {max_words:,}, but are {len(words):,}. A text without "
            "known words has nothing to show; of a longer one show a part: words[:500]."
        )
    weight = np.array([float(value) for _, value in words])
    if not (np.isfinite(weight).all() and weight.min() >= 0):
        raise ValueError(
            f"{owner}: each weight must be finite and at least 0, but they range from "
            f"{weight.min()} to {weight.max()}. Pass weights of attention, not scores."
        )
    greatest = weight.max()
    return weight / greatest if greatest > 0 else weight


def shade(strength: float) -> tuple[str, str]:
    """Return the colours of the background and of the word on it, for a strength in [0, 1]."""
    part = _STRONGEST * strength
    accent = [int(ACCENT[start : start + 2], 16) for start in (1, 3, 5)]
    mixed = [round(255 - part * (255 - value)) for value in accent]
    ink = "#ffffff" if strength >= _LIGHT_INK_FROM else INK
    return "#" + "".join(f"{value:02x}" for value in mixed), ink
