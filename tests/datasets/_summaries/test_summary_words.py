import json
import pickle
import shlex
from functools import partial

import pytest

from tgraph_attn.datasets._summaries.summary_words import summary_words
from tgraph_attn.linearize import comment_words

TEXT = " Returns the\n  <b>maxSize</b> [in %].\nNever null.\n"


def test_tokens_are_the_words_as_they_stand():
    told, words_of = summary_words("tokens")
    assert told == "tokens" and words_of(TEXT) == TEXT.split()


def test_rules_are_those_of_comment_words_on_one_line():
    _, words_of = summary_words("rules")
    assert words_of(TEXT) == ["returns", "the", "max", "size", "in"]
    assert words_of("") == words_of(" \n") == words_of(".") == []


@pytest.mark.parametrize(
    "rules",
    [
        {"first_sentence": False},
        {"drop_tags": False, "drop_marks": False},
        {"lower": "all", "split": None},
        {"drop_stop": False, "strip": False, "first_sentence": False},
        {"keep_signs": False, "split": shlex.split},
    ],
)
def test_each_rule_is_a_switch(rules):
    told, words_of = summary_words(rules)
    assert words_of(TEXT) == comment_words(" ".join(TEXT.split()), **rules)
    assert words_of(TEXT) != summary_words("rules")[1](TEXT) or rules == {"drop_tags": False}
    assert json.loads(json.dumps(told)).keys() == rules.keys()
    assert pickle.loads(pickle.dumps(words_of))(TEXT) == words_of(TEXT)


@pytest.mark.parametrize("gap", ["\n\n", "\n \t\n\n", "\r\n\r\n"])
def test_the_first_paragraph_can_be_all_that_is_read(gap):
    text = f"\n\nReturn x\nand y{gap}Args:\n  x: none."
    told, words_of = summary_words("rules", first_paragraph=True)
    assert words_of(text) == ["return", "x", "and", "y"] and told == {"first_paragraph": True}
    told, words_of = summary_words({"first_paragraph": False}, first_paragraph=True)
    assert words_of(text) == summary_words("rules")[1](text) and len(words_of(text)) > 4
    assert summary_words({"first_paragraph": True})[1](text) == ["return", "x", "and", "y"]
    assert summary_words("tokens", first_paragraph=True) == ("tokens", str.split)


def test_what_is_told_differs_if_the_rules_do_and_not_by_their_order():
    ways = ["tokens", "rules", {"lower": "all"}, {"split": None}, {"split": shlex.split}]
    assert len({json.dumps(summary_words(way)[0]) for way in ways}) == 5
    assert summary_words({})[0] == summary_words("rules")[0]
    both = {"strip": False, "lower": "all"}
    turned = dict(reversed(both.items()))
    assert json.dumps(summary_words(both)[0]) == json.dumps(summary_words(turned)[0])
    assert summary_words({"split": shlex.split})[0]["split"] == "shlex.split"


@pytest.mark.parametrize(
    ("comment", "error", "message"),
    [
        ("words", ValueError, r"comment must be one of \['rules', 'tokens'\], but got 'words'"),
        ({"lowercase": True}, ValueError, r"each rule of comment must be one of .*but got 'lowerc"),
        ({"max_words": 3}, ValueError, r"each rule of comment must be one of"),
        ({"lower": "none"}, ValueError, r"lower must be one of"),
        ({"strip": 1}, TypeError, r"comment's strip must be a bool, but got int"),
        ({"first_paragraph": 1}, TypeError, r"comment's first_paragraph must be a bool"),
        ({"split": "a"}, TypeError, r"split must be a function"),
        ({"split": lambda word: [word]}, ValueError, r"split must be a function of a module"),
        ({"split": partial(shlex.split)}, ValueError, r"split must be a function of a module"),
        (["strip"], TypeError, r"comment must be a str or Mapping, but got list"),
    ],
)
def test_another_comment_is_refused(comment, error, message):
    with pytest.raises(error, match=message):
        summary_words(comment)
