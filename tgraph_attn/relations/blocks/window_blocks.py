"""Edges between blocks that stand close to each other."""

import numpy as np
from numpy.typing import NDArray

from tgraph_attn._checks import check_positive


def window_blocks(num_blocks: int, size: int = 3) -> NDArray[np.int64]:
    """Return the edges from the blocks of a window around each block, the block itself too.

    Args:
        num_blocks: How many blocks there are, K.
        size: How many blocks a window has, w, an odd number: the block in the middle, and
            (w - 1) / 2 on each side, where there are so many.

    Returns:
        `[2, E]` int64, sorted by query block (row 1), then key block (row 0).

    Raises:
        ValueError: num_blocks is below 1, or size is below 1 or even.

    Examples:
        >>> from tgraph_attn.relations.blocks import window_blocks
        >>> window_blocks(3, size=3).tolist()
        [[0, 1, 0, 1, 2, 1, 2], [0, 0, 1, 1, 1, 2, 2]]
    """
    check_positive("window_blocks", num_blocks=num_blocks, size=size)
    if size % 2 == 0:
        raise ValueError(
            f"window_blocks: size must be odd, the block and as many on each side, but is {size}. "
            f"Pass {size - 1} or {size + 1}."
        )
    reach = size // 2
    query = np.repeat(np.arange(num_blocks), size)
    key = query + np.tile(np.arange(-reach, reach + 1), num_blocks)
    inside = (key >= 0) & (key < num_blocks)
    return np.stack([key[inside], query[inside]])
