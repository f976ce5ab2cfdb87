"""The functions of a file that have a comment."""

import re
from bisect import bisect_right
from collections import Counter
from itertools import accumulate

import numpy as np

from tgraph_attn.datasets._pairs.cut_docstring import cut_docstring
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.parse._code.kind_tables import is_comment
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.tree import Tree

FAULTY_FILES = "files with syntax errors"
SUFFIXES = {"python": ".py", "java": ".java"}
METHODS = (
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
)
_LINK = re.compile(r"\{@\w+\s+([^\s{}][^{}]*)?\}")  # \s and [^{}] apart: so it is linear
_INHERIT = re.compile(r"\{@inheritDoc\s*\}")


def find_pairs(
    source: str, language: str, file: str, *, bare: bool = False
) -> tuple[list[Pair], Counter[str]]:
    """Return each function of a file that has a docstring, or a Javadoc comment, in their order.

    The docstring is no part of the source of a function, and nor is the comment before a method.
    Methods and functions inside of others are among them. Each has the indent that it would have
    at the left edge.

    Args:
        source: The file's text.
        language: Its language, of `SUFFIXES`.
        file: Its name.
        bare: Whether to return all others too, with an empty comment; what is but a docstring
            comes without it.

    Returns:
        The functions, and how many were left out, by reason; of a file without any, why; and of a
        file with syntax errors a 1 as `FAULTY_FILES`.
    """
    comments = "drop" if language == "python" else "keep"
    tree = parse_code(source, language, subtokens="off", strings="keep", comments=comments)
    ends = list(accumulate(len(line) + 1 for line in source.split("\n")))
    kinds = ("function_definition",) if language == "python" else METHODS
    pairs, dropped = [], Counter[str]()
    for row in np.flatnonzero(np.isin(tree.kind, kinds)).tolist():
        begin, end = tree.span[row].tolist()
        if language == "python":
            found = cut_docstring(tree, row, source, end, bare=bare)
        else:
            found = _method(tree, row, source)
        if isinstance(found, str) and not bare:
            dropped[found] += 1
            continue
        text, comment = (_with_indent(source, begin, end), "") if isinstance(found, str) else found
        pairs.append(Pair(_outdented(text), comment, f"{file}:{bisect_right(ends, begin) + 1}"))
    if not pairs and not dropped:
        dropped["file with syntax errors" if len(tree.faults) else "file without function"] = 1
    if len(tree.faults):
        dropped[FAULTY_FILES] = 1
    return pairs, dropped


def javadoc_text(comment: str) -> str:
    """Return what a Javadoc comment says before its first tag, without stars and braces.

    The comment may have lost its signs, as in files of JSON lines.
    """
    lines = comment.removeprefix("/**").removesuffix("*/").split("\n")
    lines = [line.strip().strip("*").strip() for line in lines]
    tag = next((n for n, line in enumerate(lines) if line.startswith("@")), len(lines))
    return _LINK.sub(r"\1", _INHERIT.sub("", "\n".join(lines[:tag]))).strip()


def _method(tree: Tree, row: int, source: str) -> tuple[str, str] | str:
    """Return source and Javadoc of a method, or why there is none."""
    above = row - 1  # a comment is a leaf: it is in the row before, if it is next to the method
    while tree.parent[above] == tree.parent[row] and is_comment(tree.kind[above]):
        text = tree.text[above] or ""
        if text.startswith("/**") and any(map(str.isalnum, text)):  # not a line of stars, or /**/
            return _with_indent(source, *tree.span[row].tolist()), javadoc_text(text)
        above -= 1
    return "no docstring"


def _with_indent(source: str, begin: int, end: int) -> str:
    """Return source[begin:end], and with it the spaces before it, if its line has nothing else."""
    line = source.rfind("\n", 0, begin) + 1
    return source[begin if source[line:begin].strip() else line : end]


def _outdented(text: str) -> str:
    """Return the text with its first line at the left edge, and the others as far from it.

    Lines that begin further left, such as those of a long string, stay as they are.
    """
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    return re.sub(f"^{indent}", "", text, flags=re.MULTILINE) if indent else text
