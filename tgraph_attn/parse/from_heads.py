"""A tree from the head of each word of a sentence."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from tgraph_attn._checks import check_integers
from tgraph_attn.parse._preorder import preorder
from tgraph_attn.tree import Tree


def from_heads(
    heads: ArrayLike, tokens: Sequence[str] | None = None, *, virtual_root: bool = True
) -> Tree:
    """Return the tree of a dependency parse.

    A word that is its own head is a root. Words are nodes of kind "token"; the children of a node
    are in the order of the sentence, and `source` keeps each one's place there.

    Read a spaCy document with `from_heads([word.head.i for word in doc], [word.text for word in
    doc])`, and CoNLL-U, which counts heads from 1 and has 0 for a root, with
    `from_heads([i if head == 0 else head - 1 for i, head in enumerate(column)])`.

    Args:
        heads: The position of each word's head, from 0.
        tokens: The words.
        virtual_root: Put a node of kind "virtual_root" above the roots, whose `source` is -1.
            Without it there must be one root.

    Shapes:
        - **heads**: `[number of words]` int, each in `[0, number of words)`

    Raises:
        ValueError: There is no word, a head is outside the sentence, heads lead round a cycle, or
            there are several roots and no virtual one.

    Examples:
        >>> from tgraph_attn.parse import from_heads
        >>> tree = from_heads([1, 1, 3, 3], ["She", "left", "he", "stayed"])
        >>> tree.parent.tolist(), tree.source.tolist()
        ([-1, 0, 1, 0, 3], [-1, 1, 0, 3, 2])
    """
    head = check_integers("from_heads", "heads", heads, (None,))
    n = head.size
    if n == 0:
        raise ValueError(
            "from_heads: heads must have at least one word, but has none. "
            "Leave empty sentences out."
        )
    if tokens is not None and (isinstance(tokens, str) or len(tokens) != n):
        raise ValueError(
            f"from_heads: tokens must have one word for each of the {n} heads, but has "
            f"{len(tokens)}. Pass a list of that length."
        )
    outside = np.flatnonzero((head < 0) | (head >= n))
    if outside.size:
        raise ValueError(
            f"from_heads: a head must be a word of the sentence, in [0, {n}), but that of word "
            f"{outside[0]} is {head[outside[0]]}. Count from 0, and make a root its own head."
        )
    children: list[list[int]] = [[] for _ in range(n)]
    roots: list[int] = []
    for word, above in enumerate(head.tolist()):
        (roots if above == word else children[above]).append(word)
    if len(roots) > 1 and not virtual_root:
        raise ValueError(
            f"from_heads: there must be one root, but words {roots[0]} and {roots[1]} are both "
            "their own head. Pass virtual_root=True to put a node above them."
        )
    order, parent = preorder(roots, children.__getitem__, above=0 if virtual_root else -1)
    if len(order) < n:
        lost = min(set(range(n)) - set(order))
        raise ValueError(
            f"from_heads: heads must lead to a root, but from word {lost} they lead round a "
            "cycle. Make the root its own head."
        )
    kind, text = ["token"] * n, [None if tokens is None else tokens[word] for word in order]
    if virtual_root:
        order, parent = [-1, *order], [-1, *parent]
        kind, text = ["virtual_root", *kind], [None, *text]
    return Tree(parent, kind, text, source=order)
