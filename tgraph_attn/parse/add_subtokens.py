"""The words of each identifier as nodes of their own."""

from itertools import chain

import numpy as np

from tgraph_attn._checks import check_choice
from tgraph_attn.parse.split_identifier import PIECES
from tgraph_attn.tree import Tree


def add_subtokens(tree: Tree, mode: str = "children") -> Tree:
    """Return the tree with a node of kind "subtoken" for each word of each identifier.

    An identifier is a leaf with text whose kind ends in "identifier", such as `type_identifier`
    and `property_identifier`. It loses its text to the words that `split_identifier` finds; each
    word has its own `span`, and the `source` of its identifier.

    Args:
        tree: A tree whose identifiers still have their text, such as
            `parse_code(source, language, subtokens="off")`.
        mode: "children" puts the words side by side under the identifier, "chain" each one under
            the word before it, and "off" returns the tree as it is.

    Raises:
        ValueError: The mode is another one.

    Examples:
        >>> from tgraph_attn.parse import add_subtokens
        >>> from tgraph_attn.tree import Tree
        >>> print(add_subtokens(Tree([-1, 0], ["call", "identifier"], [None, "getName"])))
        call
          identifier
            subtoken 'get'
            subtoken 'name'

    Source:
        Words side by side: AST-Trans (Tang et al., ICSE 2022), which puts them beside the
        structural children; as a chain: CSA-Trans (Oh and Yoo, 2024).
    """
    check_choice("add_subtokens", "mode", mode, ("children", "chain", "off"))
    rows = np.flatnonzero((tree.subtree_size == 1) & (tree.text != None))  # noqa: E711
    kinds = tree.kind[rows].tolist()
    splits = {kind: kind.endswith("identifier") for kind in set(kinds)}
    rows = rows[np.fromiter(map(splits.__getitem__, kinds), np.bool_, len(kinds))]
    if mode == "off" or rows.size == 0:
        return tree
    words, places = zip(*map(PIECES.__getitem__, tree.text[rows].tolist()), strict=True)
    num_words = np.fromiter(map(len, words), np.int64, rows.size)
    num_new = int(num_words.sum())
    owner = np.repeat(rows, num_words)  # of each word
    size = tree.num_nodes + num_new
    extra = np.zeros(tree.num_nodes, np.int64)
    extra[rows] = num_words
    old = np.arange(tree.num_nodes) + np.cumsum(extra) - extra  # where each old row goes
    is_new = np.ones(size, np.bool_)
    is_new[old] = False
    new = np.flatnonzero(is_new)  # where each word goes

    parent = np.empty(size, np.int64)
    parent[old] = old[tree.parent]
    parent[0] = -1
    parent[new] = old[owner]
    if mode == "chain":
        follows = new[is_new[new - 1]]
        parent[follows] = follows - 1
    kind = np.full(size, "subtoken", object)
    kind[old] = tree.kind
    text = np.full(size, None, object)
    text[old] = tree.text
    text[old[rows]] = None
    text[new] = np.fromiter(chain.from_iterable(words), object, num_new)
    place = np.fromiter(chain.from_iterable(places), np.int64, 2 * num_new).reshape(-1, 2)
    begin = tree.span[owner, :1]
    span = np.empty((size, 2), np.int64)
    span[old] = tree.span
    span[new] = np.where(begin >= 0, begin + place, -1)
    source = np.empty(size, np.int64)
    source[old] = tree.source
    source[new] = tree.source[owner]
    faults = tree.faults.copy()
    faults[:, 0] = old[faults[:, 0]]
    return Tree(parent, kind, text, span, source, faults=faults)
