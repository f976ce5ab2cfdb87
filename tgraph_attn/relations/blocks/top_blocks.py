"""The edges of the blocks that belong together most."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_positive
from tgraph_attn.relations.blocks._check_count import check_count


def top_blocks(count: ArrayLike, k: int) -> NDArray[np.int64]:
    """Return for each query block the edges from the k key blocks with the highest counts.

    Blocks with a count of 0 are never taken, so a query block may get fewer. Of equal counts the
    smaller block comes first. With k of as many blocks as there are, or more, all that count are
    taken.

    Args:
        count: How much two blocks have to do with each other.
        k: How many key blocks to take for each query block.

    Shapes:
        - **count**: `[K, K]` numbers from 0 on; row i is of query block i

    Returns:
        `[2, E]` int64, sorted by query block (row 1), then key block (row 0).

    Raises:
        ValueError: count is not square or has a number below 0 or NaN, or k is below 1.

    Examples:
        >>> from tgraph_attn.relations.blocks import top_blocks
        >>> top_blocks([[5, 0, 1], [2, 2, 2], [0, 0, 0]], k=2).tolist()
        [[0, 2, 0, 1], [0, 0, 1, 1]]

    Source:
        SASA (Liu et al., SIGIR 2022).
    """
    check_positive("top_blocks", k=k)
    counts = check_count("top_blocks", count)
    best = (-counts).argsort(axis=1, kind="stable")[:, :k]
    taken = np.zeros(counts.shape, bool)
    np.put_along_axis(taken, best, True, axis=1)
    query, key = (taken & (counts > 0)).nonzero()
    return np.stack([key, query])
