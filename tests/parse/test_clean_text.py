import re

import pytest

from tgraph_attn.parse import clean_text

STEPS = [
    (r"[^A-Za-z0-9(),!?'`]", " "),
    (r"'s", " 's"),
    (r"'ve", " 've"),
    (r"n't", " n't"),
    (r"'re", " 're"),
    (r"'d", " 'd"),
    (r"'ll", " 'll"),
    (r",", " , "),
    (r"!", " ! "),
    (r"\(", r" \( "),  # Python 3 leaves the backslash in the replacement
    (r"\)", r" \) "),
    (r"\?", r" \? "),
    (r"\s{2,}", " "),
]


def one_step_after_the_other(text):
    """What SPEC 4.2 says, in its order."""
    for pattern, replacement in STEPS:
        text = re.sub(pattern, replacement, text)
    return text.strip().lower().split()


TEXTS = [
    "They've said (it isn't) Bob's; they'd, you'll, we're!",
    "can'ts 've'd n'tn't 'ven't x's's ''s 'S 'LL N'T",
    "a(b)c?d!e,f",
    "tab\tand\nnew\r\nline\x85and\xa0more",
    "naïve café £5.50 – 20%",
    "`quoted' {braces} back\\slash",
    "",
    "  \n ",
    "é",
]


@pytest.mark.parametrize("text", TEXTS)
def test_one_pass_does_what_the_steps_do_one_after_the_other(text):
    assert clean_text(text) == one_step_after_the_other(text)


def test_real_texts_are_cleaned_as_the_steps_do(data_folder):
    content = (data_folder / "text_gcn/data/corpus/ohsumed.txt").read_bytes()
    lines = content.decode("latin-1").split("\n")[::50]
    assert [clean_text(line) for line in lines] == list(map(one_step_after_the_other, lines))


def test_endings_and_signs_become_words():
    words = ["they", "'ve", "said", "it", "is", "n't", "bob", "'s", ",", "!", "you", "'ll"]
    assert clean_text("They've said it isn't Bob's,! you'll") == words


def test_backslashes_are_a_switch_that_changes_no_count():
    assert clean_text("a (b)? c!") == ["a", "\\(", "b", "\\)", "\\?", "c", "!"]
    plain = ["a", "(", "b", ")", "?", "c", "!"]
    assert clean_text("a (b)? c!", legacy_backslashes=False) == plain


@pytest.mark.parametrize("text", ["", "   ", "é–é", "%%%"])
def test_text_without_a_word_has_none(text):
    assert clean_text(text) == []


def test_bytes_are_refused():
    with pytest.raises(TypeError, match=r"clean_text: text must be a str, but got bytes. Decode"):
        clean_text(b"a text")
