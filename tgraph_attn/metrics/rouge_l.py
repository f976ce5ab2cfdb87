"""ROUGE-L: how much of a text's order of words is found."""

import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from tgraph_attn._checks import check_choice, check_type
from tgraph_attn._optional import require
from tgraph_attn.metrics._token_pairs import Text, token_pairs

_BETA = 1.2


def rouge_l(
    hypotheses: Sequence[Text],
    references: Sequence[Text],
    *,
    beta: float = _BETA,
    variant: str = "caption",
) -> float:
    """Return ROUGE-L, the mean over examples of F for the longest common subsequence of tokens.

    With common the length of the longest sequence of tokens that is in both texts in this order,
    though not necessarily in one piece::

        precision = common / tokens of hypothesis
        recall    = common / tokens of reference
        f         = (1 + beta^2) * precision * recall / (recall + beta^2 * precision)

    and 0 where nothing is common, so for an empty hypothesis too, which stays in the mean.

    - `"caption"`: tokens as given, by whitespace only, upper case not being lower case. With its
      beta of 1.2, recall weighs more. It is what papers on code summaries report.
    - `"rouge-score"`: beta is 1, by Google's package rouge-score with its own tokeniser: lower
      case, split at all but the letters a to z and digits (an underscore and a letter with an
      accent too), and no stemmer. A text without any of these, such as ".", scores 0.

    Args:
        hypotheses: What was predicted for each example: a str, split on whitespace, or its tokens.
        references: What is right, one text for each example, likewise; as it is: not cut, and with
            no word replaced by `<unk>`.
        beta: How much more recall weighs than precision; for "caption" only.
        variant: Which ROUGE-L: "caption" or "rouge-score".

    Returns:
        A fraction in [0, 1], not per cent.

    Raises:
        ValueError: The variant is unknown, beta is below 0, infinite, or given to "rouge-score";
            hypotheses and references differ in length or are empty, a reference has no token, or a
            token holds whitespace.
        TypeError: beta is no number, one of the lists is a str, or a text is neither a str nor a
            list of str.
        ImportError: The variant needs rouge-score (extra `metrics`), which is not there.

    Examples:
        >>> from tgraph_attn.metrics import rouge_l
        >>> round(rouge_l(["returns the name"], ["returns the name of the file"]), 4)
        0.6289

    Source:
        Lin, ROUGE, 2004. "caption" is that of the COCO caption evaluation (Chen et al., 2015,
        arXiv:1504.00325). That splits at each single space, and takes the best of several
        references; ours has one.
    """
    check_choice("rouge_l", "variant", variant, ("caption", "rouge-score"))
    check_type("rouge_l", "beta", beta, (float, int), "Leave it out for the usual 1.2.")
    if not 0 <= beta < math.inf:
        raise ValueError(
            f"rouge_l: beta must be at least 0, but got {beta}. Leave it out for the usual 1.2."
        )
    if variant == "rouge-score" and beta != _BETA:
        raise ValueError(
            'rouge_l: beta must be left out with variant="rouge-score", whose F weighs precision '
            f'and recall alike, but got {beta}. Leave it out, or take variant="caption".'
        )
    pairs = token_pairs("rouge_l", hypotheses, references)
    if variant == "caption":
        return fmean(_f(hypothesis, reference, beta**2) for hypothesis, reference in pairs)
    package = require("rouge_l", "rouge_score.rouge_scorer", 'variant="caption" does without.')
    scorer = package.RougeScorer(["rougeL"], use_stemmer=False)
    return fmean(
        scorer.score(" ".join(reference), " ".join(hypothesis))["rougeL"].fmeasure
        for hypothesis, reference in pairs
    )


def _f(hypothesis: list[str], reference: list[str], beta_squared: float) -> float:
    common = _common(hypothesis, reference)
    if common == 0:
        return 0.0
    precision, recall = common / len(hypothesis), common / len(reference)
    return (1 + beta_squared) * precision * recall / (recall + beta_squared * precision)


def _common(one: list[str], other: list[str]) -> int:
    """Return the length of the longest common subsequence.

    A row of the usual table is one integer: bit i of `flat` is 0 where the row is by 1 greater at
    token i of `one` than before it. All of a row follow from the last in one addition (Hyyrö,
    2004).
    """
    places: defaultdict[str, int] = defaultdict(int)  # at bit i: token i of `one` is this word
    for i, token in enumerate(one):
        places[token] |= 1 << i
    every = (1 << len(one)) - 1
    flat = every
    for token in other:
        match = flat & places[token]
        flat = (flat + match | flat - match) & every
    return len(one) - flat.bit_count()
