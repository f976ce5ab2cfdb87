"""How many sub-tokens of names are found."""

from collections import Counter
from collections.abc import Sequence

from tgraph_attn.metrics._token_pairs import Text, token_pairs


def subtoken_f1(hypotheses: Sequence[Text], references: Sequence[Text]) -> float:
    """Return the F1 of sub-tokens, over all examples at once, whatever their order in a name.

    A sub-token that comes m times in the hypothesis and n times in the reference is found
    min(m, n) times. With the counts of all examples added up::

        precision = found / sub-tokens in hypotheses
        recall    = found / sub-tokens in references
        f1        = 2 * precision * recall / (precision + recall)
                  = 2 * found / (sub-tokens in hypotheses + sub-tokens in references)

    An empty hypothesis finds nothing, and its reference counts as missed.

    Args:
        hypotheses: What was predicted for each example: a str, split on whitespace, or its tokens.
        references: What is right, likewise; as it is, with no word replaced by `<unk>`.

    Returns:
        A fraction in [0, 1], not per cent.

    Raises:
        ValueError: The two differ in length, are empty, a reference has no token, or a token holds
            whitespace.
        TypeError: One of them is a str, or a text is neither a str nor a list of str.

    Examples:
        >>> from tgraph_attn.metrics import subtoken_f1
        >>> subtoken_f1(["get name", "open"], ["get file name", "open"])  # 3 found of 3, and of 4
        0.8571428571428571

    Source:
        code2seq (Alon et al., ICLR 2019), as its released code adds counts up over examples. There
        a predicted sub-token is right as often as it is predicted, if it is in the reference at
        all, so that "get get" finds "get" twice; and `<unk>` is taken out of both names. The two
        agree where no name repeats a sub-token and none is unknown.
    """
    found = total = 0
    for hypothesis, reference in token_pairs("subtoken_f1", hypotheses, references):
        found += (Counter(hypothesis) & Counter(reference)).total()
        total += len(hypothesis) + len(reference)
    return 2 * found / total
