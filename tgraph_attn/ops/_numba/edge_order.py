"""Edges grouped by one of their ends, by a counting sort."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tgraph_attn._kernel import kernel


class EdgeOrder(NamedTuple):
    """Which edges each node has.

    The edges of node n are `order[p]` for p in `pointer[n] .. pointer[n + 1]`, in ascending order;
    an empty `order` says that they are p itself, because the edges came sorted.

    Shapes:
        - **pointer**: `[N + 1]` int64
        - **order**: `[E]` or `[0]` int64
    """

    pointer: NDArray[np.int64]
    order: NDArray[np.int64]


def edge_order(node: NDArray[np.int64], num_nodes: int) -> EdgeOrder:
    """Return the edges of each node, where `node[e]` in `[0, num_nodes)` is one end of edge e."""
    pointer = np.zeros(num_nodes + 1, dtype=np.int64)
    if _count(node, pointer):
        return EdgeOrder(pointer, np.empty(0, dtype=np.int64))
    order = np.empty(len(node), dtype=np.int64)
    _place(node, pointer[:-1].copy(), order)
    return EdgeOrder(pointer, order)


@kernel()
def _count(node: NDArray[np.int64], pointer: NDArray[np.int64]) -> bool:
    """Fill pointer; return whether node is sorted."""
    is_sorted = True
    before = 0
    for e in range(len(node)):
        if node[e] < before:
            is_sorted = False
        before = node[e]
        pointer[before + 1] += 1
    for n in range(len(pointer) - 1):
        pointer[n + 1] += pointer[n]
    return is_sorted


@kernel()
def _place(node: NDArray[np.int64], cursor: NDArray[np.int64], order: NDArray[np.int64]) -> None:
    """Write each edge at its node's cursor, which moves on."""
    for e in range(len(node)):
        n = node[e]
        order[cursor[n]] = e
        cursor[n] += 1
