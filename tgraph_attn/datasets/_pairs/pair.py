"""A function and what is said of it."""

from typing import NamedTuple


class Pair(NamedTuple):
    """One function of a corpus.

    Attributes:
        source: Its source.
        comment: What is said of it, as it stands there.
        origin: Where it is: a file and a line of it, or a place in a file.
    """

    source: str
    comment: str
    origin: str
