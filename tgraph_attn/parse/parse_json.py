"""A tree from JSON."""

import re
from json import JSONDecodeError, JSONDecoder
from typing import NoReturn

from tgraph_attn._checks import check_positive
from tgraph_attn.parse._code.source_text import read_source
from tgraph_attn.parse.parse_error import ParseError
from tgraph_attn.tree import Tree

_SPACE = re.compile(r"[ \t\n\r]*")
_CONTAINERS = {"{": "dict", "[": "list"}
_NAMES = {type(None): "null", bool: "bool", int: "int", float: "float", str: "str"}
_SCALAR = JSONDecoder(parse_int=lambda digits: 0)  # only the kind is asked for


def parse_json(source: str | bytes, *, max_depth: int = 1000) -> Tree:
    """Return the tree of a JSON text, with the kinds that `parse_nested` gives.

    Numbers keep the text that they are written with. NaN, Infinity and -Infinity, which are no JSON
    but which `json.dumps` writes, are leaves of kind "float". `span` says where each node is
    written.

    Args:
        source: The text; bytes are read as UTF-8. A mark of the byte order is skipped.
        max_depth: How many objects and arrays may be inside one another. A deeper text is refused
            before it is read to the end.

    Raises:
        ParseError: The text is no JSON, is deeper, or has a key twice in one object.

    Examples:
        >>> from tgraph_attn.parse import parse_json
        >>> print(parse_json('{"size": 2.50, "of": [null, "x"]}'))
        dict
          key 'size'
            float '2.50'
          key 'of'
            list
              null
              str 'x'
    """
    check_positive("parse_json", max_depth=max_depth)
    return _Reader(read_source("parse_json", source), max_depth).read()


class _Reader:
    """One pass over the text: no recursion, whatever the depth."""

    def __init__(self, text: str, max_depth: int) -> None:
        self.text = text
        self.max_depth = max_depth
        self.at = int(text.startswith("\ufeff"))
        self.parent: list[int] = []
        self.kind: list[str] = []
        self.words: list[str | None] = []
        self.span: list[list[int]] = []
        self.open: list[tuple[int, set[str]]] = []  # row and keys of what is not closed yet

    def read(self) -> Tree:
        """Return the tree of the whole text."""
        above = -1
        while True:
            if self._next() in _CONTAINERS:
                row = self._add(_CONTAINERS[self.text[self.at]], None, above, self.at + 1)
                self.open.append((row, set()))
                if len(self.open) > self.max_depth:
                    self._fail(
                        f"at most max_depth={self.max_depth} values in one another", "one more"
                    )
                self.at += 1
                if self._next() != self._closing():
                    above = self._before_value()
                    continue
            else:
                self._scalar(above)
            while self.open and self._next() == self._closing():
                self.at += 1
                self.span[self.open.pop()[0]][1] = self.at
            if not self.open:
                break
            if self._next() != ",":
                self._fail(f"',' or {self._closing()!r}")
            self.at += 1
            above = self._before_value()
        if self._next():
            self._fail("the end")
        return Tree(self.parent, self.kind, self.words, self.span)

    def _before_value(self) -> int:
        """Return the row that the next value hangs under, which may be a key to read first."""
        row, keys = self.open[-1]
        if self.kind[row] == "list":
            return row
        if self._next() != '"':
            self._fail("a key in double quotes")
        begin = self.at
        key = str(self._decode())
        if key in keys:
            end, self.at = self.at, begin
            self._fail("each key once in an object", f"{self.text[begin:end]} again")
        keys.add(key)
        above = self._add("key", key, row, self.at, begin)
        if self._next() != ":":
            self._fail("':'")
        self.at += 1
        return above

    def _scalar(self, above: int) -> None:
        begin = self.at
        value = self._decode()
        text = value if isinstance(value, str) else self.text[begin : self.at]
        self._add(_NAMES[type(value)], None if value is None else text, above, self.at, begin)

    def _decode(self) -> object:
        """Return the string, number or name that comes next, and go behind it."""
        try:
            value, self.at = _SCALAR.raw_decode(self.text, self.at)
        except JSONDecodeError as error:
            self.at = max(self.at, error.pos)
            self._fail("a value" if error.msg == "Expecting value" else "a correct string")
        return value

    def _add(
        self, kind: str, text: str | None, above: int, end: int, begin: int | None = None
    ) -> int:
        self.parent.append(above)
        self.kind.append(kind)
        self.words.append(text)
        self.span.append([self.at if begin is None else begin, end])
        return len(self.parent) - 1

    def _next(self) -> str:
        """Return the next character that is no space, or "" at the end."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        return self.text[self.at : self.at + 1]

    def _closing(self) -> str:
        return "}" if self.kind[self.open[-1][0]] == "dict" else "]"

    def _fail(self, expected: str, got: str | None = None) -> NoReturn:
        got = got or repr(self.text[self.at : self.at + 10] or "the end of the text")
        raise ParseError.at(
            f"parse_json: there must be {expected}, but there is {got}. Correct the text",
            self.text,
            self.at,
        )
