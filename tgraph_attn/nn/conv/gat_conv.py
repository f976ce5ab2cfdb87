"""Graph attention from scores of single nodes, with or without edge types."""

import torch
from torch import Tensor
from torch.nn import Linear, Parameter
from torch.nn.functional import dropout, leaky_relu
from torch_geometric.nn import MessagePassing

from tgraph_attn._checks import check_fraction, check_positive
from tgraph_attn._checks_tensor import check_graph, check_optional_types
from tgraph_attn.nn.conv._must_propagate import must_propagate
from tgraph_attn.ops.edge_attention import edge_attention


class GATConv(MessagePassing):
    """Attend along edges by a score of the one node plus a score of the other.

    With v = W x, for an edge e from j to i, with types of type r, and a head h::

        score[e, h] = leaky_relu(att_src[h] · v[j, h] + att_dst[h] · v[i, h] + bias_table[r, h])
        alpha[e, h] = softmax of score over all edges into i
        out[i, h]   = sum of alpha[e, h] * v[j, h] over all edges into i

    Then heads are concatenated, or averaged, and a bias is added. A node that no edge enters gets
    that bias. No self loop is added: give nodes an edge to themselves, with a type of its own, as
    this package's transforms do.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of a head, C.
        heads: How many heads, H.
        concat: Whether heads stand side by side in the output, or are averaged.
        negative_slope: Slope of leaky_relu below zero.
        dropout: Chance that a weight alpha is set to zero in training.
        num_types: How many edge types there are, T; None for none.
        bias: Whether a bias is learned.

    Shapes:
        - **x**: `[N, F]`
        - **edge_index**: `[2, E]` int64; row 0 is the source j, row 1 the target i
        - **edge_type**: `[E]` int64, each in `[0, T)`
        - **output**: `[N, H * C]`, `[N, C]` if concat=False; with return_attention_weights=True
          also `(edge_index, alpha)`, alpha `[E, H]` as before dropout

    Raises:
        ValueError: A size is below 1, dropout is not in [0, 1), x has another width, edge_type has
            not one type for each edge, is missing, or was given to a layer without types, or (on
            CPU) a node or a type is out of range.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn.conv import GATConv
        >>> edge_index = torch.tensor([[0, 0], [1, 2]])
        >>> GATConv(8, 4, heads=2)(torch.randn(3, 8), edge_index).shape
        torch.Size([3, 8])

    Source:
        Veličković et al. (ICLR 2018), as PyG's with add_self_loops=False. The term of the types is
        ours; it starts at zero.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        heads: int = 1,
        concat: bool = True,
        negative_slope: float = 0.2,
        dropout: float = 0.0,
        num_types: int | None = None,
        bias: bool = True,
    ) -> None:
        super().__init__(aggr="sum", node_dim=0)
        owner = type(self).__name__
        check_positive(owner, in_channels=in_channels, out_channels=out_channels, heads=heads)
        if num_types is not None:
            check_positive(owner, num_types=num_types)
        check_fraction(owner, dropout=dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.heads = heads
        self.concat = concat
        self.negative_slope = negative_slope
        self.dropout = dropout
        self.num_types = num_types
        self.lin = Linear(in_channels, heads * out_channels, bias=False)
        self.att_src = Parameter(torch.empty(1, heads, out_channels))
        self.att_dst = Parameter(torch.empty(1, heads, out_channels))
        self.bias_table = None if num_types is None else Parameter(torch.empty(num_types, heads))
        width = heads * out_channels if concat else out_channels
        self.bias = Parameter(torch.empty(width)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw projection and score vectors anew, and set biases to zero."""
        super().reset_parameters()
        for weight in (self.lin.weight, self.att_src.detach()[0], self.att_dst.detach()[0]):
            torch.nn.init.xavier_uniform_(weight)
        for bias in (self.bias_table, self.bias):
            if bias is not None:
                torch.nn.init.zeros_(bias)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_type: Tensor | None = None,
        *,
        return_attention_weights: bool | None = None,
    ) -> Tensor | tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the new node features, and if asked `(edge_index, alpha)`."""
        owner = type(self).__name__
        check_graph(owner, x, self.in_channels, edge_index, edge_type=edge_type)
        check_optional_types(owner, edge_type, self.num_types)
        value = self.lin(x).view(-1, self.heads, self.out_channels)  # [N, H, C]
        dtype = value.dtype
        value = value.to(torch.promote_types(dtype, torch.float32))  # a score needs the digits
        source, target = edge_index
        score = (value * self.att_src).sum(-1).index_select(0, source)  # [E, H]
        score = score + (value * self.att_dst).sum(-1).index_select(0, target)
        if self.bias_table is not None and edge_type is not None:
            score = score + self.bias_table.index_select(0, edge_type)
        no_product = value[..., :0]
        out, alpha = edge_attention(
            *(no_product, no_product, value, edge_index),
            edge_bias=leaky_relu(score, self.negative_slope),
            scale=1.0,
            dropout=self.dropout if self.training else 0.0,
            return_weights=True,
        )
        if must_propagate(self):
            out = self.propagate(edge_index, value=value, alpha=alpha)
        out = out.flatten(1) if self.concat else out.mean(1)
        if self.bias is not None:
            out = out + self.bias
        out = out.to(dtype)
        return (out, (edge_index, alpha)) if return_attention_weights else out

    # PyG reads these annotations to compile propagate: plain Tensor and int only.
    def message(self, value_j: Tensor, alpha: Tensor) -> Tensor:
        """Return the weighted value of each edge, `[E, H, C]`."""
        alpha = dropout(alpha, self.dropout, self.training)
        return alpha.unsqueeze(-1) * value_j
