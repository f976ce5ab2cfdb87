"""Attention between blocks of nodes."""

import torch
from torch import Tensor
from torch.nn import Linear
from torch.nn.functional import dropout
from torch_geometric.nn import MessagePassing

from tgraph_attn._checks import check_fraction, check_positive
from tgraph_attn._checks_tensor import check_batch, check_features
from tgraph_attn.nn.conv._block_places import block_places, node_edges
from tgraph_attn.nn.conv._must_propagate import must_propagate
from tgraph_attn.ops.block_attention import block_attention
from tgraph_attn.ops.edge_attention import edge_attention


class BlockAttentionConv(MessagePassing):
    """Attend to all nodes of the blocks that the own block has edges from.

    The first b nodes of a graph are a block, the next b another one; the last of a graph may have
    fewer. A block is called by its first node. For a node i and a head h::

        score[i, j, h] = q[i, h] · k[j, h] / sqrt(C)        for all nodes j of the blocks
        alpha[i, j, h] = softmax of score over all these j
        out[i, h]      = sum of alpha[i, j, h] * v[j, h] over all these j

    A node of a block that no edge enters gets zeros; two edges between the same blocks count once.
    The edges between nodes are never built, but where weights are asked for or PyG explains: then
    each is there once, sorted by query, then key. It does not compile with fullgraph=True.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of a head, C.
        block_size: How many nodes a block has, b.
        heads: How many heads, H.
        dropout: Chance that a weight alpha is set to zero in training.
        bias: Whether the projections to queries, keys and values add a bias.

    Shapes:
        - **x**: `[N, F]`
        - **edge_index**: `[2, E]` int64; row 0 is the first node of the key block, row 1 that of
          the query block
        - **batch**: `[N]` int64, sorted: the graph of each node; one graph if None
        - **output**: `[N, H * C]`; with return_attention_weights=True also `(edges, alpha)`, the
          edges between nodes, `[2, E']`, and alpha `[E', H]` as before dropout

    Raises:
        ValueError: A size is below 1, dropout is not in [0, 1), x has another width, batch is not
            sorted or has not one graph for each node, or (on CPU) an end of an edge is not the
            first node of a block.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn.conv import BlockAttentionConv
        >>> conv = BlockAttentionConv(8, 4, block_size=2, heads=2)
        >>> edge_index = torch.tensor([[0, 0, 2], [0, 2, 2]])  # nodes 0 and 1, 2 and 3
        >>> conv(torch.randn(4, 8), edge_index).shape
        torch.Size([4, 8])

    Source:
        SASA (Liu et al., SIGIR 2022), for any graph of blocks, without the projection that
        follows the heads.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        block_size: int = 32,
        heads: int = 1,
        dropout: float = 0.0,
        bias: bool = False,
    ) -> None:
        super().__init__(aggr="sum", node_dim=0)
        owner = type(self).__name__
        check_positive(
            owner,
            in_channels=in_channels,
            out_channels=out_channels,
            block_size=block_size,
            heads=heads,
        )
        check_fraction(owner, dropout=dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.block_size = block_size
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
        edge_index: Tensor,
        batch: Tensor | None = None,
        *,
        return_attention_weights: bool | None = None,
    ) -> Tensor | tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the new node features, `[N, H * C]`, and if asked `(edges, alpha)`."""
        owner = type(self).__name__
        check_features(owner, x, self.in_channels)
        if batch is None:
            batch = torch.zeros(x.size(0), dtype=torch.int64, device=x.device)
        check_batch(owner, batch, x.size(0))
        places = block_places(owner, edge_index, batch, self.block_size)
        heads = (-1, self.heads, self.out_channels)
        query = self.lin_query(x).view(heads)  # [N, H, C]
        key = self.lin_key(x).view(heads)
        value = self.lin_value(x).view(heads)
        explains = must_propagate(self)
        if explains or return_attention_weights:
            edges = node_edges(places, self.block_size)
            _, alpha = edge_attention(query, key, value, edges, return_weights=True)
        if explains:
            out = self.propagate(edges, value=value, alpha=alpha)
        else:
            out = block_attention(
                places.spread(query),
                places.spread(key),
                places.spread(value),
                places.block_index,
                block_size=self.block_size,
                is_token=None if places.is_node.all() else places.is_node,
                dropout=self.dropout if self.training else 0.0,
            ).index_select(0, places.place)
        out = out.flatten(1)
        return (out, (edges, alpha)) if return_attention_weights else out

    # PyG reads these annotations to compile propagate: plain Tensor and int only.
    def message(self, value_j: Tensor, alpha: Tensor) -> Tensor:
        """Return the weighted value of each edge, `[E', H, C]`."""
        alpha = dropout(alpha, self.dropout, self.training)
        return alpha.unsqueeze(-1) * value_j
