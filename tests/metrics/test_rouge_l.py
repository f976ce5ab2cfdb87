import random
import sys

import pytest

from tgraph_attn._optional import is_available
from tgraph_attn.metrics import rouge_l
from tgraph_attn.metrics.rouge_l import _common

VARIANTS = ["caption", "rouge-score"]


@pytest.fixture(params=VARIANTS)
def variant(request):
    if request.param == "rouge-score":
        pytest.importorskip("rouge_score")
    return request.param


@pytest.mark.parametrize(
    ("hypothesis", "reference", "caption", "rouge_score"),
    [
        ("returns the name", "returns the name of the file", 0.628866, 0.666667),
        ("get_value", "get value", 0.0, 1.0),
        (".", "I am a student .", 0.297561, 0.0),
    ],
)
def test_known_pairs(variant, hypothesis, reference, caption, rouge_score):
    expected = {"caption": caption, "rouge-score": rouge_score}[variant]
    score = rouge_l([hypothesis], [reference], variant=variant)
    assert score == pytest.approx(expected, abs=5e-7)


def test_caption_is_what_is_meant_by_default():
    pair = ["returns the name"], ["returns the name of the file"]
    assert rouge_l(*pair) == rouge_l(*pair, variant="caption", beta=1.2)


@pytest.mark.parametrize(
    ("beta", "expected"), [(0, 1), (1, 2 / 3), (2.0, 5 * 0.5 / (0.5 + 4)), (1e6, 0.5)]
)
def test_beta_goes_from_precision_to_recall(beta, expected):
    pair = ["returns the name"], ["returns the name of the file"]  # precision 1, recall 1/2
    assert rouge_l(*pair, beta=beta) == pytest.approx(expected)


@pytest.mark.parametrize("beta", [-1, float("nan"), float("inf")])
def test_a_beta_that_is_no_weight_is_refused(beta):
    with pytest.raises(ValueError, match=r"^rouge_l: beta must be at least 0, but got"):
        rouge_l(["a"], ["a"], beta=beta)


def test_a_beta_that_is_no_number_is_refused():
    with pytest.raises(TypeError, match=r"^rouge_l: beta must be a float or int, but got str"):
        rouge_l(["a"], ["a"], beta="1")


def test_a_beta_that_would_not_be_used_is_refused():
    with pytest.raises(ValueError, match=r"beta must be left out with variant=\"rouge-score\""):
        rouge_l(["a"], ["a"], beta=2.0, variant="rouge-score")


def test_an_unknown_variant_is_refused():
    with pytest.raises(ValueError, match=r"variant must be one of \['caption', 'rouge-score'\]"):
        rouge_l(["a"], ["a"], variant="coco")


def table(one, other):
    """The textbook's table of common subsequences."""
    row = [0] * (len(one) + 1)
    for token in other:
        above, row = row, [0]
        for i, word in enumerate(one):
            row.append(above[i] + 1 if word == token else max(above[i + 1], row[i]))
    return row[-1]


def test_the_longest_common_subsequence_is_that_of_the_table():
    draw = random.Random(0)
    for longest in (3, 12, 90, 200):
        for words in ("ab", "abcdefgh"):
            for _ in range(30):
                one, other = (
                    [draw.choice(words) for _ in range(draw.randint(0, longest))] for _ in range(2)
                )
                assert _common(one, other) == table(one, other)


def test_it_is_that_of_the_coco_caption_evaluation_and_of_rouge_score(data_folder):
    rouge = pytest.importorskip("pycocoevalcap.rouge.rouge").Rouge()
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
    folder = data_folder / "codesum_outputs/TLC"
    hypotheses, references = (
        (folder / name).read_text(encoding="utf-8").split("\n")[:400]
        for name in ("codenn/test.pred", "test.gold")
    )
    pairs = list(zip(hypotheses, references, strict=True))
    mean = sum(rouge.calc_score([h], [r]) for h, r in pairs) / len(pairs)
    assert rouge_l(hypotheses, references) == pytest.approx(mean)
    mean = sum(scorer.score(r, h)["rougeL"].fmeasure for h, r in pairs) / len(pairs)
    assert rouge_l(hypotheses, references, variant="rouge-score") == pytest.approx(mean)


def test_an_empty_hypothesis_scores_zero_and_stays_in_the_mean(variant):
    hypotheses, references = ["a b c d", ""], ["a b c d", "returns the value"]
    assert rouge_l(hypotheses, references, variant=variant) == 0.5


def test_a_str_and_its_token_list_score_the_same(variant):
    score = rouge_l(["returns it , now"], ["returns the , name"], variant=variant)
    assert 0 < score < 1
    hypothesis, reference = "returns it , now".split(), "returns the , name".split()
    assert rouge_l([hypothesis], [reference], variant=variant) == score


def test_the_order_of_examples_does_not_matter(variant):
    draw = random.Random(0)
    lines = [[draw.choice("abc") for _ in range(draw.randint(1, 9))] for _ in range(100)]
    pairs = [*zip(lines[::2], lines[1::2], strict=True), ("", "d")]
    scores = {
        rouge_l(*zip(*draw.sample(pairs, len(pairs)), strict=True), variant=variant)
        for draw in map(random.Random, range(20))
    }
    assert len(scores) == 1 and 0 < scores.pop() < 1


def test_case_counts_in_captions_only(variant):
    assert rouge_l(["Get"], ["get"], variant=variant) == float(variant == "rouge-score")


def test_words_are_not_cut_to_stems(variant):
    assert rouge_l(["returning"], ["returned"], variant=variant) == 0.0


def test_a_missing_package_is_named_and_only_needed_where_it_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    is_available.cache_clear()
    with pytest.raises(ImportError, match=r"^rouge_l needs rouge-score, .*tgraph_attn\[metrics"):
        rouge_l(["a"], ["a"], variant="rouge-score")
    assert rouge_l(["a"], ["a"]) == 1.0
    is_available.cache_clear()
