"""A published file, down to the byte."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PinnedFile:
    """One published file.

    Attributes:
        name: Its path in the raw folder of its data set.
        address: Where it is published.
        size: Its length, in bytes.
        sha256: Its SHA-256, in hexadecimal.
    """

    name: str
    address: str
    size: int
    sha256: str
