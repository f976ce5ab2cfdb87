import io
import random

import pytest

from tgraph_attn.viz import draw_words

pytest.importorskip("matplotlib")

WORDS = [("crude", 0.5), ("oil", 0.25), ("prices", 0.0), ("rise", 0.125)]


def many(count):
    draw = random.Random(count)
    words = ["oil", "of", "approximately", "ministers", "1.2"]
    return [(draw.choice(words), draw.random()) for _ in range(count)]


def boxes(figure):
    return [p for p in figure.axes[0].patches if type(p).__name__ == "FancyBboxPatch"]


def test_words_are_in_order_on_backgrounds_as_strong_as_their_weights():
    figure = draw_words(WORDS, title="crude")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["crude", "oil", "prices", "rise", "crude", "weight  0", "0.5"]
    assert len(boxes(figure)) == 3  # 0 has none
    greens = [box.get_facecolor()[1] for box in boxes(figure)]
    assert greens[0] < greens[1] < greens[2]


def test_equal_weights_have_equal_backgrounds_and_zeros_have_none():
    assert len({box.get_facecolor() for box in boxes(draw_words([("a", 0.1), ("b", 0.1)]))}) == 1
    figure = draw_words([("a", 0.0), ("b", 0.0)])
    assert not boxes(figure)
    assert [text.get_text() for text in figure.axes[0].texts] == ["a", "b", "all weights are 0"]


@pytest.mark.parametrize("size", [None, (10, 3), (3, 10), (2, 2)])
@pytest.mark.parametrize("words", [WORDS[:1], many(300), [("x" * 500, 1.0), ("y", 1.0)]])
def test_all_backgrounds_are_inside_and_none_overlap(words, size):
    from matplotlib.figure import Figure

    figure = draw_words(words, figure=None if size is None else Figure(figsize=size))
    figure.savefig(io.BytesIO(), format="png")
    extents = [box.get_window_extent() for box in boxes(figure)]
    assert len(extents) == len(words)
    for number, one in enumerate(extents):
        assert figure.bbox.x0 <= one.x0 < one.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= one.y0 < one.y1 <= figure.bbox.y1
        assert not any(one.overlaps(other) for other in extents[number + 1 : number + 30])


def test_signs_are_written_as_they_are_and_a_long_word_is_cut():
    figure = draw_words([("$x_1$", 1.0), ("a\nb", 0.5), ("x" * 500, 0.1)])
    figure.savefig(io.BytesIO(), format="png")
    first, second, third = (text.get_text() for text in figure.axes[0].texts[:3])
    assert (first, second) == ("$x_1$", "a b")
    assert third.endswith("x…") and len(third) < 100


def test_a_part_of_a_figure_can_be_drawn_in():
    from matplotlib.figure import Figure

    whole = Figure(figsize=(8, 8))
    top, bottom = whole.subfigures(2, 1)
    assert draw_words(WORDS, figure=top) is whole
    assert len(top.axes) == 1 and not bottom.axes


def test_no_words_are_refused():
    with pytest.raises(ValueError, match="draw_words: words must be 1 to 2,000, but are 0"):
        draw_words([])


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r"draw_words needs matplotlib"):
        draw_words(WORDS)
