"""The words that an identifier is made of."""

import re
from itertools import chain

# HTTPServer -> HTTP Server, sizeOf -> size Of, utf8 -> utf 8
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def split_identifier(text: str) -> list[str]:
    """Return the words of an identifier, in lower case.

    A word ends at an underscore or another sign, where a lower-case letter meets an upper-case
    one, before the last of several upper-case letters that a lower-case one follows, and where
    letters and digits meet. An identifier of signs alone, such as `_`, is one word.

    Args:
        text: An identifier: nothing in it is taken for a number, so `inf` and `nan` are words.

    Examples:
        >>> from tgraph_attn.parse import split_identifier
        >>> split_identifier("parseHTTPServer2_names"), split_identifier("__")
        (['parse', 'http', 'server', '2', 'names'], ['__'])
    """
    return list(PIECES[text][0])


class _Pieces(dict[str, tuple[tuple[str, ...], tuple[int, ...]]]):
    """The words of each identifier seen before, and where each begins and ends in it, in turn."""

    def __missing__(self, text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
        if len(self) > 100_000:
            self.clear()
        places = _places(text) or [(0, len(text))]
        words = tuple(text[begin:end].lower() for begin, end in places)
        self[text] = words, tuple(chain.from_iterable(places))
        return self[text]


PIECES = _Pieces()


def _places(text: str) -> list[tuple[int, int]]:
    shape = text if text.isascii() else "".join(map(_letter, text))
    return [match.span() for match in _WORD.finditer(shape)]


def _letter(character: str) -> str:
    """Return A, a, 0 or _ for a character of any alphabet, to which the same rule applies."""
    if character.isdigit():
        return "0"
    if character.isupper() or character.istitle():
        return "A"
    return "a" if character != "_" and f"a{character}".isidentifier() else "_"
