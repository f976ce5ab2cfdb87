"""The check of attention's arguments against one another."""

import torch
from torch import Tensor

from tgraph_attn._checks import check_type


def check_attention(
    owner: str,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_type: Tensor | None,
    edge_bias: Tensor | None,
    tables: dict[str, Tensor | None],
) -> int | None:
    """Return how many types the tables have, None without tables.

    Raises:
        ValueError: A dtype or shape does not fit the query's, tables differ in length, or there is
            a table but no edge_type.
    """
    floating = {"query": query, "key": key, "value": value, **tables}
    for name, tensor in floating.items():
        if tensor is not None:
            check_type(owner, name, tensor, Tensor, "Turn it into a tensor first.")
    if query.dim() != 3 or not query.is_floating_point():
        raise ValueError(
            f"{owner}: query must be floating [Nq, H, C], but got {query.dtype} of shape "
            f"{list(query.shape)}. Split the features into heads: x.view(-1, heads, channels)."
        )
    heads, channels = query.shape[1:]
    _check_shape(owner, "key", key, ("N", heads, channels))
    _check_shape(owner, "value", value, (key.size(0), heads, "Cv"))
    table_heads = (heads, 1)
    num_types = None
    for name, table in tables.items():
        if table is None:
            continue
        if edge_type is None:
            raise ValueError(
                f"{owner}: {name} must come with edge_type, one type for each edge, but "
                "edge_type is None. Pass data.<relation>_edge_type."
            )
        if edge_type.dtype != torch.int64 or edge_type.dim() != 1:
            raise ValueError(
                f"{owner}: edge_type must be int64 of shape [E], but got {edge_type.dtype} "
                f"of shape {list(edge_type.shape)}. Types are whole numbers: edge_type.long()."
            )
        if num_types is None:
            num_types = table.size(0)
        if name == "bias_table":
            _check_shape(owner, name, table, (num_types, heads))
        else:
            width = value.size(2) if name == "value_table" else channels
            one = table.size(1) if table.dim() == 3 and table.size(1) in table_heads else heads
            _check_shape(owner, name, table, (num_types, one, width))
    if edge_bias is not None and edge_bias.dim() != 1:
        _check_shape(owner, "edge_bias", edge_bias, (edge_bias.size(0), heads))
    for name, tensor in {"key": key, "value": value, **tables, "edge_bias": edge_bias}.items():
        if tensor is not None and tensor.dtype != query.dtype:
            raise ValueError(
                f"{owner}: {name} must have the query's dtype, {query.dtype}, but has "
                f"{tensor.dtype}. Convert it with .to(query.dtype)."
            )
    return num_types


def _check_shape(owner: str, name: str, tensor: Tensor, shape: tuple[int | str, ...]) -> None:
    fits = tensor.dim() == len(shape) and all(
        isinstance(want, str) or have == want
        for have, want in zip(tensor.shape, shape, strict=True)
    )
    if not fits:
        raise ValueError(
            f"{owner}: {name} must have shape [{', '.join(map(str, shape))}], but has "
            f"{list(tensor.shape)}. Heads and channels must be those of query and value."
        )
