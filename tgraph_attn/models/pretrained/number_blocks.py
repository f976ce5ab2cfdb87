"""The blocks of the texts of a batch, numbered on."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from tgraph_attn._checks import check_integers, check_positive, check_within


def number_blocks(patterns: Sequence[ArrayLike], length: int, block_size: int = 32) -> Tensor:
    """Return the edges between blocks of all texts of a batch.

    Args:
        patterns: Each text's edges between its blocks, from 0 on.
        length: How many tokens each text of the batch has, padding included, L.
        block_size: How many tokens a block has, b.

    Shapes:
        - **patterns**: `[2, E]` integers in `[0, K)` each, where K = ceil(L / b); row 0 is the key
          block, row 1 the query block

    Returns:
        `[2, E']` int64: block k of text n is called n * K + k.

    Raises:
        ValueError: length or block_size is below 1, or a text has no such block.
        TypeError: A pattern holds no whole numbers.

    Examples:
        >>> from tgraph_attn.models.pretrained import number_blocks
        >>> number_blocks([[[0], [1]], [[1], [0]]], length=6, block_size=4).tolist()
        [[0, 3], [1, 2]]
    """
    owner = "number_blocks"
    check_positive(owner, length=length, block_size=block_size)
    num_blocks = -(-length // block_size)
    parts = [np.empty((2, 0), np.int64)]
    for text, pattern in enumerate(patterns):
        name = f"the pattern of text {text}"
        edges = check_integers(owner, name, pattern, (2, None))
        hint = "Was it made for a longer text, or for another block_size?"
        check_within(owner, name, edges, num_blocks, hint)
        parts.append(edges + text * num_blocks)
    return torch.from_numpy(np.concatenate(parts, axis=1))
