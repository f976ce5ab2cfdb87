"""The union of patterns of blocks."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers


def merge_blocks(*patterns: ArrayLike) -> NDArray[np.int64]:
    """Return the edges that are in any of the patterns, each once.

    Args:
        patterns: Edges between blocks.

    Shapes:
        - **patterns**: `[2, E]` integers from 0 on each; row 0 is the key block, row 1 the query

    Returns:
        `[2, E]` int64, sorted by query block (row 1), then key block (row 0).

    Raises:
        ValueError: A pattern has another shape, or a block below 0.
        TypeError: A pattern holds no whole numbers.

    Examples:
        >>> from tgraph_attn.relations.blocks import global_blocks, merge_blocks, window_blocks
        >>> merge_blocks(window_blocks(3, 1), global_blocks(3, [0])).tolist()
        [[0, 1, 2, 0, 1, 0, 2], [0, 0, 0, 1, 1, 2, 2]]
    """
    none = np.empty((2, 0), np.int64)
    pairs = [check_integers("merge_blocks", "a pattern", p, (2, None)) for p in patterns]
    key, query = np.concatenate([none, *pairs], axis=1)
    if key.size and min(key.min(), query.min()) < 0:
        raise ValueError(
            "merge_blocks: blocks must be numbered from 0 on, but one is "
            f"{min(key.min(), query.min())}. global_blocks alone takes -1 for the last one."
        )
    width = int(key.max(initial=0)) + 1
    merged = np.unique(query * width + key)
    return np.stack([merged % width, merged // width])
