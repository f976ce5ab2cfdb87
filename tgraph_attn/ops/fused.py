"""Edge attention in one pass over the edges; nothing of size E x C is ever built."""

import torch
from torch import Tensor

from tgraph_attn.ops._numba.attention_op import attend_op
from tgraph_attn.ops.reference import AttentionInputs


def fused_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`.

    A table enters through small products of nodes with types, so that an edge costs one dot
    product and one scaled sum, whatever the tables::

        q_i · key_table[r] and query_table[r] · k_j    looked up in [Nq, H, T] and [N, H, T]
        sum over e of w[e] * value_table[r]            (weight of each type into i) · value_table
    """
    query, key, value = (t.contiguous() for t in (inputs.query, inputs.key, inputs.value))
    query_score = key_score = None
    if inputs.key_table is not None:
        query_score = _products(query, inputs.key_table * inputs.scale)
    if inputs.query_table is not None:
        key_score = _products(key, inputs.query_table * inputs.scale)
    out, type_weight, alpha = attend_op(
        *(query, key, value, inputs.edge_index, inputs.edge_type, query_score, key_score),
        *(_contiguous(t) for t in (inputs.bias_table, inputs.edge_bias, inputs.dropout_mask)),
        inputs.scale,
        0 if inputs.value_table is None else inputs.value_table.size(0),
    )
    if inputs.value_table is not None:
        out = _add_values(out, type_weight, inputs.value_table)
    return out, alpha


def _products(nodes: Tensor, table: Tensor) -> Tensor:
    """Return nodes[n, h] · table[r, h] for all n, h and r: `[N, H, T]`."""
    if table.size(1) == 1:
        return nodes @ table[:, 0].t()
    return torch.einsum("nhc,thc->nht", nodes, table).contiguous()


def _add_values(out: Tensor, type_weight: Tensor, table: Tensor) -> Tensor:
    """Return out[n, h] + sum over r of type_weight[n, h, r] * table[r, h]."""
    if table.size(1) == 1:
        return (
            out.view(-1, table.size(2)).addmm_(type_weight.flatten(0, 1), table[:, 0]).view_as(out)
        )
    return out + torch.einsum("nht,thc->nhc", type_weight, table)


def _contiguous(tensor: Tensor | None) -> Tensor | None:
    return None if tensor is None else tensor.contiguous()
