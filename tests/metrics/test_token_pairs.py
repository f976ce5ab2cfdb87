from functools import partial

import pytest

from tgraph_attn.metrics import bleu, exact_match, meteor, rouge_l, subtoken_f1
from tgraph_attn.metrics._token_pairs import token_pairs

METRICS = [exact_match, subtoken_f1, rouge_l, partial(bleu, variant="CN")]
CHECKED = [*METRICS, meteor, partial(bleu, variant="corpus")]  # before any package is looked for


def test_a_str_is_split_on_any_whitespace():
    assert token_pairs("m", ["get  name\n"], [("a", "b")]) == [(["get", "name"], ["a", "b"])]


@pytest.mark.parametrize("metric", METRICS)
def test_a_str_and_its_token_list_give_the_same_score(metric):
    words, other = "returns the nome", "returns the name"
    expected = metric([words, other], [other, other])
    assert metric([words.split(), other], [other, other.split()]) == expected
    assert 0 < expected < 1


@pytest.mark.parametrize("metric", METRICS)
def test_the_order_of_examples_does_not_matter(metric):
    pairs = [("get x", "sets y"), ("a b c", "a b c"), ("", "d"), ("b a", "a b")]
    assert metric(*zip(*pairs, strict=True)) == metric(*zip(*pairs[::-1], strict=True))


@pytest.mark.parametrize("metric", METRICS)
def test_perfect_hypotheses_score_one_and_strange_ones_zero(metric):
    assert metric(["a", "b a"], ["a", "b a"]) == 1.0
    assert metric([".", ""], ["returns the value", "a"]) == 0.0


@pytest.mark.parametrize("metric", CHECKED)
@pytest.mark.parametrize("empty", ["", " ", []])
def test_an_empty_reference_is_refused(metric, empty):
    with pytest.raises(ValueError, match=r"each reference must have a token, but number 1 is"):
        metric(["a", "a"], ["a", empty])


@pytest.mark.parametrize("metric", CHECKED)
def test_lists_of_two_lengths_are_refused_with_both(metric):
    with pytest.raises(ValueError, match=r"must be as many, .* are 2 and 3\. Keep an empty"):
        metric(["a", "b"], ["a", "b", "c"])


@pytest.mark.parametrize("metric", CHECKED)
def test_no_examples_are_refused(metric):
    with pytest.raises(ValueError, match=r"at least one, but are 0 and 0"):
        metric([], [])


@pytest.mark.parametrize("metric", CHECKED)
@pytest.mark.parametrize("texts", [("get name", ["get name"]), (["get name"], "get name")])
def test_a_single_str_in_place_of_a_list_is_refused(metric, texts):
    with pytest.raises(TypeError, match=r"one text for each example, but got the str 'get name'"):
        metric(*texts)


@pytest.mark.parametrize("metric", CHECKED)
@pytest.mark.parametrize("wrong", [None, 5])
def test_what_is_no_text_or_no_list_is_refused(metric, wrong):
    message = rf"str or a list of str, but number 1 is {wrong}\. Pass"
    for texts in ((["a", wrong], ["a", "b"]), (["a", "b"], ["a", wrong])):
        with pytest.raises(TypeError, match=message):
            metric(*texts)
    for name, texts in {"hypotheses": (wrong, ["a"]), "references": (["a"], wrong)}.items():
        with pytest.raises(
            TypeError, match=rf"{name} must be a Collection, but got .*\. Pass a li"
        ):
            metric(*texts)


@pytest.mark.parametrize("metric", CHECKED)
def test_ids_in_place_of_words_are_refused(metric):
    with pytest.raises(TypeError, match=r"number 0 holds 3 \(int\)\. Decode ids first"):
        metric([[3]], [["get"]])


@pytest.mark.parametrize("metric", CHECKED)
@pytest.mark.parametrize("token", ["returns the name", "", " ", "a\u2028b"])
def test_a_list_of_references_in_place_of_one_is_refused(metric, token):
    with pytest.raises(ValueError, match=r"a word without whitespace, but number 1 holds '.*a str"):
        metric(["a", "returns the name"], ["a", [token]])
