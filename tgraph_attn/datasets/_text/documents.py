"""A text with its class, before anything is made of it."""

from dataclasses import dataclass

SPLITS = ("train", "test")


@dataclass(frozen=True)
class Document:
    """One text to classify.

    Attributes:
        text: The raw text.
        label: The name of its class.
        tokens: Its words, where the source says them itself.
        heads: The head of each token, as `from_heads` takes them, where the source says it.
    """

    text: str
    label: str
    tokens: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None


Splits = dict[str, list[Document]]
