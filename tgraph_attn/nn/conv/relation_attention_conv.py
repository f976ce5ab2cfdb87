"""Attention over the typed edges of one relation."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import Linear, Parameter
from torch.nn.functional import dropout
from torch_geometric.nn import MessagePassing

from tgraph_attn._checks import check_choice, check_fraction, check_positive
from tgraph_attn._checks_tensor import check_graph, check_types
from tgraph_attn.nn._check_tables import check_tables
from tgraph_attn.nn.conv._must_propagate import must_propagate
from tgraph_attn.nn.relation_tables import TERMS, DrawnTables, RelationTables
from tgraph_attn.ops.edge_attention import edge_attention


class RelationAttentionConv(MessagePassing):
    """Attend along edges, with what is learned about each edge type.

    For an edge e of type r from node j (the key) to node i (the query), and a head h, the form
    "bias" learns a number for each type and head::

        score[e, h] = scale * q[i, h] · k[j, h] + bias_table[r, h]
        alpha[e, h] = softmax of score over all edges into i
        out[i, h]   = sum of alpha[e, h] * v[j, h] over all edges into i

    and the form "disentangled" vectors, by default the same for all heads::

        score[e, h] = scale * (q[i, h] · k[j, h] + q[i, h] · key_table[r]
                               + query_table[r] · k[j, h])
        out[i, h]   = sum of alpha[e, h] * (v[j, h] + value_table[r]) over all edges into i

    A node that no edge enters gets zeros. No self loop is added.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of a head, C.
        num_types: How many edge types there are, T.
        heads: How many heads, H.
        form: "bias" or "disentangled".
        terms: Which tables the layer makes for the form "disentangled", of "key", "query", "value".
        tables: The tables, for the form "disentangled", if other layers share them. Then `terms`
            is not read.
        bias_std: Deviation that bias_table is drawn with, for the form "bias"; all zeros if 0.
        dropout: Chance that a weight alpha is set to zero in training.
        scale: Factor on the products; 1 / sqrt(C * number of products in the score) if None.
        bias: Whether the projections to queries, keys and values add a bias.

    Shapes:
        - **x**: `[N, F]`
        - **edge_index**: `[2, E]` int64; row 0 is the source j, row 1 the target i
        - **edge_type**: `[E]` int64, each in `[0, T)`
        - **tables**: the `DrawnTables` of this forward pass, where a model draws them for all
          layers; by default the layer draws them from its own
        - **output**: `[N, H * C]`; with return_attention_weights=True also `(edge_index, alpha)`,
          alpha `[E, H]` as before dropout

    Raises:
        ValueError: A size is below 1, form or a term is unknown, tables come with the form "bias"
            or do not fit, x has another width, edge_type has not one type for each edge, or (on
            CPU) a node or a type is out of range.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn.conv import RelationAttentionConv
        >>> conv = RelationAttentionConv(8, 4, num_types=3, heads=2)
        >>> edge_index = torch.tensor([[0, 0], [1, 2]])
        >>> conv(torch.randn(3, 8), edge_index, torch.tensor([1, 2])).shape
        torch.Size([3, 8])

    Source:
        "bias" is that of HIBRIDS (Cao and Wang, ACL 2022), whose bias_std is 0.02; theirs is for
        pairs of tokens within a window, ours for edges. "disentangled" is AST-Trans (Tang et al.,
        ICSE 2022), equations 4 to 6; its released code has the scale 1 / (3 * sqrt(C)).
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        num_types: int,
        heads: int = 1,
        form: str = "bias",
        terms: Sequence[str] = TERMS,
        tables: RelationTables | None = None,
        bias_std: float = 0.0,
        dropout: float = 0.0,
        scale: float | None = None,
        bias: bool = False,
    ) -> None:
        super().__init__(aggr="sum", node_dim=0)
        owner = type(self).__name__
        check_positive(
            owner,
            in_channels=in_channels,
            out_channels=out_channels,
            num_types=num_types,
            heads=heads,
        )
        check_choice(owner, "form", form, ("bias", "disentangled"))
        check_fraction(owner, dropout=dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.num_types = num_types
        self.heads = heads
        self.form = form
        self.bias_std = bias_std
        self.dropout = dropout
        self.scale = scale
        self.lin_query = Linear(in_channels, heads * out_channels, bias)
        self.lin_key = Linear(in_channels, heads * out_channels, bias)
        self.lin_value = Linear(in_channels, heads * out_channels, bias)
        self.shares_tables = tables is not None
        self.bias_table = Parameter(torch.empty(num_types, heads)) if form == "bias" else None
        if form == "disentangled" and tables is None:
            tables = RelationTables(num_types, out_channels, terms=terms)
        self.tables = tables
        self._check_tables(tables)
        if tables is not None:
            check_tables(owner, "tables", tables, (num_types, out_channels, heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the projections and the layer's own tables anew; shared tables stay."""
        super().reset_parameters()
        for lin in (self.lin_query, self.lin_key, self.lin_value):
            torch.nn.init.xavier_uniform_(lin.weight)
            if lin.bias is not None:
                torch.nn.init.zeros_(lin.bias)
        if self.bias_table is not None:
            torch.nn.init.normal_(self.bias_table, std=self.bias_std)
        if self.tables is not None and not self.shares_tables:
            self.tables.reset_parameters()

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_type: Tensor,
        *,
        tables: DrawnTables | None = None,
        return_attention_weights: bool | None = None,
    ) -> Tensor | tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the new node features, `[N, H * C]`, and if asked `(edge_index, alpha)`."""
        owner = type(self).__name__
        check_graph(owner, x, self.in_channels, edge_index, edge_type=edge_type)
        check_types(owner, edge_type, self.num_types)
        self._check_tables(tables)
        if tables is None:
            tables = DrawnTables(None, None, None) if self.tables is None else self.tables()
        heads = (-1, self.heads, self.out_channels)
        query = self.lin_query(x).view(heads)  # [N, H, C]
        key = self.lin_key(x).view(heads)
        value = self.lin_value(x).view(heads)
        out, alpha = edge_attention(
            *(query, key, value, edge_index, edge_type),
            **tables._asdict(),
            bias_table=self.bias_table,
            scale=self.scale,
            dropout=self.dropout if self.training else 0.0,
            return_weights=True,
        )
        if must_propagate(self):
            table = tables.value_table
            added = value.new_zeros(1) if table is None else table.to(value.dtype)[edge_type]
            out = self.propagate(edge_index, value=value, added=added, alpha=alpha)
        out = out.flatten(1)
        return (out, (edge_index, alpha)) if return_attention_weights else out

    def _check_tables(self, tables: RelationTables | DrawnTables | None) -> None:
        if self.form == "bias" and tables is not None:
            raise ValueError(
                f'{type(self).__name__}: tables must be None in the form "bias", but were given. '
                'Make the layer with form="disentangled".'
            )

    # PyG reads these annotations to compile propagate: plain Tensor and int only.
    def message(self, value_j: Tensor, added: Tensor, alpha: Tensor) -> Tensor:
        """Return the weighted value of each edge, `[E, H, C]`."""
        alpha = dropout(alpha, self.dropout, self.training)
        return alpha.unsqueeze(-1) * (value_j + added)
