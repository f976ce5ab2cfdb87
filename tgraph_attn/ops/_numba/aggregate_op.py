"""Edge aggregation as torch operators, which torch.compile takes as they are."""

from typing import Any

import torch
from torch import Tensor

from tgraph_attn._checks_tensor import check_range
from tgraph_attn.ops._numba.aggregate_kernels import (
    dot_edges,
    max_edges,
    max_edges_backward,
    sum_edges,
)
from tgraph_attn.ops._numba.arrays import array, optional_array
from tgraph_attn.ops._numba.edge_order import edge_order
from tgraph_attn.ops._numba.thread_pool import run_over_ranges


@torch.library.custom_op("tgraph_attn::aggregate", mutates_args=(), device_types="cpu")
def aggregate_op(
    value: Tensor, edge_index: Tensor, weight: Tensor | None, num_queries: int, largest: bool
) -> tuple[Tensor, Tensor]:
    """Return the sum, or the elementwise largest, of `weight[e, h] * value[j, h]` over the edges.

    The second output tells for the largest which edge has it, `[Nq, H, C]` int64, -1 for none; for
    a sum it has no elements.
    """
    _check(value, edge_index, num_queries)
    out = value.new_empty(num_queries, *value.shape[1:])
    winner = out.new_empty(out.shape if largest else (0, 0, 0), dtype=torch.int64)
    source, target = array(edge_index)
    order = edge_order(target, num_queries)
    given = (*order, source, array(value), optional_array(weight, value, 2), array(out))
    work = source.size * value[:1].numel()
    if largest:
        best = array(winner)
        run_over_ranges(lambda a, b: max_edges(a, b, *given, best), order.pointer, work)
    else:
        run_over_ranges(lambda a, b: sum_edges(a, b, *given), order.pointer, work)
    return out, winner


@aggregate_op.register_fake
def _(
    value: Tensor, edge_index: Tensor, weight: Tensor | None, num_queries: int, largest: bool
) -> tuple[Tensor, Tensor]:
    out = value.new_empty(num_queries, *value.shape[1:])
    return out, out.new_empty(out.shape if largest else (0, 0, 0), dtype=torch.int64)


@torch.library.custom_op("tgraph_attn::aggregate_backward", mutates_args=(), device_types="cpu")
def aggregate_backward_op(
    value: Tensor,
    edge_index: Tensor,
    weight: Tensor | None,
    winner: Tensor,
    grad: Tensor,
    largest: bool,
) -> tuple[Tensor, Tensor]:
    """Return the gradients of value and of weight, the second without elements if there is none."""
    source, target = array(edge_index)
    values, weights = array(value), optional_array(weight, value, 2)
    if largest:
        d_value = value.new_zeros(value.shape)
        d_weight = value.new_zeros(0, 0) if weight is None else weight.new_zeros(weight.shape)
        grads = (array(winner), array(grad), array(d_value), array(d_weight))
        max_edges_backward(source, values, weights, *grads)
        return d_value, d_weight
    d_value = value.new_empty(value.shape)
    d_weight = value.new_empty(0, 0) if weight is None else weight.new_empty(weight.shape)
    work = source.size * value[:1].numel()
    order = edge_order(source, value.size(0))
    to_key = (*order, target, array(grad), weights, array(d_value))
    run_over_ranges(lambda a, b: sum_edges(a, b, *to_key), order.pointer, work)
    if weight is not None:
        order = edge_order(target, grad.size(0))
        to_edge = (*order, source, values, array(grad), array(d_weight))
        run_over_ranges(lambda a, b: dot_edges(a, b, *to_edge), order.pointer, work)
    return d_value, d_weight


@aggregate_backward_op.register_fake
def _(
    value: Tensor,
    edge_index: Tensor,
    weight: Tensor | None,
    winner: Tensor,
    grad: Tensor,
    largest: bool,
) -> tuple[Tensor, Tensor]:
    d_weight = value.new_empty(0, 0) if weight is None else weight.new_empty(weight.shape)
    return value.new_empty(value.shape), d_weight


def _check(value: Tensor, edge_index: Tensor, num_queries: int) -> None:
    check_range("edge_aggregate", "the query of an edge", edge_index[1], num_queries)
    check_range("edge_aggregate", "the key of an edge", edge_index[0], value.size(0))


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    value, edge_index, weight, _, ctx.largest = inputs
    ctx.save_for_backward(value, edge_index, weight, output[1])


def _backward(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
    value, edge_index, weight, winner = ctx.saved_tensors
    d_value, d_weight = aggregate_backward_op(
        value, edge_index, weight, winner, grad.contiguous(), ctx.largest
    )
    return d_value, None, None if weight is None else d_weight, None, None


aggregate_op.register_autograd(_backward, setup_context=_setup_context)
