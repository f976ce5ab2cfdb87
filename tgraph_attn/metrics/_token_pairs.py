"""What every metric of sequences takes: hypotheses and references, as tokens."""

from collections.abc import Collection, Iterable, Sequence

from tgraph_attn._checks import check_type

Text = str | Sequence[str]


def token_pairs(
    owner: str, hypotheses: Sequence[Text], references: Sequence[Text]
) -> list[tuple[list[str], list[str]]]:
    """Return the tokens of each hypothesis and of its reference; a str is split on whitespace.

    Raises:
        TypeError: A list is a str or none, or an element is neither a str nor a list of str.
        ValueError: The lists differ in length, are empty, a reference has no token, or a token is
            empty or holds whitespace: a reference inside a list of references, for example.
    """
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        _check_list(owner, name, texts)
    if len(hypotheses) != len(references) or not references:
        raise ValueError(
            f"{owner}: hypotheses and references must be as many, and at least one, but are "
            f"{len(hypotheses)} and {len(references)}. Keep an empty hypothesis: it scores 0."
        )
    said = [_tokens(owner, row, hypothesis) for row, hypothesis in enumerate(hypotheses)]
    return list(zip(said, reference_tokens(owner, references), strict=True))


def reference_tokens(owner: str, references: Sequence[Text]) -> list[list[str]]:
    """Return the tokens of each reference, checked as `token_pairs` does.

    Raises:
        TypeError: references is a str or no list, or one is neither a str nor a list of str.
        ValueError: There is none, one has no token, or a token is empty or holds whitespace.
    """
    _check_list(owner, "references", references)
    if not references:
        raise ValueError(
            f"{owner}: references must be at least one, but are 0. Pass one for each example."
        )
    rows = []
    for row, reference in enumerate(references):
        rows.append(_tokens(owner, row, reference))
        if not rows[-1]:
            raise ValueError(
                f"{owner}: each reference must have a token, but number {row} is {reference!r}. "
                "Leave out examples that have no reference."
            )
    return rows


def _check_list(owner: str, name: str, texts: Sequence[Text]) -> None:
    if isinstance(texts, str):
        raise TypeError(
            f"{owner}: {name} must be a list with one text for each example, but got the str "
            f"{texts[:20]!r}. Pass [{texts[:20]!r}] for a single example."
        )
    check_type(owner, name, texts, Collection, "Pass a list with one text for each example.")


def _tokens(owner: str, row: int, text: Text) -> list[str]:
    if isinstance(text, str):
        return text.split()
    if not isinstance(text, Iterable):
        raise TypeError(
            f"{owner}: each text must be a str or a list of str, but number {row} is {text!r}. "
            'Pass "" where nothing was said.'
        )
    tokens = list(text)
    wrong = next((token for token in tokens if not isinstance(token, str)), None)
    if wrong is not None:
        raise TypeError(
            f"{owner}: each text must be a str or a list of str, but number {row} holds "
            f"{wrong!r} ({type(wrong).__name__}). Decode ids first, with vocab.decode(ids)."
        )
    wrong = next((token for token in tokens if token.split() != [token]), None)
    if wrong is not None:
        raise ValueError(
            f"{owner}: each token must be a word without whitespace, but number {row} holds "
            f"{wrong!r}. Pass the text itself, a str, in place of a list around it."
        )
    return tokens
