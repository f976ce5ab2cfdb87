"""Several relations side by side, and as the one edge list that PyG's explainers take."""

from collections.abc import Mapping

import torch
from torch import Tensor

from tgraph_attn._checks import check_names
from tgraph_attn._checks_tensor import check_edges, check_types

Edges = Mapping[str, tuple[Tensor, Tensor | None, Tensor | None] | None]


def typed_edges(
    owner: str, edges: Edges, num_types: Mapping[str, int]
) -> dict[str, tuple[Tensor, Tensor]]:
    """Return edge_index and edge_type of each relation, checked.

    Raises:
        ValueError: Other relations are there than num_types has, one is complete or has weights,
            or its types do not fit.
    """
    hint = "Pass relation_edges(data, conv.relations)."
    check_names(owner, "edges", edges, num_types, hint)
    checked = {}
    for name, count in num_types.items():
        relation = edges[name]
        if relation is None or relation[2] is not None:
            found = "a complete graph" if relation is None else "edge weights"
            raise ValueError(
                f"{owner}: relation {name} must be typed edges, without weights, but is or has "
                f"{found}. SelfAttentionConv takes complete graphs, GCNConv takes weights."
            )
        edge_index, edge_type, _ = relation
        check_edges(f"{owner}, relation {name}", edge_index, edge_type=edge_type)
        checked[name] = (edge_index, check_types(f"{owner}, relation {name}", edge_type, count))
    return checked


def pack_edges(
    edges: Mapping[str, tuple[Tensor, Tensor]], num_types: Mapping[str, int]
) -> tuple[Tensor, Tensor]:
    """Return all relations' edges, one after the other, each with its types after the previous'."""
    types, first = [], 0
    for name, count in num_types.items():
        types.append(edges[name][1] + first)
        first += count
    return torch.cat([edges[name][0] for name in num_types], dim=1), torch.cat(types)


def unpack_edges(
    edge_index: Tensor, edge_type: Tensor, num_types: Mapping[str, int]
) -> tuple[dict[str, tuple[Tensor, Tensor]], dict[str, Tensor]]:
    """Return edge_index and edge_type of each relation, and the places where its edges stood."""
    edges, places, first = {}, {}, 0
    for name, count in num_types.items():
        place = ((edge_type >= first) & (edge_type < first + count)).nonzero().flatten()
        edges[name] = (edge_index[:, place], edge_type[place] - first)
        places[name] = place
        first += count
    return edges, places
