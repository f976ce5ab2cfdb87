"""The tokens of a program, as a model of sequences reads it."""

import re

from tgraph_attn.parse.split_identifier import split_identifier

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"|(?P<word>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>[^\w\s])"
)
STRING = "<string>"


def code_tokens(source: str) -> list[str]:
    """Return the words of names and keywords, numbers, signs, and `<string>` for each string.

    Examples:
        >>> code_tokens('return maxSize + "a b"')
        ['return', 'max', 'size', '+', '<string>']
    """
    tokens: list[str] = []
    for found in _TOKEN.finditer(source):
        if found.lastgroup == "word":
            tokens += split_identifier(found[0])
        else:
            tokens.append(STRING if found.lastgroup == "string" else found[0])
    return tokens
