"""How a comment becomes the words to say."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tgraph_attn._checks import check_choice, check_type
from tgraph_attn.linearize.comment_words import comment_words

_OWNER = "CodeSummaries"
RULES = tuple(sorted(set(inspect.signature(comment_words).parameters) - {"text", "max_words"}))
Words = Callable[[str], list[str]]


def summary_words(comment: str | Mapping[str, Any]) -> tuple[str | dict[str, Any], Words]:
    """Return a way to make words of a comment as plain JSON, and the function that goes this way.

    Args:
        comment: "tokens", "rules", or arguments of `comment_words`.

    Raises:
        ValueError: It is another word, a rule is unknown, or split has no name to tell it by.
        TypeError: It is neither a word nor a mapping, or a rule has a value of another type.
    """
    check_type(_OWNER, "comment", comment, (str, Mapping), 'Pass {"first_sentence": False}.')
    if isinstance(comment, str):
        check_choice(_OWNER, "comment", comment, ("tokens", "rules"))
        return ("tokens", str.split) if comment == "tokens" else ({}, by_rules)
    for rule, value in comment.items():
        check_choice(_OWNER, "each rule of comment", rule, RULES)
        if rule not in ("lower", "split"):
            check_type(_OWNER, f"comment's {rule}", value, bool, "Pass True or False.")
    rules = dict(sorted(comment.items()))
    comment_words("Of a word", **rules)  # which checks their values
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


def by_rules(text: str, **rules: Any) -> list[str]:
    """Return the words of a comment, whose lines are taken as one, by `comment_words`."""
    return comment_words(" ".join(text.split()), **rules)
