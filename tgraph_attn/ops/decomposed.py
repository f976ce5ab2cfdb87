"""Edge attention by gathering to edges, one group of edges for each type, with torch-scatter."""

import torch
from torch import Tensor

from tgraph_attn._optional import require
from tgraph_attn.ops.reference import AttentionInputs


def decomposed_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`.

    In the group of a type r, all edges share the rows of the tables: these are added to what the
    edges gathered, not gathered themselves, and three products become one::

        q · k + q · key_table[r] + query_table[r] · k
            = (q + query_table[r]) · (k + key_table[r]) - query_table[r] · key_table[r]

    Raises:
        ImportError: torch-scatter is not installed.

    Source:
        "Gather with decomposed COO" (GDC) of AST-Trans (Tang et al., ICSE 2022).
    """
    scatter = require(
        "edge_attention", "torch_scatter", 'backend="decomposed" cannot run: use "auto".'
    )
    source, target = inputs.edge_index
    edge_type = torch.zeros_like(source) if inputs.edge_type is None else inputs.edge_type
    order = edge_type.argsort(stable=True)
    sizes = edge_type.bincount(minlength=_num_types(inputs)).tolist()
    keys, queries = source[order], target[order]

    score = torch.cat(
        [
            (query * key).sum(-1)
            for query, key in zip(
                _plus_rows(inputs.query[queries], inputs.query_table, sizes),
                _plus_rows(inputs.key[keys], inputs.key_table, sizes),
                strict=True,
            )
        ]
    )  # [E, H], one group after the other
    score = torch.empty_like(score).index_copy(0, order, score)  # as the edges came
    if inputs.query_table is not None and inputs.key_table is not None:
        score = score - (inputs.query_table * inputs.key_table).sum(-1)[edge_type]
    score = score * inputs.scale
    if inputs.bias_table is not None:
        score = score + inputs.bias_table[edge_type]
    if inputs.edge_bias is not None:
        score = score + inputs.edge_bias

    num_queries = inputs.query.size(0)
    alpha = scatter.scatter_softmax(score, target, dim=0, dim_size=num_queries)
    weight = alpha if inputs.dropout_mask is None else alpha * inputs.dropout_mask
    values = _plus_rows(inputs.value[keys], inputs.value_table, sizes)
    weights = torch.split(weight[order].unsqueeze(-1), sizes)
    message = torch.cat([one * value for one, value in zip(weights, values, strict=True)])
    return scatter.scatter_sum(message, queries, dim=0, dim_size=num_queries), alpha


def _num_types(inputs: AttentionInputs) -> int:
    tables = (inputs.key_table, inputs.query_table, inputs.value_table, inputs.bias_table)
    return max([1, *(table.size(0) for table in tables if table is not None)])


def _plus_rows(gathered: Tensor, table: Tensor | None, sizes: list[int]) -> list[Tensor]:
    """Return the groups of what was gathered, `[E, H, C]`, each plus its type's row."""
    groups = torch.split(gathered, sizes)
    if table is None:
        return list(groups)
    return [group + row for group, row in zip(groups, table.unbind(), strict=True)]
