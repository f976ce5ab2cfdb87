"""Edges to and from blocks that all see."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tgraph_attn._checks import check_positive


def global_blocks(num_blocks: int, blocks: Sequence[int] = (0, -1)) -> NDArray[np.int64]:
    """Return the edges of blocks that attend to all and are attended to by all.

    Args:
        num_blocks: How many blocks there are, K.
        blocks: Which ones; -1 is the last one, -2 the one before. By default the first and the
            last, as in SASA.

    Returns:
        `[2, E]` int64, sorted by query block (row 1), then key block (row 0).

    Raises:
        ValueError: num_blocks is below 1, or there is no such block.

    Examples:
        >>> from tgraph_attn.relations.blocks import global_blocks
        >>> global_blocks(3, [0]).tolist()
        [[0, 1, 2, 0, 0], [0, 0, 0, 1, 2]]
    """
    check_positive("global_blocks", num_blocks=num_blocks)
    seen = np.zeros((num_blocks, num_blocks), bool)  # [query, key]
    for block in blocks:
        if not -num_blocks <= block < num_blocks:
            raise ValueError(
                f"global_blocks: each of blocks must be in [-{num_blocks}, {num_blocks}), but one "
                f"is {block}. Blocks are numbered from 0 on; -1 is the last one."
            )
        seen[block] = seen[:, block] = True
    query, key = seen.nonzero()
    return np.stack([key, query])
