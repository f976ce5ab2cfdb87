"""Attention over several relations, each by some of the heads."""

from collections.abc import Mapping
from types import MappingProxyType

import torch
from torch import Tensor
from torch.nn import Linear, ModuleDict
from torch.nn.functional import dropout, linear
from torch_geometric.nn import MessagePassing

from tgraph_attn._checks import check_fraction, check_names, check_positive
from tgraph_attn._checks_tensor import check_features, check_graph, check_types
from tgraph_attn.nn._check_tables import check_tables
from tgraph_attn.nn.conv._must_propagate import must_propagate
from tgraph_attn.nn.conv._packed_edges import Edges, pack_edges, typed_edges, unpack_edges
from tgraph_attn.nn.relation_tables import DrawnTables, RelationTables
from tgraph_attn.ops.edge_attention import edge_attention
from tgraph_attn.relations.num_types import path_level_num_types, signed_num_types

_ANCESTOR_AND_SIBLING = MappingProxyType({"ancestor": (1, 7), "sibling": (7, 7)})


class TreeAttentionConv(MessagePassing):
    """Attend along the edges of several relations, some heads along each.

    Head h belongs to one relation. For an edge e of that relation, of type r, from node j (the
    key) to node i (the query), with the tables of the relation::

        score[e, h] = scale * (q[i, h] · k[j, h] + q[i, h] · key_table[r]
                               + query_table[r] · k[j, h])
        alpha[e, h] = softmax of score over all edges of the relation into i
        out[i, h]   = sum of alpha[e, h] * (v[j, h] + value_table[r]) over the same edges

    A head gives zeros to a node that no edge of its relation enters. No self loop is added.

    PyG's explainers take one edge list: give them `edge_index, edge_type = conv.pack(edges)`, in
    which the types of each relation follow those of the relation before it.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of a head, C.
        relations: For each relation, how many heads attend along it, and its max_distance, P. The
            relation "path_level" has (2P + 1)^2 types, each other one 2P + 1. Heads stand in the
            output in this order.
        tables: The tables of each relation, where layers share them; by default the layer makes
            its own, of all three terms. `RelationTables` has what else can be chosen about them.
        dropout: Chance that a weight alpha is set to zero in training.
        scale: Factor on the products; 1 / sqrt(C * number of products in the score) if None.
        bias: Whether the projections to queries, keys and values add a bias.

    Shapes:
        - **x**: `[N, F]`
        - **edges**: for each relation `(edge_index, edge_type, edge_weight)`, as
          `relation_edges(data, conv.relations)` returns it: `[2, E]` int64, where row 0 is the
          source j, row 1 the target i; `[E]` int64; None. Or one edge_index `[2, E]`
        - **edge_type**: `[E]` int64, only with one edge_index
        - **tables**: the `DrawnTables` of each relation for this forward pass, where a model draws
          them for all layers; by default the layer draws them from its own
        - **output**: `[N, H * C]`, H the heads of all relations; with
          return_attention_weights=True also `{name: (edge_index, alpha)}`, alpha `[E, heads]` as
          before dropout

    Raises:
        ValueError: A size is below 1, x has another width, the relations of edges or tables are
            not the layer's, tables do not fit, there are edge weights, edge_type has not one type
            for each edge, or (on CPU) a node or a type is out of range.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn.conv import TreeAttentionConv
        >>> conv = TreeAttentionConv(8, 4, relations={"ancestor": (1, 1), "sibling": (2, 1)})
        >>> ancestor = torch.tensor([[0, 0, 0], [0, 1, 2]]), torch.tensor([1, 0, 0]), None
        >>> sibling = torch.tensor([[2, 1], [1, 2]]), torch.tensor([2, 0]), None
        >>> conv(torch.randn(3, 8), {"ancestor": ancestor, "sibling": sibling}).shape
        torch.Size([3, 12])

    Source:
        The encoder of AST-Trans (Tang et al., ICSE 2022), equations 4 to 6, without the projection
        that follows the heads; its released code has the scale 1 / (3 * sqrt(C)).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        relations: Mapping[str, tuple[int, int]] = _ANCESTOR_AND_SIBLING,
        tables: Mapping[str, RelationTables] | None = None,
        dropout: float = 0.0,
        scale: float | None = None,
        bias: bool = False,
    ) -> None:
        super().__init__(aggr="sum", node_dim=0)
        owner = type(self).__name__
        check_positive(owner, in_channels=in_channels, out_channels=out_channels)
        check_positive(owner, relations=len(relations))
        for name, (heads, max_distance) in relations.items():
            check_positive(f"{owner}, relation {name}", heads=heads, max_distance=max_distance)
        check_fraction(owner, dropout=dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.relations = dict(relations)
        self.num_types = {
            name: path_level_num_types(reach) if name == "path_level" else signed_num_types(reach)
            for name, (_, reach) in relations.items()
        }
        self.heads = sum(heads for heads, _ in relations.values())
        self.dropout = dropout
        self.scale = scale
        self.lin_query = Linear(in_channels, self.heads * out_channels, bias)
        self.lin_key = Linear(in_channels, self.heads * out_channels, bias)
        self.lin_value = Linear(in_channels, self.heads * out_channels, bias)
        self.shares_tables = tables is not None
        if tables is None:
            tables = {name: RelationTables(n, out_channels) for name, n in self.num_types.items()}
        hint = "Pass one RelationTables for each relation."
        check_names(owner, "tables", tables, relations, hint)
        for name, (heads, _) in relations.items():
            sizes = (self.num_types[name], out_channels, heads)
            check_tables(owner, f"the tables of {name}", tables[name], sizes)
        self.tables = ModuleDict({name: tables[name] for name in relations})
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the projections and the layer's own tables anew; shared tables stay."""
        super().reset_parameters()
        for lin in (self.lin_query, self.lin_key, self.lin_value):
            torch.nn.init.xavier_uniform_(lin.weight)
            if lin.bias is not None:
                torch.nn.init.zeros_(lin.bias)
        if not self.shares_tables:
            for module in self.tables.values():
                if isinstance(module, RelationTables):
                    module.reset_parameters()

    def forward(
        self,
        x: Tensor,
        edges: Edges | Tensor,
        edge_type: Tensor | None = None,
        *,
        tables: Mapping[str, DrawnTables] | None = None,
        return_attention_weights: bool | None = None,
    ) -> Tensor | tuple[Tensor, dict[str, tuple[Tensor, Tensor]]]:
        """Return the new node features, `[N, H * C]`, and if asked each relation's weights."""
        explains = must_propagate(self)
        if explains and not isinstance(edges, Tensor):
            edges, edge_type = self.pack(edges)
        groups, places = self._groups(x, edges, edge_type)
        drawn = self._drawn(tables)
        outs, values, alphas = [], [], {}
        first, channels = 0, self.out_channels
        for name, (heads, _) in self.relations.items():
            # The rows of these heads alone, so that nothing is copied to make it contiguous.
            rows = slice(first * channels, (first + heads) * channels)
            query, key, value = (
                linear(x, lin.weight[rows], None if lin.bias is None else lin.bias[rows]).view(
                    -1, heads, channels
                )  # [N, heads, C]
                for lin in (self.lin_query, self.lin_key, self.lin_value)
            )
            out, alphas[name] = edge_attention(
                *(query, key, value, *groups[name]),
                **drawn[name]._asdict(),
                scale=self.scale,
                dropout=self.dropout if self.training else 0.0,
                return_weights=True,
            )
            outs.append(out)
            values.append(value)
            first += heads
        if explains and isinstance(edges, Tensor):
            value = torch.cat(values, dim=1)
            alpha, added = self._at_all_heads(value, groups, places, alphas, drawn)
            out = self.propagate(edges, value=value, added=added, alpha=alpha)
        else:
            out = torch.cat(outs, dim=1)
        out = out.flatten(1)
        if return_attention_weights:
            return out, {name: (groups[name][0], alphas[name]) for name in self.relations}
        return out

    def pack(self, edges: Edges) -> tuple[Tensor, Tensor]:
        """Return the edges of all relations as one edge_index and edge_type, for explainers."""
        owner = type(self).__name__
        return pack_edges(typed_edges(owner, edges, self.num_types), self.num_types)

    def _groups(
        self, x: Tensor, edges: Edges | Tensor, edge_type: Tensor | None
    ) -> tuple[dict[str, tuple[Tensor, Tensor]], dict[str, Tensor]]:
        """Return edge_index and edge_type of each relation, and where they stood if packed."""
        owner = type(self).__name__
        if not isinstance(edges, Tensor):
            check_features(owner, x, self.in_channels)
            if edge_type is not None:
                raise ValueError(
                    f"{owner}: edge_type must be None beside the edges of relations, which have "
                    "types of their own, but was given. Pass relations, or one edge_index."
                )
            return typed_edges(owner, edges, self.num_types), {}
        check_graph(owner, x, self.in_channels, edges, edge_type=edge_type)
        edge_type = check_types(owner, edge_type, sum(self.num_types.values()))
        return unpack_edges(edges, edge_type, self.num_types)

    def _drawn(self, tables: Mapping[str, DrawnTables] | None) -> Mapping[str, DrawnTables]:
        if tables is None:
            return {name: module() for name, module in self.tables.items()}
        hint = "Draw the tables of each relation."
        check_names(type(self).__name__, "tables", tables, self.relations, hint)
        return tables

    def _at_all_heads(
        self,
        value: Tensor,
        groups: Mapping[str, tuple[Tensor, Tensor]],
        places: Mapping[str, Tensor],
        alphas: Mapping[str, Tensor],
        tables: Mapping[str, DrawnTables],
    ) -> tuple[Tensor, Tensor]:
        """Return alpha `[E, H]` and what tables add `[E, H, C]`, zero at other relations' heads."""
        num_edges = sum(place.numel() for place in places.values())
        alpha = value.new_zeros(num_edges, self.heads)
        added = value.new_zeros(num_edges, self.heads, self.out_channels)
        first = 0
        for name, (heads, _) in self.relations.items():
            place, types, table = places[name], groups[name][1], tables[name].value_table
            alpha[:, first : first + heads].index_copy_(0, place, alphas[name])
            if table is not None:
                rows = table.to(value.dtype)[types].expand(-1, heads, -1)
                added[:, first : first + heads].index_copy_(0, place, rows)
            first += heads
        return alpha, added

    # PyG reads these annotations to compile propagate: plain Tensor and int only.
    def message(self, value_j: Tensor, added: Tensor, alpha: Tensor) -> Tensor:
        """Return the weighted value of each edge, `[E, H, C]`, zero at other relations' heads."""
        alpha = dropout(alpha, self.dropout, self.training)
        return alpha.unsqueeze(-1) * (value_j + added)
