"""The definition of each op in plain torch, written to be read; every faster way equals it."""

from typing import NamedTuple

import torch
from torch import Tensor

from tgraph_attn.ops.edge_softmax import edge_softmax


class AttentionInputs(NamedTuple):
    """The arguments of `edge_attention`, checked, of one floating dtype, with defaults filled in.

    Shapes:
        - **query**: `[Nq, H, C]`
        - **key**: `[N, H, C]`
        - **value**: `[N, H, Cv]`
        - **edge_index**: `[2, E]` int64; row 0 is the key j, row 1 the query i
        - **edge_type**: `[E]` int64, or None where there is no table
        - **key_table**, **query_table**: `[T, H, C]` or `[T, 1, C]`, or None
        - **value_table**: `[T, H, Cv]` or `[T, 1, Cv]`, or None
        - **bias_table**: `[T, H]`, or None
        - **edge_bias**, **dropout_mask**: `[E, H]`, or None
    """

    query: Tensor
    key: Tensor
    value: Tensor
    edge_index: Tensor
    edge_type: Tensor | None
    key_table: Tensor | None
    query_table: Tensor | None
    value_table: Tensor | None
    bias_table: Tensor | None
    edge_bias: Tensor | None
    dropout_mask: Tensor | None
    scale: float


def reference_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`."""
    source, target = inputs.edge_index
    query, key, value = inputs.query[target], inputs.key[source], inputs.value[source]  # [E, H, C]
    edge_type = inputs.edge_type

    score = (query * key).sum(-1)  # [E, H]
    if inputs.key_table is not None:
        score = score + (query * inputs.key_table[edge_type]).sum(-1)
    if inputs.query_table is not None:
        score = score + (inputs.query_table[edge_type] * key).sum(-1)
    score = score * inputs.scale
    if inputs.bias_table is not None:
        score = score + inputs.bias_table[edge_type]
    if inputs.edge_bias is not None:
        score = score + inputs.edge_bias

    num_queries = inputs.query.size(0)
    alpha = edge_softmax(score, inputs.edge_index, num_queries)
    weight = alpha if inputs.dropout_mask is None else alpha * inputs.dropout_mask
    if inputs.value_table is not None:
        value = value + inputs.value_table[edge_type]
    message = weight.unsqueeze(-1) * value
    out = message.new_zeros(num_queries, *message.shape[1:]).index_add(0, target, message)
    return out, alpha


def reference_aggregate(
    value: Tensor, edge_index: Tensor, weight: Tensor | None, num_queries: int, largest: bool
) -> Tensor:
    """Return, for each query, the sum or the elementwise maximum of `weight[e] * value[j]`.

    `value` is `[N, H, C]`, `weight` is `[E, H]`, the output `[Nq, H, C]`. A query that no edge
    enters gets zeros. Of several equal maxima the first edge's counts, also for the gradient.
    """
    source, target = edge_index
    message = value[source]
    if weight is not None:
        message = weight.unsqueeze(-1) * message
    empty = message.new_zeros(num_queries, *message.shape[1:])
    if not largest:
        return empty.index_add(0, target, message)
    place = target.view(-1, 1, 1).expand_as(message)
    top = torch.full_like(empty, -torch.inf).scatter_reduce(0, place, message.detach(), "amax")
    edge = torch.arange(target.numel(), device=target.device).view(-1, 1, 1).expand_as(message)
    edge = torch.where(message == top.gather(0, place), edge, target.numel())
    first = torch.full_like(empty, target.numel(), dtype=torch.int64)
    first = first.scatter_reduce(0, place, edge, "amin")
    padded = torch.cat([message, message.new_zeros(1, *message.shape[1:])])
    return padded.gather(0, first)
