"""How a comment becomes the words to say."""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tgraph_attn._checks import check_choice, check_type
from tgraph_attn.linearize.comment_words import comment_words

_OWNER = "CodeSummaries"
_OF_WORDS = set(inspect.signature(comment_words).parameters) - {"text", "max_words"}
RULES = tuple(sorted(_OF_WORDS | {"first_paragraph"}))
_EMPTY_LINE = re.compile(r"\n\s*\n")
Words = Callable[[str], list[str]]


def summary_words(
    comment: str | Mapping[str, Any], *, first_paragraph: bool = False
) -> tuple[str | dict[str, Any], Words]:
    """Return a way to make words of a comment as plain JSON, and the function that goes this way.

    Args:
        comment: "tokens", "rules", or arguments of `by_rules`.
        first_paragraph: Whether rules keep the first paragraph alone, if they do not say so.

    Raises:
        ValueError: It is another word, a rule is unknown, or split has no name to tell it by.
        TypeError: It is neither a word nor a mapping, or a rule has a value of another type.
    """
    check_type(_OWNER, "comment", comment, (str, Mapping), 'Pass {"first_sentence": False}.')
    if isinstance(comment, str):
        check_choice(_OWNER, "comment", comment, ("tokens", "rules"))
        if comment == "tokens":
            return "tokens", str.split
        comment = {}
    for rule, value in comment.items():
        check_choice(_OWNER, "each rule of comment", rule, RULES)
        if rule not in ("lower", "split"):
            check_type(_OWNER, f"comment's {rule}", value, bool, "Pass True or False.")
    defaults = {"first_paragraph": True} if first_paragraph else {}
    rules = dict(sorted({**defaults, **comment}.items()))
    by_rules("Of a word", **rules)  # which checks their values
    told = dict(rules)
    if rules.get("split") is not None:
        split = rules["split"]
        told["split"] = f"{getattr(split, '__module__', '')}.{getattr(split, '__qualname__', '<>')}"
        if "<" in told["split"]:
            raise ValueError(
                f"{_OWNER}: comment's split must be a function of a module, for what it makes is "
                f"kept under its name, but got {split!r}. Give it a def of its own."
            )
    return told, partial(by_rules, **rules)


def by_rules(text: str, *, first_paragraph: bool = False, **rules: Any) -> list[str]:
    """Return the words of a comment, or its first paragraph, as one line, by `comment_words`."""
    if first_paragraph:
        text = _EMPTY_LINE.split(text.strip(), maxsplit=1)[0]
    return comment_words(" ".join(text.split()), **rules)
