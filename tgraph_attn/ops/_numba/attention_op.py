"""Fused edge attention as two torch operators, which torch.compile takes as they are."""

from typing import Any

import torch
from torch import Tensor

from tgraph_attn._checks_tensor import check_range
from tgraph_attn.ops._numba.arrays import array, optional_array, scalar, type_array
from tgraph_attn.ops._numba.attention_kernels import (
    attend,
    attend_backward_by_key,
    attend_backward_by_query,
    sum_by_type,
)
from tgraph_attn.ops._numba.edge_order import edge_order
from tgraph_attn.ops._numba.thread_pool import run_over_ranges


@torch.library.custom_op("tgraph_attn::attend", mutates_args=(), device_types="cpu")
def attend_op(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    query_score: Tensor | None,
    key_score: Tensor | None,
    bias_table: Tensor | None,
    edge_bias: Tensor | None,
    mask: Tensor | None,
    scale: float,
    weight_types: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Attend along edges, with what the tables add already looked up as scores.

    For an edge e of type r from key j to query i, and a head h::

        score[e, h] = scale * q[i, h] · k[j, h] + query_score[i, h, r] + key_score[j, h, r]
                      + bias_table[r, h] + edge_bias[e, h]
        alpha[e, h] = softmax of score over all edges into i
        out[i, h]   = sum of alpha[e, h] * mask[e, h] * v[j, h] over all edges into i

    Returns out `[Nq, H, Cv]`; how much weight went to each type, `[Nq, H, weight_types]`; and
    alpha `[E, H]`.
    """
    check_range("edge_attention", "the query of an edge", edge_index[1], query.size(0))
    check_range("edge_attention", "the key of an edge", edge_index[0], key.size(0))
    for table, dim in ((query_score, 2), (key_score, 2), (bias_table, 0)):
        if table is not None and edge_type is not None:
            check_range("edge_attention", "edge_type", edge_type, table.size(dim))
    if weight_types and edge_type is not None:
        check_range("edge_attention", "edge_type", edge_type, weight_types)
    num_queries, heads, _ = query.shape
    out = value.new_empty(num_queries, heads, value.size(2))
    type_weight = value.new_zeros(num_queries, heads, weight_types)
    alpha = value.new_empty(edge_index.size(1), heads)
    source, target = array(edge_index)
    order = edge_order(target, num_queries)
    given = (
        *order,
        source,
        type_array(edge_type),
        *map(array, (query, key, value)),
        *(optional_array(t, query, 3) for t in (query_score, key_score)),
        *(optional_array(t, query, 2) for t in (bias_table, edge_bias, mask)),
        scalar(scale, query),
        *map(array, (out, type_weight, alpha)),
    )
    work = alpha.numel() * (query.size(2) + value.size(2))
    run_over_ranges(lambda first, last: attend(first, last, *given), order.pointer, work)
    return out, type_weight, alpha


@attend_op.register_fake
def _(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    query_score: Tensor | None,
    key_score: Tensor | None,
    bias_table: Tensor | None,
    edge_bias: Tensor | None,
    mask: Tensor | None,
    scale: float,
    weight_types: int,
) -> tuple[Tensor, Tensor, Tensor]:
    num_queries, heads, _ = query.shape
    return (
        value.new_empty(num_queries, heads, value.size(2)),
        value.new_empty(num_queries, heads, weight_types),
        value.new_empty(edge_index.size(1), heads),
    )


@torch.library.custom_op("tgraph_attn::attend_backward", mutates_args=(), device_types="cpu")
def attend_backward_op(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    mask: Tensor | None,
    alpha: Tensor,
    d_out: Tensor,
    d_type_weight: Tensor | None,
    d_alpha: Tensor | None,
    scale: float,
    score_types: list[int],
) -> list[Tensor]:
    """Return the gradients of query, key, value, query_score, key_score, bias_table, edge_bias.

    `score_types` holds how many types query_score, key_score and bias_table have, 0 for none; the
    gradient of what is not there has no elements.
    """
    (num_queries, heads, _), num_keys = query.shape, key.size(0)
    d_query, d_key, d_value = (t.new_empty(t.shape) for t in (query, key, value))
    d_query_score = query.new_zeros(num_queries, heads, score_types[0])
    d_key_score = query.new_zeros(num_keys, heads, score_types[1])
    d_bias_table = query.new_zeros(score_types[2], heads)
    d_score = alpha.new_empty(alpha.shape)
    source, target = array(edge_index)
    types, factor = type_array(edge_type), scalar(scale, query)
    masks, alphas, d_outs, d_scores = (
        optional_array(mask, query, 2),
        *map(array, (alpha, d_out, d_score)),
    )

    order = edge_order(target, num_queries)
    by_query = (
        *(*order, source, types, array(key), array(value), masks, factor, alphas, d_outs),
        *(optional_array(d_type_weight, query, 3), optional_array(d_alpha, query, 2)),
        *(d_scores, array(d_query), array(d_query_score)),
    )
    work = alpha.numel() * (query.size(2) + value.size(2))
    run_over_ranges(
        lambda first, last: attend_backward_by_query(first, last, *by_query), order.pointer, work
    )
    order = edge_order(source, num_keys)
    by_key = (
        *(*order, target, types, array(query), masks, factor, alphas, d_outs, d_scores),
        *map(array, (d_key, d_value, d_key_score)),
    )
    run_over_ranges(
        lambda first, last: attend_backward_by_key(first, last, *by_key), order.pointer, work
    )
    if score_types[2]:
        sum_by_type(types, d_scores, array(d_bias_table))
    return [d_query, d_key, d_value, d_query_score, d_key_score, d_bias_table, d_score]


@attend_backward_op.register_fake
def _(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    mask: Tensor | None,
    alpha: Tensor,
    d_out: Tensor,
    d_type_weight: Tensor | None,
    d_alpha: Tensor | None,
    scale: float,
    score_types: list[int],
) -> list[Tensor]:
    (num_queries, heads, _), num_keys = query.shape, key.size(0)
    return [
        *(t.new_empty(t.shape) for t in (query, key, value)),
        query.new_empty(num_queries, heads, score_types[0]),
        query.new_empty(num_keys, heads, score_types[1]),
        query.new_empty(score_types[2], heads),
        alpha.new_empty(alpha.shape),
    ]


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    query, key, value, edge_index, edge_type, *scores, mask, scale, _ = inputs
    query_score, key_score, bias_table, edge_bias = scores
    ctx.save_for_backward(query, key, value, edge_index, edge_type, mask, output[2])
    ctx.scale = scale
    ctx.score_types = [
        0 if table is None else table.size(dim)
        for table, dim in ((query_score, 2), (key_score, 2), (bias_table, 0))
    ]
    ctx.has_edge_bias = edge_bias is not None
    ctx.set_materialize_grads(False)


def _backward(
    ctx: Any, d_out: Tensor | None, d_type_weight: Tensor | None, d_alpha: Tensor | None
) -> tuple[Tensor | None, ...]:
    query, key, value, edge_index, edge_type, mask, alpha = ctx.saved_tensors
    if d_out is None:
        d_out = value.new_zeros(query.size(0), query.size(1), value.size(2))
    d_query, d_key, d_value, *d_scores, d_score = attend_backward_op(
        *(query, key, value, edge_index, edge_type, mask, alpha),
        *(d_out.contiguous(), _contiguous(d_type_weight), _contiguous(d_alpha)),
        *(ctx.scale, ctx.score_types),
    )
    tables = [d if n else None for d, n in zip(d_scores, ctx.score_types, strict=True)]
    edge_bias = d_score if ctx.has_edge_bias else None
    return d_query, d_key, d_value, None, None, *tables, edge_bias, None, None, None


attend_op.register_autograd(_backward, setup_context=_setup_context)


def _contiguous(tensor: Tensor | None) -> Tensor | None:
    return None if tensor is None else tensor.contiguous()
