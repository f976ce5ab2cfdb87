"""A tree from Python objects inside one another."""

from collections.abc import Mapping
from typing import Any

from tgraph_attn.tree import Tree


def parse_nested(value: Any) -> Tree:
    """Return the tree of dicts and lists inside one another.

    | what | becomes |
    |---|---|
    | dict | a node of kind "dict" over its keys |
    | each key | a node of kind "key", with the key as text, over its value |
    | list, tuple | a node of kind "list" over its items |
    | str | one leaf of kind "str", with the string as text |
    | int, float | one leaf of kind "int" or "float", with the number as text |
    | bool | one leaf of kind "bool", with text "true" or "false" |
    | None | one leaf of kind "null" |

    An object may be as deep as memory allows. One that comes at two places is two subtrees.

    Raises:
        TypeError: There is an object of another kind.
        ValueError: An object contains itself.

    Examples:
        >>> from tgraph_attn.parse import parse_nested
        >>> print(parse_nested({"name": "Ada", "tags": ["x", None]}))
        dict
          key 'name'
            str 'Ada'
          key 'tags'
            list
              str 'x'
              null
    """
    parent: list[int] = []
    kind: list[str] = []
    text: list[str | None] = []
    path: list[tuple[int, int]] = []  # row and id of each dict and list above the next item
    open_ids: set[int] = set()
    stack: list[tuple[str, Any, int]] = [("", value, -1)]
    word: str | None
    while stack:
        what, item, above = stack.pop()
        while path and path[-1][0] > above:
            open_ids.discard(path.pop()[1])
        row = len(parent)
        inside: list[tuple[str, Any, int]] = []
        if what == "key":
            word = str(item[0])
            inside = [("", item[1], row)]
        else:
            what, word = _describe(item, row)
            if what == "dict":
                inside = [("key", pair, row) for pair in item.items()]
            elif what == "list":
                inside = [("", entry, row) for entry in item]
        if what in ("dict", "list"):
            if id(item) in open_ids:
                raise ValueError(
                    f"parse_nested: no object may contain itself, but the {what} at row {row} "
                    "does. Put something else in its place."
                )
            path.append((row, id(item)))
            open_ids.add(id(item))
        parent.append(above)
        kind.append(what)
        text.append(word)
        stack += inside[::-1]
    return Tree(parent, kind, text)


def _describe(item: Any, row: int) -> tuple[str, str | None]:
    """Return the kind of an object and its text."""
    if isinstance(item, str):
        return "str", str(item)
    if item is None:
        return "null", None
    if isinstance(item, bool):
        return "bool", "true" if item else "false"
    if isinstance(item, int):
        return "int", str(int(item))
    if isinstance(item, float):
        return "float", repr(float(item))
    if isinstance(item, Mapping):
        return "dict", None
    if isinstance(item, list | tuple):
        return "list", None
    raise TypeError(
        "parse_nested: an object must be a dict, list, tuple, str, number, bool or None, but the "
        f"one at row {row} is a {type(item).__name__}. Turn it into one of these first."
    )
