"""A text as HTML, and how much each word weighs."""

from collections.abc import Sequence
from html import escape

from tgraph_attn.viz._word_shades import shade, word_strengths

_MAX_WORDS = 100_000


def words_html(words: Sequence[tuple[str, float]]) -> str:
    """Return words as one HTML paragraph, each on a background as `draw_words` draws it.

    It needs no style sheet and no script. A word's weight is shown where the pointer rests on it.

    Args:
        words: The words in the order of the text, each with its weight, at least 0, such as what
            `DocumentGNN.word_weights` gives.

    Raises:
        TypeError: words are not pairs of a str and a number.
        ValueError: There is no word, there are more than 100,000, or a weight is below 0 or not
            finite.

    Examples:
        >>> from tgraph_attn.viz import words_html
        >>> html = words_html([("oil", 0.6), ("&", 0.0)])
        >>> html.count("<span"), "&amp;" in html
        (2, True)
    """
    spans = []
    strengths = word_strengths("words_html", words, _MAX_WORDS)
    for (word, weight), strength in zip(words, strengths.tolist(), strict=True):
        background, ink = shade(strength)
        style = f"background:{background};color:{ink};padding:1px 3px;border-radius:3px"
        spans.append(f'<span style="{style}" title="{weight:.3g}">{escape(word)}</span>')
    return f'<p style="line-height:1.8">{" ".join(spans)}</p>'
