"""Which blocks each block attends to, those with equally many together."""

from typing import NamedTuple

import torch
from torch import Tensor


class BlockRows(NamedTuple):
    """Query blocks that attend to D key blocks each.

    Shapes:
        - **query**: `[G]` int64, ascending
        - **key**: `[G, D]` int64, each row ascending
    """

    query: Tensor
    key: Tensor


def block_rows(block_index: Tensor, num_blocks: int) -> list[BlockRows]:
    """Return the rows of all query blocks that attend to any, each pair of blocks once.

    Args:
        block_index: `[2, E]` int64 in `[0, num_blocks)`; row 0 is the key block, row 1 the query
            block. Pairs may come in any order, and more than once.
        num_blocks: How many blocks there are.
    """
    pairs = torch.unique(block_index[1] * num_blocks + block_index[0])  # sorted by query, then key
    query, key = pairs // num_blocks, pairs % num_blocks
    degree = query.bincount(minlength=num_blocks)
    start = degree.cumsum(0) - degree
    rows = []
    for width in degree.unique().tolist():
        if width:
            queries = (degree == width).nonzero().flatten()
            places = start[queries].unsqueeze(1) + torch.arange(width, device=key.device)
            rows.append(BlockRows(queries, key[places]))
    return rows
