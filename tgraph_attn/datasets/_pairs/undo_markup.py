"""The source and the docstring of a function of the code-docstring corpus, as they were."""

import re
from collections.abc import Iterator

# Strings of Python as one line holds them, by the quote that opens them.
_STRINGS = {quote: rf"{quote}(?:[^{quote}\\]|\\.)*{quote}" for quote in "\"'"}
_INDENT = re.compile(r"\s*(?:(?:DCSP|DCTB)\b\s*)+")
_MARK = re.compile(r"\b(?:DCSP|DCTB)\b")


def undo_markup(line: str) -> str:
    r"""Return the source of a line in which DCNL stands for the end of a line, DCSP for an indent.

    One DCSP, or DCTB, at the beginning of a line is a level of four spaces; further on it is left
    alone, and so are all of these words inside of a string.

    Examples:
        >>> undo_markup("def f(a): DCNL DCSP if a: DCNL DCSP  DCSP return 'a DCNL b'")
        "def f(a):\n    if a:\n        return 'a DCNL b'"
    """
    pieces, begin = [], 0
    for found in _ends(line):
        pieces += [line[begin : found.start()], "\n"]
        begin = found.end()
    pieces.append(line[begin:])
    return "\n".join(map(_indented, "".join(pieces).split("\n")))


def undo_description(line: str) -> str:
    r"""Return a docstring of the corpus, which stands in quotes, with DCNL for the end of a line.

    The quotes inside of it have a backslash; nothing else has one that was not there before.

    Examples:
        >>> undo_description(r"'It\'s \alpha. DCNL More.'")
        "It's \\alpha.\nMore."
    """
    text = line.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1].replace(f"\\{text[0]}", text[0])
    return re.sub(r" ?\bDCNL\b ?", "\n", re.sub(r"\b(?:DCSP|DCTB)\b ?", "", text))


def _ends(line: str) -> Iterator[re.Match[str]]:
    """Yield each DCNL outside of strings; a quote that nothing closes opens none.

    Behind such a quote no other one of its kind is closed, so it need not be tried again.
    """
    strings, begin = dict(_STRINGS), 0
    while True:
        part = re.compile("|".join([*strings.values(), *strings, r"( ?\bDCNL\b ?)"]))
        for found in part.finditer(line, begin):
            if found[0] in strings:
                del strings[found[0]]
                begin = found.end()
                break
            if found[1] is not None:
                yield found
        else:
            return


def _indented(line: str) -> str:
    found = _INDENT.match(line)
    if found is None:
        return line
    return " " * 4 * len(_MARK.findall(found[0])) + line[found.end() :]
