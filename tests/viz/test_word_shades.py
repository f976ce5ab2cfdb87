import pytest

from tgraph_attn.viz._style import INK
from tgraph_attn.viz._word_shades import shade, word_strengths


def luminance(color):
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_a_strength_is_a_part_of_the_greatest_weight():
    assert word_strengths("f", [("a", 0.1), ("b", 0.4), ("a", 0.0)], 9).tolist() == [0.25, 1, 0]
    assert word_strengths("f", [("a", 0), ("b", 0.0)], 9).tolist() == [0, 0]


def test_a_word_can_be_read_on_each_background():
    assert shade(0.0) == ("#ffffff", INK)
    last = 1.1
    for step in range(101):
        background, ink = shade(step / 100)
        light, dark = sorted([luminance(background), luminance(ink)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 3.5
        assert luminance(background) <= last
        last = luminance(background)


@pytest.mark.parametrize(
    ("words", "error", "match"),
    [
        ([], ValueError, "f: words must be 1 to 3, but are 0"),
        ([("a", 1.0)] * 4, ValueError, "f: words must be 1 to 3, but are 4"),
        ([("a", -1.0)], ValueError, r"at least 0, but they range from -1.0 to -1.0"),
        ([("a", float("nan"))], ValueError, "each weight must be finite"),
        ("oil", TypeError, "f: words must be a list or tuple, but got str"),
        (["oil"], TypeError, "f: each of words must be a list or tuple, but got str"),
        ([(1, "oil")], TypeError, r"f: each of words must be a \(str, number\)"),
        ([("oil", "much")], TypeError, r"f: each of words must be a \(str, number\)"),
        ([("oil", 1.0, 2.0)], TypeError, r"f: each of words must be a \(str, number\)"),
    ],
)
def test_what_is_no_list_of_weighted_words_is_refused(words, error, match):
    with pytest.raises(error, match=match):
        word_strengths("f", words, 3)
