import math
import random
import sys

import pytest

from tgraph_attn._optional import is_available
from tgraph_attn.metrics import bleu
from tgraph_attn.metrics.bleu import _cn_tokens

PLAIN = ["corpus-add1", "sentence-add1", "CN"]
NLTK = ["sentence-nltk-m1", "sentence-nltk-m2", "sentence-nltk-m4"]
PACKAGE = {"corpus": "sacrebleu", **dict.fromkeys(NLTK, "nltk.translate.bleu_score")}
VARIANTS = [*PLAIN, *PACKAGE]
TWO = (
    ["returns the name of the file", "get x"],
    ["returns the name of the file", "sets the value of y"],
)


@pytest.fixture(params=VARIANTS)
def variant(request):
    if request.param in PACKAGE:
        pytest.importorskip(PACKAGE[request.param])
    return request.param


@pytest.fixture(scope="module")
def texts(data_folder):
    """The texts of a file of published predictions, or of references; one line is one text."""

    def read(name):
        file = data_folder / "codesum_outputs/TLC" / name
        return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")

    return read


# Shi et al., On the Evaluation of Neural Code Summarization, ICSE 2022: their BLEU-NCS, BLEU-CN
# and BLEU-FC on these files, in per cent. Without CN's own tokens the last one would be 31.99.
@pytest.mark.parametrize(
    ("system", "sentence_add1", "cn", "corpus"),
    [
        ("rencos", 47.17, 46.75, 41.01),
        ("codenn", 33.78, 33.07, 26.04),
        ("deepcom", 22.26, 21.18, 12.14),
        ("astattgru", 32.64, 31.98, 27.11),
    ],
)
def test_published_predictions_have_their_published_scores(
    texts, system, sentence_add1, cn, corpus
):
    pytest.importorskip("sacrebleu")
    hypotheses, references = texts(f"{system}/test.pred"), texts("test.gold")
    assert len(references) == 8714
    for variant, expected in [("sentence-add1", sentence_add1), ("CN", cn), ("corpus", corpus)]:
        assert round(100 * bleu(hypotheses, references, variant=variant), 2) == expected


# Not published: what nltk 3.10.4 gives for each pair by itself, and their mean.
@pytest.mark.parametrize(
    ("variant", "expected"), [*zip(NLTK, [15.7083, 20.9496, 16.0506], strict=True)]
)
def test_nltk_scores_of_published_predictions(texts, variant, expected):
    pytest.importorskip("nltk")
    score = bleu(texts("deepcom/test.pred"), texts("test.gold"), variant=variant)
    assert round(100 * score, 4) == expected


def test_a_file_that_lacks_lines_is_refused_with_both_lengths(texts):
    with pytest.raises(ValueError, match=r"^bleu: .* are 8704 and 8714\."):
        bleu(texts("ncs/test.pred"), texts("test.gold"), variant="sentence-add1")


def test_the_corpus_and_the_mean_of_its_sentences_differ_and_are_named_differently():
    assert bleu(*TWO, variant="sentence-add1") == pytest.approx(0.571284, abs=5e-7)
    assert bleu(*TWO, variant="corpus-add1") == pytest.approx(0.621036, abs=5e-7)
    pytest.importorskip("sacrebleu")
    # found 6, 5, 4, 3 of 8, 6, 4, 3; 8 tokens against 11
    expected = math.exp(1 - 11 / 8) * (6 / 8 * 5 / 6) ** 0.25
    assert bleu(*TWO, variant="corpus") == pytest.approx(expected)


# "returns the nome" finds 2 of 3 words, 1 of 2 pairs and 0 of 1 triple; nltk counts 0 of 1 for
# the missing n = 4 too.
@pytest.mark.parametrize(
    ("variant", "precisions"),
    [
        ("sentence-add1", [3 / 4, 2 / 3, 1 / 2, 1]),
        ("corpus-add1", [3 / 4, 2 / 3, 1 / 2, 1]),
        ("CN", [2 / 3, 2 / 3, 1 / 2, 1]),
        ("sentence-nltk-m1", [2 / 3, 1 / 2, 0.1, 0.1]),
        ("sentence-nltk-m2", [2 / 3, 2 / 3, 1 / 2, 1 / 2]),
        ("sentence-nltk-m4", [2 / 3, 1 / 2, math.log(3) / (2 * 5), math.log(3) / (4 * 5)]),
    ],
)
def test_a_wrong_word_of_three_by_hand(variant, precisions):
    if variant in PACKAGE:
        pytest.importorskip(PACKAGE[variant])
    expected = math.prod(precisions) ** 0.25
    assert bleu(["returns the nome"], ["returns the name"], variant=variant) == pytest.approx(
        expected
    )


def test_the_corpus_leaves_out_what_is_longer_than_every_hypothesis():
    pytest.importorskip("sacrebleu")
    expected = (2 / 3 * 1 / 2 * 0.5 / 1) ** (1 / 3)  # half a match for the triple
    score = bleu(["returns the nome"], ["returns the name"], variant="corpus")
    assert score == pytest.approx(expected)
    assert bleu(["returns the nome"], ["returns the name"], variant="sentence-add1") == (
        pytest.approx(0.707107, abs=5e-7)
    )


def test_a_short_hypothesis_is_penalised_and_a_long_one_is_not():
    penalty = {"sentence-add1": 1 - 4 / 2, "CN": 1 - 5 / 3}
    for variant, exponent in penalty.items():
        assert bleu(["a b"], ["a b c d"], variant=variant) == pytest.approx(math.exp(exponent))
    long = bleu(["a b c d e"], ["a b c d"], variant="sentence-add1")
    assert long == pytest.approx((5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25)


def test_a_repeated_ngram_is_found_as_often_as_it_is_in_both():
    expected = ((1 + 1) / (3 + 1) * 1 / 3 * 1 / 2 * 1) ** 0.25
    assert bleu(["a a a"], ["a"], variant="sentence-add1") == pytest.approx(expected)


def test_an_empty_hypothesis_scores_zero_and_stays_in_the_mean(variant):
    hypotheses, references = ["a b c d", ""], ["a b c d", "returns the value"]
    assert bleu([""], ["returns the value"], variant=variant) == 0.0
    if variant.startswith("corpus"):
        expected = math.exp(1 - 7 / 4)  # its reference counts in the lengths
    else:
        expected = 0.5
    assert bleu(hypotheses, references, variant=variant) == pytest.approx(expected)


def test_a_perfect_corpus_scores_one_however_short(variant):
    for perfect in (["a"], ["a b", "a"], ["."], ["a b c", "returns the name of the file", "x y"]):
        assert bleu(perfect, perfect, variant=variant) == 1.0


def drawn_pairs(number):
    draw = random.Random(0)
    lines = [[draw.choice("abc") for _ in range(draw.randint(1, 9))] for _ in range(2 * number)]
    return list(zip(lines[::2], lines[1::2], strict=True))


def test_no_score_is_above_one_or_below_zero(variant):
    for hypothesis, reference in drawn_pairs(200):
        assert 0 <= bleu([hypothesis], [reference], variant=variant) <= 1


def test_a_str_and_its_token_list_score_the_same(variant):
    hypothesis, reference = "returns the nome of it", "returns the name , of it"
    score = bleu([hypothesis], [reference], variant=variant)
    assert bleu([hypothesis.split()], [reference.split()], variant=variant) == score
    assert 0 < score < 1


def test_the_order_of_examples_does_not_matter(variant):
    pairs = [*drawn_pairs(50), ("", "d")]
    scores = {
        bleu(*zip(*draw.sample(pairs, len(pairs)), strict=True), variant=variant)
        for draw in map(random.Random, range(20))
    }
    assert len(scores) == 1 and 0 < scores.pop() < 1


def test_only_cn_lowers_case_and_splits_words(variant):
    score = bleu(["Get_value (x)"], ["get _ Value ( X )"], variant=variant)
    assert score == 1.0 if variant == "CN" else score < 0.5


def test_the_tokens_of_cn():
    text = "Don't  getValue_of <b>, é-1.5 ..."
    assert _cn_tokens(text.split()) == ("don ' t getvalue _ of < b > , é - 1 . 5 . . .".split())


def test_no_word_in_common_is_nothing_but_for_add_one(variant):
    score = bleu(["x"], ["returns the value of"], variant=variant)
    # Google's adds 1 to a word that is not found as well, and to what is not there at all
    expected = math.exp(1 - 4) * (1 / 2) ** 0.25 if variant.endswith("add1") else 0.0
    assert score == pytest.approx(expected)


def test_a_variant_has_to_be_named():
    with pytest.raises(TypeError, match="variant"):
        bleu(["a"], ["a"])
    for wrong in ("bleu", "corpus-add-1", "cn", None):
        with pytest.raises(ValueError, match=r"^bleu: variant must be one of \['CN', 'corpus', "):
            bleu(["a"], ["a"], variant=wrong)


@pytest.mark.parametrize(("variant", "package"), [*PACKAGE.items()])
def test_a_missing_package_is_named_and_only_needed_where_it_is_used(monkeypatch, variant, package):
    monkeypatch.setitem(sys.modules, package, None)
    is_available.cache_clear()
    with pytest.raises(ImportError, match=rf"^bleu needs {package[:4]}\w*, .*tgraph_attn\[metrics"):
        bleu(["a"], ["a"], variant=variant)
    assert [bleu(["a"], ["a"], variant=plain) for plain in PLAIN] == [1.0] * 3
    is_available.cache_clear()
