"""How close the blocks of a program are in its tree."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from tgraph_attn._checks import check_integers, check_positive
from tgraph_attn._kernel import kernel
from tgraph_attn.tree import Tree


def tree_block_counts(tree: Tree, token_start: ArrayLike, block_size: int) -> NDArray[np.int64]:
    r"""Return how many pairs of tokens of two blocks stand close to each other in a tree.

    A token belongs to the deepest node that covers its first character, and hangs at that node's
    parent; at the node itself if that has children, as the bracket of a call does, or is the root.
    Two tokens are close if they hang at the same node, or at a node and its child. A token is close
    to itself. Tokens that stand nowhere in the text, as those that a tokenizer adds, are close to
    none. The counts are symmetric. Time is linear in tokens and nodes, beyond the counts.

    Args:
        tree: A tree with spans, as `parse_code` makes it.
        token_start: The place of each token's first character in the text; -1 for none.
        block_size: How many tokens a block has, b.

    Shapes:
        - **token_start**: `[L]` integers

    Returns:
        `[K, K]` int64, where K = ceil(L / b).

    Raises:
        ValueError: The tree has no spans, or block_size is below 1.
        TypeError: token_start holds no whole numbers.

    Examples:
        >>> from tgraph_attn.parse import parse_code
        >>> from tgraph_attn.relations.blocks import tree_block_counts
        >>> tree = parse_code("a = b\nc = d\n", "python", subtokens="off")
        >>> tree_block_counts(tree, [0, 4, 6, 10], block_size=2).tolist()  # a, b; c, d
        [[4, 0], [0, 4]]

    Source:
        SASA (Liu et al., SIGIR 2022), section 3.3, which does not say how tokens and nodes
        are matched: this is our reading.
    """
    owner = "tree_block_counts"
    check_positive(owner, block_size=block_size)
    start = check_integers(owner, "token_start", token_start, (None,))
    if (tree.span < 0).all():
        raise ValueError(
            f"{owner}: tree must have spans, where each node is in the text, but has none. Make it "
            "with parse_code."
        )
    num_blocks = -(-start.size // block_size)
    hook = _hooks(tree.parent, tree.span, start)
    up = np.where(hook >= 0, tree.parent[hook], -1)
    at, above = (
        csr_array(
            (np.ones(there.sum(), np.int64), (np.flatnonzero(there) // block_size, node[there])),
            shape=(num_blocks, tree.num_nodes),
        )
        for node in (hook, up)
        for there in [node >= 0]
    )
    beside, over = (at @ at.T).toarray(), (above @ at.T).toarray()
    return beside + over + over.T


@kernel()
def _hooks(parent, span, start):  # type: ignore[no-untyped-def]
    """Return the node at which each token hangs, -1 for none."""
    n = parent.size
    has_child = np.zeros(n, np.bool_)
    for i in range(1, n):
        has_child[parent[i]] = True
    hook = np.full(start.size, -1, np.int64)
    first = span[:, 0].copy()  # ascending, as nodes are in pre-order
    for t in range(start.size):
        place = start[t]
        if place < 0:
            continue
        node = np.searchsorted(first, place, side="right") - 1
        while node >= 0 and span[node, 1] <= place:
            node = parent[node]
        if node > 0 and not has_child[node]:
            node = parent[node]
        hook[t] = node
    return hook
