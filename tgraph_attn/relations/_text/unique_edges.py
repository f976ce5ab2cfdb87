"""Put edges in the order that every relation has."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]


def unique_edges(key: Array, query: Array, num_nodes: int) -> tuple[Array, Array]:
    """Return the different edges, sorted by query, then key, and the first place of each.

    Args:
        key: The key of each edge.
        query: The query of each edge.
        num_nodes: How many nodes there are, N.

    Returns:
        edge_index, `[2, E]` int64, and `[E]` int64, where each edge stood first.
    """
    pair, place = np.unique(query * num_nodes + key, return_index=True)
    edge_index = np.empty((2, pair.size), np.int64)
    np.divmod(pair, max(num_nodes, 1), out=(edge_index[1], edge_index[0]))
    return edge_index, place.astype(np.int64, copy=False)
