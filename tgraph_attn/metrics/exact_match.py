"""How often a hypothesis is its reference."""

from collections.abc import Sequence

from tgraph_attn.metrics._token_pairs import Text, token_pairs


def exact_match(hypotheses: Sequence[Text], references: Sequence[Text]) -> float:
    """Return the fraction of examples whose hypothesis has the tokens of its reference, in order.

    An empty hypothesis matches nothing, and counts as an example.

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
        >>> from tgraph_attn.metrics import exact_match
        >>> exact_match(["get name", ["get"]], [["get", "name"], ["get", "size"]])
        0.5
    """
    pairs = token_pairs("exact_match", hypotheses, references)
    return sum(hypothesis == reference for hypothesis, reference in pairs) / len(pairs)
