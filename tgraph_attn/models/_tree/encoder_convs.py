"""The layers by which nodes of a tree see each other: one of six kinds."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module, ModuleList
from torch_geometric.utils import coalesce

from tgraph_attn._checks import check_choice
from tgraph_attn._checks_tensor import check_self_types, check_types
from tgraph_attn.nn.conv.gat_conv import GATConv
from tgraph_attn.nn.conv.gcn_conv import GCNConv
from tgraph_attn.nn.conv.relation_attention_conv import RelationAttentionConv
from tgraph_attn.nn.conv.self_attention_conv import SelfAttentionConv
from tgraph_attn.nn.conv.tree_attention_conv import TreeAttentionConv
from tgraph_attn.nn.relation_tables import RelationTables
from tgraph_attn.nn.tree_lstm import TreeLSTM
from tgraph_attn.relations.num_types import path_level_num_types, signed_num_types

Edges = Mapping[str, tuple[Tensor, Tensor | None, Tensor | None] | None]
WITHOUT_RELATIONS = ("self", "tree_lstm")
_SIGNED = ("ancestor", "sibling", "path_level", "window")  # whose type in the middle is a self edge
_BIAS_STD = 0.02  # that of HIBRIDS

Weights = dict[str, tuple[Tensor, Tensor]]

ENCODERS = ("tree", "bias", "gcn", "gat", "self", "tree_lstm")


class EncoderConvs(Module):
    """One convolution for each layer of an encoder, all of one kind, `[N, F]` to `[N, F]`.

    "tree" gives each relation its heads; "bias" lets all heads attend along the edges of all
    relations, with a number for each type of each; "gat" along every edge that is in any relation,
    once, whatever its type; "gcn" averages along these; "self" lets all heads attend to all nodes
    of the tree; "tree_lstm" runs from the leaves to the root. None drops attention weights.

    Args:
        owner: The model, for errors.
        encoder: One of these.
        channels: Features of a node, F, a multiple of the number of heads.
        layers: How many layers.
        relations: For each relation, how many heads attend along it, and its max_distance.
        dropout: Chance that an element of a table is set to zero in training.
        share_tables: Whether all layers have the same tables.
        terms: Which tables there are, of "key", "query" and "value".
        scale: Factor on the products of a score; that of `TreeAttentionConv` if None.
    """

    def __init__(
        self,
        owner: str,
        encoder: str,
        channels: int,
        *,
        layers: int,
        relations: Mapping[str, tuple[int, int]],
        dropout: float,
        share_tables: bool,
        terms: Sequence[str],
        scale: float | None,
    ) -> None:
        super().__init__()
        check_choice(owner, "encoder", encoder, ENCODERS)
        self.owner = owner
        self.encoder = encoder
        self.share_tables = share_tables
        heads = sum(heads for heads, _ in relations.values())
        width = channels // heads
        self.num_types = {
            name: path_level_num_types(reach) if name == "path_level" else signed_num_types(reach)
            for name, (_, reach) in relations.items()
        }

        def tables() -> dict[str, RelationTables]:
            return {
                name: RelationTables(count, width, terms=terms, dropout=dropout)
                for name, count in self.num_types.items()
            }

        shared = tables() if encoder == "tree" and share_tables else None

        def conv() -> Module:
            if encoder == "tree":
                own = shared or tables()
                return TreeAttentionConv(
                    channels, width, relations=relations, tables=own, scale=scale, bias=True
                )
            if encoder == "bias":
                return RelationAttentionConv(
                    channels,
                    width,
                    num_types=sum(self.num_types.values()),
                    heads=heads,
                    bias_std=_BIAS_STD,
                    scale=scale,
                    bias=True,
                )
            if encoder == "self":
                return SelfAttentionConv(channels, width, heads=heads, bias=True)
            if encoder == "gat":
                return GATConv(channels, width, heads=heads)
            if encoder == "tree_lstm":
                return TreeLSTM(channels, channels)
            return GCNConv(channels, channels)

        self.layers = ModuleList(conv() for _ in range(layers))

    def forward(
        self,
        edges: Edges,
        graph: Tensor,
        weights: list[Weights] | None = None,
        parent_index: Tensor | None = None,
        later: Edges | None = None,
    ) -> list[Callable[[Tensor], Tensor]]:
        """Return each layer as a function of x alone, for one forward pass over a batch.

        "tree_lstm" reads parent_index and no edges. Where there is a list of weights, each layer
        appends its own when it is called. Where there are later edges, those of all layers but the
        first, the encoder has to be "tree".
        """
        given = self._given(edges, graph, parent_index)
        of_layers = [given] * len(self.layers)
        if later is not None:
            of_layers[1:] = [{**given, "edges": later}] * (len(self.layers) - 1)
        pairs = zip(self.layers, of_layers, strict=True)
        if weights is None:
            return [partial(conv, **its) for conv, its in pairs]
        return [partial(self._watched, conv, its, weights) for conv, its in pairs]

    def _given(self, edges: Edges, graph: Tensor, parent_index: Tensor | None) -> dict[str, Any]:
        """Return what each layer takes beside x; what all of them share is made once."""
        if self.encoder == "self":
            return {"batch": graph}
        if self.encoder == "tree_lstm":
            if parent_index is None:
                raise ValueError(
                    f'{self.owner}: with the encoder "tree_lstm" batch must have parent_index, but '
                    "lacks it. Make it with tree_to_data."
                )
            return {"parent_index": parent_index}
        self._check_distances(edges)
        first = self.layers[0]
        if isinstance(first, TreeAttentionConv) and self.share_tables:
            drawn = {name: tables() for name, tables in first.tables.items()}
            return {"edges": edges, "tables": drawn}
        if self.encoder == "tree":
            return {"edges": edges}
        parts = self._typed(edges)
        if self.encoder == "bias":
            both = [torch.cat(part, dim=-1) for part in zip(*parts, strict=True)]
            return dict(zip(("edge_index", "edge_type"), both, strict=True))
        union = torch.cat([edge_index for edge_index, _ in parts], dim=1)
        return {"edge_index": coalesce(union, sort_by_row=False)}

    def _check_distances(self, edges: Edges) -> None:
        """Raise ValueError if a relation was made with another max_distance."""
        for name, count in self.num_types.items():
            relation = edges[name]
            if name in _SIGNED and relation is not None and relation[1] is not None:
                owner = f"{self.owner}, relation {name}"
                check_self_types(owner, relation[0], check_types(owner, relation[1], count), count)

    def _watched(
        self, conv: Module, given: dict[str, Any], weights: list[Weights], x: Tensor
    ) -> Tensor:
        if self.encoder in ("gcn", "tree_lstm"):
            raise ValueError(
                f"{self.owner}: the encoder must have attention weights to return, but is "
                f'"{self.encoder}". Make the model with another one.'
            )
        out, seen = conv(x, **given, return_attention_weights=True)
        weights.append(seen if self.encoder == "tree" else {self.encoder: seen})
        return out

    def _typed(self, edges: Edges) -> list[tuple[Tensor, Tensor]]:
        """Return the edges of each relation, and their types, those of the relations in a row."""
        parts, first = [], 0
        for name, count in self.num_types.items():
            relation = edges[name]
            if relation is None or relation[2] is not None:
                found = "a complete graph" if relation is None else "edge weights"
                raise ValueError(
                    f"{self.owner}: relation {name} must be typed edges, without weights, but is "
                    f'or has {found}. encoder="self" attends to all nodes.'
                )
            edge_type = check_types(f"{self.owner}, relation {name}", relation[1], count)
            parts.append((relation[0], edge_type + first))
            first += count
        return parts
