"""Edges between the nodes that stand close to each other."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_distance, check_integers, check_num_edges
from tgraph_attn._kernel import kernel
from tgraph_attn.relations._forest import MAX_EDGES


def window_edges(
    pointer: ArrayLike, size: int, *, self_edges: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges, both ways, between the nodes of a graph at most size positions apart.

    The edge from the key j to the query i has type j - i + size.

    Args:
        pointer: Where each graph begins, and where the last one ends, as `ptr` of a PyG `Batch`;
            `[0, N]` for a single graph.
        size: How many positions to reach, P.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **pointer**: `[B + 1]` integers that never fall, the first of them 0

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), and edge_type, `[E]`
        int64 in `[0, 2P + 1)`.

    Raises:
        ValueError: pointer is no such series, size is below 1, or there would be more than 50
            million edges.
        TypeError: pointer or size are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import window_edges
        >>> edge_index, edge_type = window_edges([0, 2, 3], size=1)
        >>> edge_index.tolist(), edge_type.tolist()
        ([[0, 1, 0, 1, 2], [0, 0, 1, 1, 2]], [1, 2, 0, 1, 1])
    """
    check_distance("window_edges", size=size)
    bounds = check_integers("window_edges", "pointer", pointer, (None,))
    sizes = np.diff(bounds)
    if bounds.size < 1 or bounds[0] != 0 or (sizes < 0).any():
        raise ValueError(
            "window_edges: pointer must begin with 0 and never fall, but is "
            f"{np.array2string(bounds, threshold=8)}. For a single graph of N nodes, pass [0, N]."
        )
    num_nodes = int(bounds[-1])
    reach = np.clip(sizes - 1, 0, size)
    num_pairs = int((reach * sizes - reach * (reach + 1) // 2).sum())
    num_self = num_nodes if self_edges else 0
    instead = "Pass a smaller size."
    num_edges = check_num_edges("window_edges", num_pairs, num_self, MAX_EDGES, instead)
    edge_index = np.empty((2, num_edges), np.int64)
    edge_type = np.empty(num_edges, np.int64)
    _fill(bounds, size, self_edges, edge_index, edge_type)
    return edge_index, edge_type


@kernel()
def _fill(bounds, size, self_edges, edge_index, edge_type):  # type: ignore[no-untyped-def]
    e = 0
    for graph in range(bounds.size - 1):
        low, high = bounds[graph], bounds[graph + 1]
        for i in range(low, high):
            for j in range(max(low, i - size), min(high, i + size + 1)):
                if j != i or self_edges:
                    edge_index[0, e] = j
                    edge_index[1, e] = i
                    edge_type[e] = j - i + size
                    e += 1
