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
from tgraph_attn.ops._numba.tables import add_rows, products, table_gradient
from tgraph_attn.ops._numba.thread_pool import run_over_ranges


@torch.library.custom_op("tgraph_attn::attend", mutates_args=(), device_types="cpu")
def attend_op(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    key_table: Tensor | None,
    query_table: Tensor | None,
    value_table: Tensor | None,
    bias_table: Tensor | None,
    edge_bias: Tensor | None,
    mask: Tensor | None,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` of `edge_attention`, its weights, and the types' share.

    The tables enter through small products of nodes with types, so that an edge costs one dot
    product and one scaled sum whatever they are::

        q[i, h] · key_table[r, h] and query_table[r, h] · k[j, h]    looked up in [N, H, T]
        sum over e of w[e, h] * value_table[r, h]    (weight of each type into i) · value_table

    The weights are `[E, H]`; the last output is how much weight went to each type, `[Nq, H, T]`,
    kept for the backward pass, without elements if there is no value_table.
    """
    check_range("edge_attention", "the query of an edge", edge_index[1], query.size(0))
    check_range("edge_attention", "the key of an edge", edge_index[0], key.size(0))
    for table in (key_table, query_table, value_table, bias_table):
        if table is not None and edge_type is not None:
            check_range("edge_attention", "edge_type", edge_type, table.size(0))
    out, alpha, type_weight = _outputs(query, value, edge_index, value_table)
    query_score = None if key_table is None else products(query, key_table * scale)
    key_score = None if query_table is None else products(key, query_table * scale)
    source, target = array(edge_index)
    order = edge_order(target, query.size(0))
    given = (
        *order,
        source,
        type_array(edge_type),
        *map(array, (query, key, value)),
        *(optional_array(t, query, 3) for t in (query_score, key_score)),
        *(optional_array(t, query, 2) for t in (bias_table, edge_bias, mask)),
        scalar(scale, query),
        *map(array, (out, type_weight.zero_(), alpha)),
    )
    work = alpha.numel() * (query.size(2) + value.size(2))
    run_over_ranges(lambda first, last: attend(first, last, *given), order.pointer, work)
    if value_table is not None:
        add_rows(out, type_weight, value_table)
    return out, alpha, type_weight


@attend_op.register_fake
def _(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    key_table: Tensor | None,
    query_table: Tensor | None,
    value_table: Tensor | None,
    bias_table: Tensor | None,
    edge_bias: Tensor | None,
    mask: Tensor | None,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    return _outputs(query, value, edge_index, value_table)


def _outputs(
    query: Tensor, value: Tensor, edge_index: Tensor, value_table: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    num_queries, heads, _ = query.shape
    num_types = 0 if value_table is None else value_table.size(0)
    return (
        value.new_empty(num_queries, heads, value.size(2)),
        value.new_empty(edge_index.size(1), heads),
        value.new_empty(num_queries, heads, num_types),
    )


@torch.library.custom_op("tgraph_attn::attend_backward", mutates_args=(), device_types="cpu")
def attend_backward_op(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    key_table: Tensor | None,
    query_table: Tensor | None,
    value_table: Tensor | None,
    bias_table: Tensor | None,
    mask: Tensor | None,
    alpha: Tensor,
    type_weight: Tensor,
    d_out: Tensor,
    d_alpha: Tensor | None,
    scale: float,
) -> list[Tensor]:
    """Return the gradients of query, key, value, the four tables, and edge_bias.

    The gradient of a table that is not there has no elements.
    """
    tables = (key_table, query_table, value_table, bias_table)
    gradients = _gradients(query, key, value, tables, alpha)
    d_query, d_key, d_value, d_key_table, d_query_table, d_value_table, d_bias, d_score = gradients
    d_query_score, d_key_score = (
        nodes.new_zeros(*nodes.shape[:2], 0 if table is None else table.size(0))
        for nodes, table in ((query, key_table), (key, query_table))
    )
    d_type_weight = None
    if value_table is not None:
        d_type_weight = products(d_out, value_table)
        d_value_table.copy_(table_gradient(type_weight, d_out, value_table))
    source, target = array(edge_index)
    types, factor, masks = (
        type_array(edge_type),
        scalar(scale, query),
        optional_array(mask, query, 2),
    )
    alphas, d_outs, d_scores = map(array, (alpha, d_out, d_score))
    work = alpha.numel() * (query.size(2) + value.size(2))

    order = edge_order(target, query.size(0))
    by_query = (
        *(*order, source, types, array(key), array(value), masks, factor, alphas, d_outs),
        *(optional_array(d_type_weight, query, 3), optional_array(d_alpha, query, 2)),
        *(d_scores, array(d_query), array(d_query_score)),
    )
    run_over_ranges(
        lambda first, last: attend_backward_by_query(first, last, *by_query), order.pointer, work
    )
    order = edge_order(source, key.size(0))
    by_key = (
        *(*order, target, types, array(query), masks, factor, alphas, d_outs, d_scores),
        *map(array, (d_key, d_value, d_key_score)),
    )
    run_over_ranges(
        lambda first, last: attend_backward_by_key(first, last, *by_key), order.pointer, work
    )
    if key_table is not None:
        add_rows(d_query, d_query_score, key_table * scale)
        d_key_table.copy_(table_gradient(d_query_score, query, key_table) * scale)
    if query_table is not None:
        add_rows(d_key, d_key_score, query_table * scale)
        d_query_table.copy_(table_gradient(d_key_score, key, query_table) * scale)
    if bias_table is not None:
        sum_by_type(types, d_scores, array(d_bias.zero_()))
    return gradients


@attend_backward_op.register_fake
def _(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None,
    key_table: Tensor | None,
    query_table: Tensor | None,
    value_table: Tensor | None,
    bias_table: Tensor | None,
    mask: Tensor | None,
    alpha: Tensor,
    type_weight: Tensor,
    d_out: Tensor,
    d_alpha: Tensor | None,
    scale: float,
) -> list[Tensor]:
    tables = (key_table, query_table, value_table, bias_table)
    return _gradients(query, key, value, tables, alpha)


def _gradients(
    query: Tensor, key: Tensor, value: Tensor, tables: tuple[Tensor | None, ...], alpha: Tensor
) -> list[Tensor]:
    """Return memory for the gradients, which has to be contiguous whatever their tensors are."""
    shapes = [(0,) if table is None else table.shape for table in tables]
    return [
        *(tensor.new_empty(tensor.shape) for tensor in (query, key, value)),
        *(query.new_empty(shape) for shape in shapes),
        alpha.new_empty(alpha.shape),
    ]


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    *tensors, edge_bias, mask, ctx.scale = inputs
    ctx.save_for_backward(*tensors, mask, *output[1:])
    ctx.has_edge_bias = edge_bias is not None
    ctx.set_materialize_grads(False)


def _backward(
    ctx: Any, d_out: Tensor | None, d_alpha: Tensor | None, _: Tensor | None
) -> tuple[Tensor | None, ...]:
    saved = ctx.saved_tensors
    query, _, value, _, _, *tables = saved[:9]
    if d_out is None:
        d_out = value.new_zeros(query.size(0), query.size(1), value.size(2))
    d_alpha = None if d_alpha is None else d_alpha.contiguous()
    *d_nodes, d_key_table, d_query_table, d_value_table, d_bias_table, d_score = attend_backward_op(
        *saved, d_out.contiguous(), d_alpha, ctx.scale
    )
    d_tables = (d_key_table, d_query_table, d_value_table, d_bias_table)
    there = (None if t is None else d for d, t in zip(d_tables, tables, strict=True))
    return *d_nodes, None, None, *there, d_score if ctx.has_edge_bias else None, None, None


attend_op.register_autograd(_backward, setup_context=_setup_context)
