"""The loops of edge aggregation over a range of the nodes that receive.

Rows are taken out before the loop over their channels: only then does it fill vector registers.

An array that is not wanted is passed with no elements. Edge arrays are indexed by the caller's
edge numbers.
"""

from typing import Any

import numpy as np

from tgraph_attn._kernel import kernel

Array = Any  # numba reads the types from the arrays


@kernel(reorder_sums=True)
def sum_edges(
    first: int, last: int, pointer: Array, order: Array, other: Array, value: Array, weight: Array,
    out: Array,
) -> None:  # fmt: skip
    """Write `out[n] = sum of weight[e] * value[other[e]]` over the edges of nodes first .. last."""
    heads, channels = value.shape[1], value.shape[2]
    is_sorted, has_weight = len(order) == 0, weight.size > 0
    for n in range(first, last):
        out[n] = 0
        for p in range(pointer[n], pointer[n + 1]):
            e = p if is_sorted else order[p]
            for h in range(heads):
                factor = weight[e, h] if has_weight else value.dtype.type(1)
                out_row, value_row = out[n, h], value[other[e], h]
                for c in range(channels):
                    out_row[c] += factor * value_row[c]


@kernel(reorder_sums=True)
def dot_edges(
    first: int, last: int, pointer: Array, order: Array, other: Array, value: Array, grad: Array,
    d_weight: Array,
) -> None:  # fmt: skip
    """Write `d_weight[e] = grad[n] · value[other[e]]` for the edges of nodes first .. last."""
    heads, channels = value.shape[1], value.shape[2]
    is_sorted = len(order) == 0
    for n in range(first, last):
        for p in range(pointer[n], pointer[n + 1]):
            e = p if is_sorted else order[p]
            for h in range(heads):
                total = value.dtype.type(0)
                grad_row, value_row = grad[n, h], value[other[e], h]
                for c in range(channels):
                    total += grad_row[c] * value_row[c]
                d_weight[e, h] = total


@kernel()
def max_edges(
    first: int, last: int, pointer: Array, order: Array, other: Array, value: Array, weight: Array,
    out: Array, winner: Array,
) -> None:  # fmt: skip
    """Write the largest `weight[e] * value[other[e]]`, and the first edge that has it, else -1."""
    heads, channels = value.shape[1], value.shape[2]
    is_sorted, has_weight = len(order) == 0, weight.size > 0
    for n in range(first, last):
        out[n] = 0
        winner[n] = -1
        for p in range(pointer[n], pointer[n + 1]):
            e = p if is_sorted else order[p]
            for h in range(heads):
                factor = weight[e, h] if has_weight else value.dtype.type(1)
                out_row, value_row, winner_row = out[n, h], value[other[e], h], winner[n, h]
                for c in range(channels):
                    message = factor * value_row[c]
                    larger = message > out_row[c] or np.isnan(message)
                    if winner_row[c] < 0 or larger:
                        out_row[c] = message
                        winner_row[c] = e


@kernel()
def max_edges_backward(
    other: Array, value: Array, weight: Array, winner: Array, grad: Array, d_value: Array,
    d_weight: Array,
) -> None:  # fmt: skip
    """Add each node's gradient to the value and the weight of the edge that won."""
    has_weight = weight.size > 0
    nodes, heads, channels = grad.shape
    for n in range(nodes):
        for h in range(heads):
            for c in range(channels):
                e = winner[n, h, c]
                if e < 0:
                    continue
                if has_weight:
                    d_value[other[e], h, c] += weight[e, h] * grad[n, h, c]
                    d_weight[e, h] += value[other[e], h, c] * grad[n, h, c]
                else:
                    d_value[other[e], h, c] += grad[n, h, c]
