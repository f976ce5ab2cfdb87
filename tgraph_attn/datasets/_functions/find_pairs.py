"""The functions of a file that have a comment."""

import re
import textwrap
from bisect import bisect_right
from collections import Counter
from itertools import accumulate

import numpy as np

from tgraph_attn.datasets._functions.find_functions import docstring_of
from tgraph_attn.datasets._functions.pair import Pair
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.tree import Tree

SUFFIXES = {"python": ".py", "java": ".java"}
_METHODS = ("method_declaration", "constructor_declaration")
_LINK = re.compile(r"\{@\w+\s+([^{}]*)\}")


def find_pairs(
    source: str, language: str, file: str, *, bare: bool = False
) -> tuple[list[Pair], Counter[str]]:
    """Return each function of a file that has a docstring, or a Javadoc comment, in their order.

    The docstring is no part of the source of a function, and nor is the comment before a method.
    Methods and functions inside of others are among them.

    Args:
        source: The file's text.
        language: Its language, of `SUFFIXES`.
        file: Its name.
        bare: Whether to return all others too, as they stand, with an empty comment.

    Returns:
        The functions, and how many were left out, by reason.
    """
    comments = "drop" if language == "python" else "keep"
    tree = parse_code(source, language, subtokens="off", strings="keep", comments=comments)
    ends = list(accumulate(len(line) + 1 for line in source.split("\n")))
    kinds = ("function_definition",) if language == "python" else _METHODS
    pairs, dropped = [], Counter[str]()
    for row in np.flatnonzero(np.isin(tree.kind, kinds)).tolist():
        found = (_python if language == "python" else _java)(tree, row, source)
        if isinstance(found, str) and not bare:
            dropped[found] += 1
            continue
        if isinstance(found, str):
            found = _text(source, *tree.span[row].tolist()), ""
        line = bisect_right(ends, tree.span[row, 0]) + 1
        pairs.append(Pair(*found, f"{file}:{line}"))
    return pairs, dropped


def _python(tree: Tree, row: int, source: str) -> tuple[str, str] | str:
    """Return source and docstring of a function, or why there is none."""
    begin, end, docstring = docstring_of(tree, row, source)
    if docstring is None:
        return "no docstring"
    first, last = tree.span[row].tolist()
    cut, after = int(tree.span[begin, 0]), int(tree.span[begin, 1])
    body = int(tree.children(row)[-1])
    if end - begin == int(tree.subtree_size[body]) - 1:
        return "no body"
    rest = source[after:last].lstrip(" \t;")
    if rest.startswith("\n"):  # the docstring's line goes with it, its indent too
        cut = len(source[:cut].rstrip(" \t"))
        rest = rest[1:] if source[cut - 1] == "\n" else rest
    return _text(source, first, cut, rest), docstring


def _java(tree: Tree, row: int, source: str) -> tuple[str, str] | str:
    """Return source and Javadoc of a method, or why there is none."""
    siblings = tree.children(int(tree.parent[row]))
    place = int(tree.child_position[row])
    before = int(siblings[place - 1]) if place else -1
    if before < 0 or not (tree.text[before] or "").startswith("/**"):
        return "no docstring"
    return _text(source, *tree.span[row].tolist()), javadoc_text(tree.text[before])


def _text(source: str, begin: int, end: int, rest: str = "") -> str:
    """Return source[begin:end] + rest without the indent that its first line has."""
    start = source.rfind("\n", 0, begin) + 1
    indent = source[start:begin] if not source[start:begin].strip() else ""
    return textwrap.dedent(indent + source[begin:end] + rest)


def javadoc_text(comment: str) -> str:
    """Return what a Javadoc comment says before its first tag, without stars and braces."""
    lines = comment.removeprefix("/**").removesuffix("*/").split("\n")
    lines = [line.strip().removeprefix("*").strip() for line in lines]
    tag = next((n for n, line in enumerate(lines) if line.startswith("@")), len(lines))
    return _LINK.sub(r"\1", "\n".join(lines[:tag])).strip()
