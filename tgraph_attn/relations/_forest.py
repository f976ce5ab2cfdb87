"""What every relation reads first: the columns of one or more trees, checked."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers, fail_parent
from tgraph_attn._kernel import kernel

MAX_EDGES = 50_000_000  # 24 bytes each: 1.2 GB


class Forest(NamedTuple):
    """Trees in pre-order, one after the other, as in a PyG `Batch`.

    Shapes:
        - **parent**: `[N]` int64; -1 at each root
        - **depth**: `[N]` int64; 0 at each root
        - **subtree_size**: `[N]` int64; the subtree of node i is i .. i + subtree_size[i] - 1
    """

    parent: NDArray[np.int64]
    depth: NDArray[np.int64]
    subtree_size: NDArray[np.int64]


def read_forest(owner: str, parent: ArrayLike) -> Forest:
    """Return the columns of a forest, or raise an error that says why it is none."""
    rows = check_integers(owner, "parent", parent, (None,))
    if rows.size == 0:
        fail_parent(owner, rows, 0, forest=True)
    wrong, depth, subtree_size = _measure(rows)
    if wrong >= 0:
        fail_parent(owner, rows, int(wrong), forest=True)
    return Forest(rows, depth, subtree_size)


@kernel()
def _measure(parent):  # type: ignore[no-untyped-def]
    """Return the first row that breaks the pre-order (or -1), depth and subtree_size."""
    n = parent.size
    depth = np.empty(n, np.int64)
    subtree_size = np.ones(n, np.int64)
    path = np.empty(n, np.int64)  # from the root of the tree to the row before
    length = 0
    for i in range(n):
        p = parent[i]
        d = 0
        if p != -1:
            if p < 0 or p >= i:
                return i, depth, subtree_size
            d = depth[p] + 1
            if d > length or path[d - 1] != p:
                return i, depth, subtree_size
        depth[i] = d
        path[d] = i
        length = d + 1
    for i in range(n - 1, 0, -1):
        if parent[i] != -1:
            subtree_size[parent[i]] += subtree_size[i]
    return -1, depth, subtree_size
