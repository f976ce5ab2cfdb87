"""Edge attention through the full, masked score matrix."""

import torch
from torch import Tensor

from tgraph_attn.ops.reference import AttentionInputs

_MOST_SCORES = 1 << 26  # 8 heads, 2,896 x 2,896 nodes


def dense_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`.

    Scores of all pairs are computed, then all but the edges are masked. Between two nodes with
    several edges, each has a column of its own: the keys stand there once for each, M in all.

    Raises:
        ValueError: There are more than 2^26 scores.
    """
    source, target = inputs.edge_index
    (num_queries, heads, _), num_keys = inputs.query.shape, inputs.key.size(0)
    column = source + num_keys * _earlier_twins(target * num_keys + source)
    copies = int(column.max()) // num_keys + 1 if column.numel() else 1
    num_scores = num_queries * num_keys * copies * heads
    if num_scores > _MOST_SCORES:
        raise ValueError(
            f'edge_attention: backend="dense" must build at most {_MOST_SCORES:,} scores, but '
            f"{num_queries:,} x {num_keys * copies:,} nodes with {heads} heads make {num_scores:,} "
            f'({num_scores * inputs.query.element_size():,} bytes). Use backend="auto".'
        )
    key, value = inputs.key.repeat(copies, 1, 1), inputs.value.repeat(copies, 1, 1)
    pairs = (num_queries, num_keys * copies)
    is_edge = torch.zeros(pairs, dtype=torch.bool, device=key.device)
    is_edge[target, column] = True
    relation = torch.zeros(pairs, dtype=torch.int64, device=key.device)
    if inputs.edge_type is not None:
        relation[target, column] = inputs.edge_type
    relation = relation.expand(heads, -1, -1)  # [H, Nq, M]

    score = torch.einsum("ihc,jhc->hij", inputs.query, key)
    if inputs.key_table is not None:
        products = torch.einsum("ihc,thc->hit", inputs.query, _per_head(inputs.key_table, heads))
        score = score + products.gather(2, relation)
    if inputs.query_table is not None:
        products = torch.einsum("thc,jhc->htj", _per_head(inputs.query_table, heads), key)
        score = score + products.gather(1, relation)
    score = score * inputs.scale
    if inputs.bias_table is not None:
        score = score + inputs.bias_table.t()[:, relation[0]]
    if inputs.edge_bias is not None:
        score = score + _at_pairs(inputs.edge_bias, target, column, pairs)

    hidden = ~is_edge & is_edge.any(1, keepdim=True)  # a row without any edge would be NaN
    weight = score.masked_fill(hidden, -torch.inf).softmax(-1) * is_edge
    alpha = weight[:, target, column].t()
    if inputs.dropout_mask is not None:
        weight = weight * _at_pairs(inputs.dropout_mask, target, column, pairs)
    out = torch.einsum("hij,jhc->ihc", weight, value)
    if inputs.value_table is not None:
        by_type = weight.new_zeros(heads, num_queries, inputs.value_table.size(0))
        by_type = by_type.scatter_add(2, relation, weight)
        out = out + torch.einsum("hit,thc->ihc", by_type, _per_head(inputs.value_table, heads))
    return out, alpha


def _per_head(table: Tensor, heads: int) -> Tensor:
    return table.expand(-1, heads, -1)


def _at_pairs(per_edge: Tensor, row: Tensor, column: Tensor, pairs: tuple[int, int]) -> Tensor:
    """Return the edges' numbers `[E, H]` in a matrix of zeros, `[H, Nq, M]`."""
    return (
        per_edge.new_zeros(*pairs, per_edge.size(1))
        .index_put((row, column), per_edge)
        .permute(2, 0, 1)
    )


def _earlier_twins(pair: Tensor) -> Tensor:
    """Return for each edge how many earlier ones join the same two nodes, `[E]`."""
    order = pair.argsort(stable=True)
    place = torch.arange(len(pair), device=pair.device)
    is_first = pair[order] != pair[order].roll(1)
    is_first[:1] = True
    start = torch.where(is_first, place, 0).cummax(0).values
    return torch.empty_like(pair).index_copy(0, order, place - start)
