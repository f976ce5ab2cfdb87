"""The leaves of a tree that say something, and their words."""

import numpy as np

from tgraph_attn.parse._code.kind_tables import NUMBER, is_number
from tgraph_attn.parse.split_identifier import split_identifier
from tgraph_attn.tree import Integers, Tree


def find_terminals(tree: Tree, *, mark_numbers: bool) -> tuple[Integers, list[tuple[str, ...]]]:
    """Return the rows of the terminals, ascending, and the words of each.

    A terminal is a node that has text and no child, or one that has sub-tokens below it and nothing
    else. Sub-tokens themselves are none. Its words are those sub-tokens, or, for an identifier
    without any, those that `split_identifier` finds; for any other node its text, as it is.
    """
    is_word = tree.kind == "subtoken"
    before = np.concatenate(([0], np.cumsum(is_word)))
    here = np.arange(tree.num_nodes)
    num_words = before[here + tree.subtree_size] - before[here]  # a sub-token counts itself
    says = (tree.subtree_size == 1) & (tree.text != None)  # noqa: E711
    rows = np.flatnonzero(np.where(num_words > 0, num_words == tree.subtree_size - 1, says))
    words: list[tuple[str, ...]] = []
    kinds, texts = tree.kind[rows].tolist(), tree.text[rows].tolist()
    for row, kind, text in zip(rows.tolist(), kinds, texts, strict=True):
        if num_words[row]:
            said = tree.text[row + 1 : row + 1 + num_words[row]].tolist()
            words.append(tuple(word or "" for word in said))
        elif mark_numbers and is_number(kind):
            words.append((NUMBER,))
        elif kind.endswith("identifier"):
            words.append(tuple(split_identifier(text)))
        else:
            words.append((text,))
    return rows, words
