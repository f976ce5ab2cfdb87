"""Attention of every node to every node of its graph."""

import torch
from torch import Tensor
from torch.nn import Linear
from torch.nn.functional import dropout
from torch_geometric.nn import MessagePassing

from tgraph_attn._checks import check_fraction, check_positive
from tgraph_attn._checks_tensor import check_batch, check_features
from tgraph_attn.nn.conv._full_edges import full_edges
from tgraph_attn.nn.conv._must_propagate import must_propagate
from tgraph_attn.ops.edge_attention import edge_attention
from tgraph_attn.ops.full_attention import full_attention


class SelfAttentionConv(MessagePassing):
    """Attend to all nodes of the own graph, the node itself too.

    For nodes i and j of one graph, and a head h::

        score[i, j, h] = q[i, h] · k[j, h] / sqrt(C)
        alpha[i, j, h] = softmax of score over all j
        out[i, h]      = sum of alpha[i, j, h] * v[j, h] over all j

    The edges, as many as pairs of nodes, are never built, but where weights are asked for or PyG
    explains: then they are all edges of each graph, sorted by query, then key. With `batch`, it
    does not compile with fullgraph=True: the sizes of the graphs are read from it.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of a head, C.
        heads: How many heads, H.
        dropout: Chance that a weight alpha is set to zero in training.
        bias: Whether the projections to queries, keys and values add a bias.

    Shapes:
        - **x**: `[N, F]`
        - **batch**: `[N]` int64, sorted: the graph of each node; one graph if None
        - **output**: `[N, H * C]`; with return_attention_weights=True also `(edge_index, alpha)`,
          alpha `[E, H]` as before dropout

    Raises:
        ValueError: A size is below 1, dropout is not in [0, 1), x has another width, batch is not
            sorted or has not one graph for each node, or weights are asked for, or PyG explains,
            with as many pairs as 4,096 nodes have.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn.conv import SelfAttentionConv
        >>> conv = SelfAttentionConv(8, 4, heads=2)
        >>> conv(torch.randn(3, 8), batch=torch.tensor([0, 0, 1])).shape
        torch.Size([3, 8])

    Source:
        Vaswani et al. (NeurIPS 2017), without the projection that follows the heads.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        heads: int = 1,
        dropout: float = 0.0,
        bias: bool = False,
    ) -> None:
        super().__init__(aggr="sum", node_dim=0)
        owner = type(self).__name__
        check_positive(owner, in_channels=in_channels, out_channels=out_channels, heads=heads)
        check_fraction(owner, dropout=dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.heads = heads
        self.dropout = dropout
        self.lin_query = Linear(in_channels, heads * out_channels, bias)
        self.lin_key = Linear(in_channels, heads * out_channels, bias)
        self.lin_value = Linear(in_channels, heads * out_channels, bias)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the projections anew."""
        super().reset_parameters()
        for lin in (self.lin_query, self.lin_key, self.lin_value):
            torch.nn.init.xavier_uniform_(lin.weight)
            if lin.bias is not None:
                torch.nn.init.zeros_(lin.bias)

    def forward(
        self,
        x: Tensor,
        batch: Tensor | None = None,
        *,
        return_attention_weights: bool | None = None,
    ) -> Tensor | tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the new node features, `[N, H * C]`, and if asked `(edge_index, alpha)`."""
        owner = type(self).__name__
        check_features(owner, x, self.in_channels)
        if batch is not None:
            check_batch(owner, batch, x.size(0))
        heads = (-1, self.heads, self.out_channels)
        query = self.lin_query(x).view(heads)  # [N, H, C]
        key = self.lin_key(x).view(heads)
        value = self.lin_value(x).view(heads)
        explains = must_propagate(self)
        if explains or return_attention_weights:
            edge_index = full_edges(owner, x, batch)
            _, alpha = edge_attention(query, key, value, edge_index, return_weights=True)
        if explains:
            out = self.propagate(edge_index, value=value, alpha=alpha)
        else:
            p = self.dropout if self.training else 0.0
            out = full_attention(query, key, value, batch, dropout=p)
        out = out.flatten(1)
        return (out, (edge_index, alpha)) if return_attention_weights else out

    # PyG reads these annotations to compile propagate: plain Tensor and int only.
    def message(self, value_j: Tensor, alpha: Tensor) -> Tensor:
        """Return the weighted value of each edge, `[E, H, C]`."""
        alpha = dropout(alpha, self.dropout, self.training)
        return alpha.unsqueeze(-1) * value_j
