"""The functions of a Python file, each as the tree that a model may see."""

import ast
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from tgraph_attn.parse.split_identifier import split_identifier
from tgraph_attn.tree import Tree

MASK = "<mask>"


@dataclass(frozen=True)
class Function:
    """One function.

    Attributes:
        name: Its name.
        line: The line of its `def`, from 1.
        docstring: Its docstring, or None.
        tree: Its tree without name and docstring, identifiers still in one piece.
    """

    name: str
    line: int
    docstring: str | None
    tree: Tree


def find_functions(tree: Tree, source: str) -> Iterator[Function]:
    """Yield each function of a file, also methods and those inside of others, in their order.

    The docstring is cut out, and each identifier with the same words as the name becomes one node
    of kind "<mask>": also where the function calls itself, or an attribute or keyword is named so.

    Args:
        tree: The file's tree, from `parse_code(source, "python", subtokens="off")`.
        source: The file's text.
    """
    line_ends = list(accumulate(len(line) + 1 for line in source.split("\n")))
    for row in np.flatnonzero(tree.kind == "function_definition").tolist():
        begin, end, docstring = docstring_of(tree, row, source)
        name = tree.text[row + 1]
        yield Function(
            name=name,
            line=bisect_right(line_ends, tree.span[row, 0]) + 1,
            docstring=docstring,
            tree=_mask(_without(tree.subtree(row), begin - row, end - row), name),
        )


def docstring_of(tree: Tree, function: int, source: str) -> tuple[int, int, str | None]:
    """Return the first row of the docstring's statement, the row behind it, and the docstring."""
    none = function, function, None
    body = int(tree.children(function)[-1])
    first = body + 1
    if tree.subtree_size[body] == 1 or tree.kind[first] != "expression_statement":
        return none
    if tree.kind[first + 1] not in ("string", "concatenated_string", "parenthesized_expression"):
        return none
    begin, end = tree.span[first].tolist()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            value = ast.parse(source[begin:end], mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return none
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return none
    return first, first + int(tree.subtree_size[first]), value.value


def _without(tree: Tree, begin: int, end: int) -> Tree:
    """Return the tree without the rows from begin to end, which are one subtree or none."""
    if begin == end:
        return tree
    kept = np.r_[:begin, end : tree.num_nodes]
    parent = tree.parent[kept]
    parent[parent >= end] -= end - begin
    return Tree(parent, tree.kind[kept], tree.text[kept], tree.span[kept], tree.source[kept])


def _mask(tree: Tree, name: str) -> Tree:
    """Return the tree with each identifier that has the words of name as a node of kind MASK."""
    words = split_identifier(name)
    kind, text = tree.kind.copy(), tree.text.copy()
    for row, (what, said) in enumerate(zip(kind.tolist(), text.tolist(), strict=True)):
        if said is not None and what.endswith("identifier") and split_identifier(said) == words:
            kind[row], text[row] = MASK, None
    return Tree(tree.parent, kind, text, tree.span, tree.source)
