"""The loops of fused edge attention over a range of queries, or of keys.

An array that is not wanted is passed with no elements. Edge arrays are indexed by the caller's
edge numbers, so nothing is sorted but the numbers themselves. Rows are taken out before the loop
over their channels: only then does it fill vector registers.
"""

from typing import Any

import numpy as np

from tgraph_attn._kernel import kernel

Array = Any  # numba reads the types from the arrays


@kernel(reorder_sums=True)
def attend(
    first: int, last: int, pointer: Array, order: Array, key_of: Array, edge_type: Array,
    query: Array, key: Array, value: Array, query_score: Array, key_score: Array,
    bias_table: Array, edge_bias: Array, mask: Array, scale: Any,
    out: Array, type_weight: Array, alpha: Array,
) -> None:  # fmt: skip
    """Write out, type_weight and alpha for the queries first .. last."""
    heads, channels, value_channels = query.shape[1], query.shape[2], value.shape[2]
    is_sorted = len(order) == 0
    has_query_score, has_key_score = query_score.size > 0, key_score.size > 0
    has_table, has_bias = bias_table.size > 0, edge_bias.size > 0
    has_mask, has_weight = mask.size > 0, type_weight.size > 0
    has_type = has_query_score or has_key_score or has_table or has_weight
    top = np.empty(heads, dtype=query.dtype)
    total = np.empty(heads, dtype=query.dtype)
    r = 0
    for i in range(first, last):
        out[i] = 0
        top[:] = -np.inf
        for p in range(pointer[i], pointer[i + 1]):
            e = p if is_sorted else order[p]
            j = key_of[e]
            if has_type:
                r = edge_type[e]
            for h in range(heads):
                score = query.dtype.type(0)
                query_row, key_row = query[i, h], key[j, h]
                for c in range(channels):
                    score += query_row[c] * key_row[c]
                score *= scale
                if has_query_score:
                    score += query_score[i, h, r]
                if has_key_score:
                    score += key_score[j, h, r]
                if has_table:
                    score += bias_table[r, h]
                if has_bias:
                    score += edge_bias[e, h]
                alpha[e, h] = score
                top[h] = max(top[h], score)
        total[:] = 0
        for p in range(pointer[i], pointer[i + 1]):
            e = p if is_sorted else order[p]
            for h in range(heads):
                weight = np.exp(alpha[e, h] - top[h])
                alpha[e, h] = weight
                total[h] += weight
        for p in range(pointer[i], pointer[i + 1]):
            e = p if is_sorted else order[p]
            j = key_of[e]
            for h in range(heads):
                weight = alpha[e, h] / total[h]
                alpha[e, h] = weight
                if has_mask:
                    weight *= mask[e, h]
                if has_weight:
                    type_weight[i, h, edge_type[e]] += weight
                out_row, value_row = out[i, h], value[j, h]
                for c in range(value_channels):
                    out_row[c] += weight * value_row[c]


@kernel(reorder_sums=True)
def attend_backward_by_query(
    first: int, last: int, pointer: Array, order: Array, key_of: Array, edge_type: Array,
    key: Array, value: Array, mask: Array, scale: Any, alpha: Array,
    d_out: Array, d_type_weight: Array, d_alpha: Array,
    d_score: Array, d_query: Array, d_query_score: Array,
) -> None:  # fmt: skip
    """Write d_score, d_query and d_query_score for the queries first .. last."""
    heads, channels, value_channels = key.shape[1], key.shape[2], value.shape[2]
    is_sorted = len(order) == 0
    has_mask, has_weight, has_alpha = mask.size > 0, d_type_weight.size > 0, d_alpha.size > 0
    has_query_score = d_query_score.size > 0
    mean = np.empty(heads, dtype=key.dtype)
    for i in range(first, last):
        d_query[i] = 0
        mean[:] = 0
        for p in range(pointer[i], pointer[i + 1]):
            e = p if is_sorted else order[p]
            j = key_of[e]
            for h in range(heads):
                grad = key.dtype.type(0)
                out_row, value_row = d_out[i, h], value[j, h]
                for c in range(value_channels):
                    grad += out_row[c] * value_row[c]
                if has_weight:
                    grad += d_type_weight[i, h, edge_type[e]]
                if has_mask:
                    grad *= mask[e, h]
                if has_alpha:
                    grad += d_alpha[e, h]
                d_score[e, h] = grad
                mean[h] += alpha[e, h] * grad
        for p in range(pointer[i], pointer[i + 1]):
            e = p if is_sorted else order[p]
            j = key_of[e]
            for h in range(heads):
                grad = alpha[e, h] * (d_score[e, h] - mean[h])
                d_score[e, h] = grad
                if has_query_score:
                    d_query_score[i, h, edge_type[e]] += grad
                grad *= scale
                query_row, key_row = d_query[i, h], key[j, h]
                for c in range(channels):
                    query_row[c] += grad * key_row[c]


@kernel(reorder_sums=True)
def attend_backward_by_key(
    first: int, last: int, pointer: Array, order: Array, query_of: Array, edge_type: Array,
    query: Array, mask: Array, scale: Any, alpha: Array, d_out: Array, d_score: Array,
    d_key: Array, d_value: Array, d_key_score: Array,
) -> None:  # fmt: skip
    """Write d_key, d_value and d_key_score for the keys first .. last."""
    heads, channels, value_channels = query.shape[1], query.shape[2], d_out.shape[2]
    is_sorted = len(order) == 0
    has_mask, has_key_score = mask.size > 0, d_key_score.size > 0
    for j in range(first, last):
        d_key[j] = 0
        d_value[j] = 0
        for p in range(pointer[j], pointer[j + 1]):
            e = p if is_sorted else order[p]
            i = query_of[e]
            for h in range(heads):
                grad = d_score[e, h]
                if has_key_score:
                    d_key_score[j, h, edge_type[e]] += grad
                grad *= scale
                key_row, query_row = d_key[j, h], query[i, h]
                for c in range(channels):
                    key_row[c] += grad * query_row[c]
                weight = alpha[e, h]
                if has_mask:
                    weight *= mask[e, h]
                value_row, out_row = d_value[j, h], d_out[i, h]
                for c in range(value_channels):
                    value_row[c] += weight * out_row[c]


@kernel()
def sum_by_type(edge_type: Array, d_score: Array, d_bias_table: Array) -> None:
    """Add each edge's d_score to the row of its type, in the order of the edges."""
    for e in range(len(edge_type)):
        for h in range(d_score.shape[1]):
            d_bias_table[edge_type[e], h] += d_score[e, h]
