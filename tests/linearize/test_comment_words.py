import inspect
import re
import string

import numpy as np
import pytest

from tgraph_attn.linearize import comment_words
from tgraph_attn.parse import split_identifier

ALL = "  Gets <b>the</b> Max[0] value, 5 % off. Or not + - (so).  "
PLAIN = dict(
    strip=False, drop_stop=False, first_sentence=False, drop_tags=False, drop_marks=False,
    lower="off", split=None,
)  # fmt: skip


def test_a_comment_by_hand():
    words = "gets the max 0 value 5 off".split()
    assert comment_words(ALL) == words
    assert comment_words(ALL, split=None) == "gets the Max0 value, 5 off".split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        (" ", ""),
        (".", ""),
        ("Sets x.", "sets x"),
        ("Sets x", "sets x"),
        ("[%]", ""),
        ("<p>", ""),
        ("Zählt ﬁ’s Wörter", "zählt ﬁ s wörter"),
        ("Return getMaxSize() of an http_url + 1", "return get max size of an http url + 1"),
        ("a -> b () <= c", "a -> b () <= c"),
        ("don't", "don t"),
    ],
)
def test_words_of_short_comments(text, words):
    assert comment_words(text) == words.split()


@pytest.mark.parametrize(
    ("rule", "text", "words", "without"),
    [
        ("drop_stop", "Is it.", "Is it", "Is it."),
        ("drop_stop", "Wait...", "Wait..", "Wait..."),
        ("first_sentence", "One. Two. Three", "One", "One. Two. Three"),
        ("first_sentence", "Version 1.5 of\nit.\nNot more", *["Version 1.5 of it. Not more"] * 2),
        ("drop_tags", "A <i>b</i>< c <> <>d>e", "A b e", "A <i>b</i>< c <> <>d>e"),
        ("drop_tags", "a < b\nc > d <", *["a < b c > d <"] * 2),
        ("drop_marks", "a[0] % {1}", "a0 {1}", "a[0] % {1}"),
    ],
)
def test_each_rule_does_its_own_and_nothing_else(rule, text, words, without):
    assert comment_words(text, **PLAIN | {rule: True}) == words.split()
    assert comment_words(text, **PLAIN) == without.split()
    assert inspect.signature(comment_words).parameters[rule].default is True


def test_white_space_at_the_ends_hides_a_stop_and_the_first_character():
    text = " The End. "
    assert comment_words(text, split=None) == ["the", "End"]
    assert comment_words(text, split=None, first_sentence=False) == ["the", "End"]
    options = dict(split=None, first_sentence=False, strip=False)
    assert comment_words(text, **options) == ["The", "End."]


def test_the_first_character_or_all_or_none_are_put_in_lower_case():
    cases = {"first": "aBC DEF", "all": "abc def", "off": "ABC DEF"}
    for lower, words in cases.items():
        assert comment_words("ABC DEF", lower=lower, split=None) == words.split()
    assert comment_words("ABC DEF", lower="off") == ["abc", "def"]  # split_identifier's


def test_words_of_signs_are_kept_whole_or_left_out():
    text, seen = "a + -> <= (b) _", []

    def split(word):
        seen.append(word)
        return []

    assert comment_words(text, split=split) == ["+", "<=", "_"]
    assert seen == ["a", "->", "(b)"]
    assert comment_words(text, keep_signs=False) == ["a", "b"]
    assert comment_words(text, keep_signs=False, split=None) == ["a", "(b)"]


def test_words_can_be_split_by_any_function_and_empty_pieces_are_left_out():
    assert comment_words("one two", split=list) == list("onetwo")
    assert comment_words("a-b-", split=lambda word: word.split("-")) == ["a", "b"]


def test_there_are_at_most_so_many_words():
    assert comment_words("get the max size", max_words=2) == ["get", "the"]
    assert comment_words("getMax", max_words=1) == ["get"]
    assert comment_words("", max_words=1) == []


def test_it_is_what_the_rules_say_one_after_the_other():
    draw = np.random.default_rng(0)
    letters = np.array(list("aBc <>[]%.+-. \n\t'_X1"))
    for _ in range(3000):
        text = "".join(draw.choice(letters, draw.integers(0, 25)))
        expected = text.strip()
        expected = expected[:-1] if expected.endswith(".") else expected
        expected = re.sub(r"<.+?>", "", expected.split(". ")[0])
        expected = re.sub(r"[\[\]%]", "", expected)
        expected = (expected[:1].lower() + expected[1:]).split()
        assert comment_words(text, split=None) == expected, text
        parts = [[w] if w in string.punctuation else split_identifier(w) for w in expected]
        assert comment_words(text) == [word for part in parts for word in part], text


def test_a_million_open_tags_are_read_in_linear_time():
    assert comment_words("<" * 1_000_000, split=None) == ["<" * 1_000_000]
    assert len(comment_words("<a " * 500_000, split=None)) == 500_000


def test_real_comments_keep_most_of_their_words(data_folder):
    path = data_folder / "tl_codesum" / "test.token.nl"
    lines = path.read_text(encoding="utf-8").split("\n")[:2000]
    for text in [line.split("\t", 1)[1] for line in lines if line]:
        words = comment_words(text, lower="all", first_sentence=False)
        assert words == comment_words(text, first_sentence=False) and all(words)
        assert len(words) >= len(re.findall(r"\w+", re.sub("<.+?>", "", text))) or "_" in text


def test_what_is_no_text_or_out_of_choice_is_refused():
    with pytest.raises(TypeError, match="comment_words: text must be a str, but got NoneType"):
        comment_words(None)
    with pytest.raises(ValueError, match=r"comment_words: lower must be one of .*'none'"):
        comment_words("a", lower="none")
    with pytest.raises(TypeError, match=r"split must be a function from a word .* but got str"):
        comment_words("a", split="x")
    with pytest.raises(ValueError, match="comment_words: max_words must be at least 1, but got 0"):
        comment_words("a", max_words=0)
