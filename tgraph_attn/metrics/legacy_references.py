"""References as some released code scores them."""

from collections.abc import Sequence

from tgraph_attn._checks import check_positive
from tgraph_attn.metrics._token_pairs import Text, reference_tokens
from tgraph_attn.vocab import Vocab


def legacy_references(
    references: Sequence[Text], vocab: Vocab, *, max_words: int = 28
) -> list[list[str]]:
    """Return references cut, and with `<unk>` for unknown words, to score as some papers did.

    Scores against these are higher or lower than against whole references, and depend on the
    vocabulary: give them beside the true ones, to compare with published numbers.

    Args:
        references: What is right for each example: a str, split on whitespace, or its tokens.
        vocab: The numbering of the words of targets.
        max_words: How many words to keep of each.

    Returns:
        The tokens of each reference, to pass to a metric.

    Raises:
        ValueError: max_words is below 1, there are no references, one has no token, or a token
            holds whitespace.
        TypeError: references is a str, or one of them is neither a str nor a list of str.

    Examples:
        >>> from tgraph_attn.metrics import legacy_references
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["get", "the", "name"])
        >>> legacy_references(["get the nickname of it"], vocab, max_words=4)
        [['get', 'the', '<unk>', '<unk>']]

    Source:
        The released code of NeuralCodeSum (Ahmad et al., ACL 2020), and after it of AST-Trans (Tang
        et al., ICSE 2022), which rebuilds references from ids: 28 words and two that mark the ends.
    """
    owner = "legacy_references"
    check_positive(owner, max_words=max_words)
    unknown = vocab.tokens[Vocab.UNK]
    return [
        [word if word in vocab else unknown for word in reference[:max_words]]
        for reference in reference_tokens(owner, references)
    ]
