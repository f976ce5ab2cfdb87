"""BLEU-4, in each of the ways that papers on code summaries compute it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from tgraph_attn._checks import check_choice
from tgraph_attn._optional import require
from tgraph_attn.metrics._token_pairs import Text, token_pairs

_Pairs = Sequence[tuple[list[str], list[str]]]
_NLTK = {f"sentence-nltk-m{number}": f"method{number}" for number in (1, 2, 4)}
_VARIANTS = ("corpus", "corpus-add1", "sentence-add1", *_NLTK, "CN")
_NO_EXTRA = 'variant="sentence-add1", "corpus-add1" and "CN" do without.'
_CN_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")


def bleu(hypotheses: Sequence[Text], references: Sequence[Text], *, variant: str) -> float:
    """Return BLEU-4 as `variant` defines it; papers differ in which they mean, by many points.

    For n from 1 to 4, all[n] is how many n-grams a hypothesis has, and found[n] how many of them
    are in its reference, each at most as often as there. With lengths in tokens::

        precision[n] = (found[n] + a[n]) / (all[n] + a[n])
        penalty      = min(0, 1 - (length of reference + b) / (length of hypothesis + b))
        bleu         = exp(penalty) * (precision[1] * ... * precision[4]) ** (1/4)

    - `"corpus"`: one BLEU of the counts and lengths of all examples, added up, with a = b = 0, by
      sacrebleu. Where found[n] is 0, it smooths with its "exp": half a match for the first such n,
      a quarter for the next. An n of which no hypothesis has an n-gram is left out.
    - `"corpus-add1"`: likewise one BLEU of all examples, with a = 1 and b = 0.
    - `"sentence-add1"`: the mean over examples, with a = 1, for n = 1 too, and b = 0.
    - `"sentence-nltk-m1"`, `"sentence-nltk-m2"`, `"sentence-nltk-m4"`: the mean over examples of
      nltk's `sentence_bleu` with its smoothing method 1, 2 or 4. These give a perfect hypothesis
      of fewer than four tokens less than 1; here, one that is its reference scores 1.
    - `"CN"`: the mean over examples, with a[1] = 0, a = 1 from n = 2 on, and b = 1, of lower-cased
      tokens that are split around each punctuation mark and underscore.

    In all others tokens are as given, and upper case is not lower case. An empty hypothesis scores
    0 and stays in the mean, or in the lengths. The order of examples does not matter.

    Args:
        hypotheses: What was predicted for each example: a str, split on whitespace, or its tokens.
        references: What is right, one text for each example, likewise; as it is: not cut, and with
            no word replaced by `<unk>`.
        variant: Which BLEU: one of the names above. There is no default.

    Returns:
        A fraction in [0, 1], not per cent.

    Raises:
        ValueError: The variant is unknown, hypotheses and references differ in length or are
            empty, a reference has no token, or a token holds whitespace.
        TypeError: One of them is a str, or a text is neither a str nor a list of str.
        ImportError: The variant needs sacrebleu or nltk (extra `metrics`), which is not there.

    Examples:
        >>> from tgraph_attn.metrics import bleu
        >>> round(bleu(["returns the nome"], ["returns the name"], variant="sentence-add1"), 4)
        0.7071
        >>> round(bleu(["returns the nome"], ["returns the name"], variant="CN"), 4)
        0.6866

    Source:
        Papineni et al., ACL 2002 (the measure); Lin and Och, COLING 2004 (a = 1 from n = 2 on);
        Chen and Cherry, WMT 2014 (nltk's methods); Post, WMT 2018 (sacrebleu). "sentence-add1" and
        "corpus-add1" are what NeuralCodeSum (Ahmad et al., ACL 2020) and after it AST-Trans
        compute; "CN" is CodeNN's (Iyer et al., ACL 2016), as CodeXGLUE uses it. Where they differ
        from ours: they give an empty hypothesis exp(-length of reference) in "CN", and divide by
        zero in the other two.
    """
    check_choice("bleu", "variant", variant, _VARIANTS)
    pairs = token_pairs("bleu", hypotheses, references)
    if variant == "corpus":
        return _sacrebleu(pairs)
    if variant == "corpus-add1":
        return _smoothed(pairs, add=(1, 1, 1, 1), longer=0)
    if variant == "sentence-add1":
        return fmean(_smoothed([pair], add=(1, 1, 1, 1), longer=0) for pair in pairs)
    if variant == "CN":
        split = [(_cn_tokens(hypothesis), _cn_tokens(reference)) for hypothesis, reference in pairs]
        return fmean(_smoothed([pair], add=(0, 1, 1, 1), longer=1) for pair in split)
    return _nltk(pairs, _NLTK[variant])


def _smoothed(pairs: _Pairs, *, add: tuple[int, int, int, int], longer: int) -> float:
    """Return the docstring's formula on the counts of all pairs; a is `add`, and b `longer`."""
    hypothesis_length = sum(len(hypothesis) for hypothesis, _ in pairs)
    reference_length = sum(len(reference) for _, reference in pairs)
    if hypothesis_length == 0:
        return 0.0
    logarithms = []
    for n, a in enumerate(add, start=1):
        found = a + sum((_ngrams(h, n) & _ngrams(r, n)).total() for h, r in pairs)
        possible = a + sum(max(len(hypothesis) - n + 1, 0) for hypothesis, _ in pairs)
        if found == 0:
            return 0.0
        logarithms.append(math.log(found / possible))
    penalty = min(0.0, 1 - (reference_length + longer) / (hypothesis_length + longer))
    return math.exp(penalty + sum(logarithms) / len(add))


def _ngrams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _cn_tokens(tokens: list[str]) -> list[str]:
    return _CN_TOKEN.findall(" ".join(tokens).lower())


def _sacrebleu(pairs: _Pairs) -> float:
    sacrebleu = require("bleu", "sacrebleu", _NO_EXTRA)
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in pairs]
    references = [" ".join(reference) for _, reference in pairs]
    # force: no word about tokens that look tokenised. effective_order: short texts can be perfect.
    score = sacrebleu.BLEU(
        tokenize="none", smooth_method="exp", effective_order=True, force=True
    ).corpus_score(hypotheses, [references])
    return min(1.0, score.score / 100)  # a perfect corpus has 100.00000000000004 there


def _nltk(pairs: _Pairs, method: str) -> float:
    nltk = require("bleu", "nltk.translate.bleu_score", _NO_EXTRA)
    smoothing = getattr(nltk.SmoothingFunction(), method)
    return fmean(
        1.0
        if hypothesis == reference
        else nltk.sentence_bleu([reference], hypothesis, smoothing_function=smoothing)
        for hypothesis, reference in pairs
    )
