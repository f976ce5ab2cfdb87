"""The check of a matrix that says how much blocks have to do with each other."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_count(owner: str, count: ArrayLike) -> NDArray[np.float64]:
    """Return count as numbers, or raise ValueError unless it is square, of numbers from 0 on."""
    counts = np.asarray(count, np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(
            f"{owner}: count must have shape [K, K], a row for each query block, but has "
            f"{list(counts.shape)}. tree_block_counts and pair_block_counts make it."
        )
    if not (counts >= 0).all():
        query, key = np.argwhere(~(counts >= 0))[0]
        raise ValueError(
            f"{owner}: count must hold numbers from 0 on, but that of query block {query} and key "
            f"block {key} is {counts[query, key]}. Pass how often, not a score with a sign."
        )
    return counts
