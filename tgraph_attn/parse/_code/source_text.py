"""The text that was handed in, the bytes that the parser reads, and the way between them."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tgraph_attn.parse.parse_error import ParseError


def read_source(owner: str, source: Any) -> str:
    """Return the text of a source given as str or as UTF-8 bytes; line ends stay as they are.

    Raises:
        ParseError: The bytes are not UTF-8.
        TypeError: It is neither str nor bytes.
    """
    if isinstance(source, str):
        return source
    if not isinstance(source, bytes | bytearray | memoryview):
        raise TypeError(
            f"{owner}: source must be str or bytes, but got {type(source).__name__}. "
            "Pass the text itself, such as Path(name).read_bytes()."
        )
    data = bytes(source)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise ParseError.at(
            f"{owner}: bytes must be UTF-8, but hold 0x{data[error.start]:02x}. Decode them "
            "first, such as with source.decode('latin-1')",
            before,
            len(before),
        ) from None


def encode(text: str) -> bytes:
    """Return the bytes for the parser, which stand where the text's own would.

    A lone surrogate becomes U+FFFD. A lone carriage return, which ends a line but does not for
    tree-sitter, becomes a line feed: otherwise a comment would swallow all that follows.
    """
    if "\r" in text:
        text = re.sub("\r(?!\n)", "\n", text)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode("utf-8")


def to_characters(
    data: bytes, position: NDArray[np.int64], num_characters: int
) -> NDArray[np.int64]:
    """Return how many characters come before each position, which counts bytes."""
    if num_characters == len(data):
        return position
    first = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
    before = np.zeros(len(data) + 1, np.int64)
    np.cumsum(first, out=before[1:])
    return before[position]
