"""Graph convolution, with or without edge types."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import Linear, Parameter
from torch_geometric.nn import MessagePassing

from tgraph_attn._checks import check_positive
from tgraph_attn._checks_tensor import check_graph, check_optional_types, check_weights
from tgraph_attn.nn.conv._must_propagate import must_propagate
from tgraph_attn.ops.edge_aggregate import edge_aggregate
from tgraph_attn.ops.symmetric_weight import symmetric_weight


class GCNConv(MessagePassing):
    """Sum linear maps of the neighbours, weighted by edges; each edge type may have its own map.

    Without types, for edges e from j to i of weight w, and d[n] the sum of w over edges into n::

        out[i] = sum of alpha[e] * (W x[j]) over all edges into i, plus b
        alpha[e] = w[e] / sqrt(d[j] * d[i])        w[e] if normalize=False

    With types, for an edge e of type r::

        out[i] = sum of alpha[e] * (W[r] x[j] + b[r]) over all edges into i
        alpha[e] = w[e], times sigmoid(g[r] · x[j] + c[r]) if gate=True

    A node that no edge enters gets b without types, zeros with types. No self loop is added: give
    nodes an edge to themselves, with a type of its own, as this package's transforms do.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of an output node, G.
        num_types: How many edge types there are, T, where a direction is a type; None for none.
        normalize: Whether weights are divided by the roots of the degrees. None: without types
            only.
        bias: Whether b is learned, with types one for each.
        gate: Whether each message is multiplied by a learned gate; with types only.
        weight_of_type: The number of the matrix W that each type uses, so that types may share
            one, for example all types of a direction; None for a matrix each. g goes with W.

    Shapes:
        - **x**: `[N, F]`
        - **edge_index**: `[2, E]` int64; row 0 is the source j, row 1 the target i
        - **edge_weight**: `[E]` floating; ones if None
        - **edge_type**: `[E]` int64, each in `[0, T)`
        - **output**: `[N, G]`. With types there are `N * T * G` numbers in between: meant for few.

    Raises:
        ValueError: A size is below 1, gate or weight_of_type come without types or do not fit, x
            has another width, an edge tensor has not one row for each edge, edge_type is missing
            or was given to a layer without types, or (on CPU) a node or a type is out of range.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn.conv import GCNConv
        >>> edge_index = torch.tensor([[0, 0], [1, 2]])
        >>> GCNConv(8, 4, num_types=2)(
        ...     torch.randn(3, 8), edge_index, edge_type=torch.tensor([1, 0])
        ... ).shape
        torch.Size([3, 4])

    Source:
        Without types that of Kipf and Welling (ICLR 2017), as PyG's with add_self_loops=False.
        With types the syntactic GCN of Marcheggiani and Titov (EMNLP 2017), without its ReLU.
        There, W and g depend on the direction alone: that is weight_of_type, and gate=True.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        num_types: int | None = None,
        normalize: bool | None = None,
        bias: bool = True,
        gate: bool = False,
        weight_of_type: Sequence[int] | None = None,
    ) -> None:
        super().__init__(aggr="sum", node_dim=0)
        owner = type(self).__name__
        check_positive(owner, in_channels=in_channels, out_channels=out_channels)
        if num_types is not None:
            check_positive(owner, num_types=num_types)
        elif gate or weight_of_type is not None:
            raise ValueError(
                f"{owner}: gate and weight_of_type must come with num_types, but it is None. Pass "
                "num_types; for one type only, 1."
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.num_types = num_types
        self.normalize = num_types is None if normalize is None else normalize
        self.num_weights = self._share_weights(weight_of_type)
        self.lin = Linear(in_channels, self.num_weights * out_channels, bias=False)
        self.lin_gate = Linear(in_channels, self.num_weights, bias=False) if gate else None
        rows = () if num_types is None else (num_types,)
        self.bias = Parameter(torch.empty(*rows, out_channels)) if bias else None
        self.gate_bias = Parameter(torch.empty(*rows)) if gate else None
        self.reset_parameters()

    def _share_weights(self, weight_of_type: Sequence[int] | None) -> int:
        """Keep which matrix each type uses; return how many there are."""
        shared = None if weight_of_type is None else torch.tensor(weight_of_type)
        self.register_buffer("weight_of_type", shared, persistent=False)
        if weight_of_type is None:
            return self.num_types or 1
        used = sorted(set(weight_of_type))
        if len(weight_of_type) != self.num_types or used != list(range(len(used))):
            raise ValueError(
                f"{type(self).__name__}: weight_of_type must have one of the numbers 0, 1, ... for "
                f"each of the {self.num_types} types and use each of them, but is "
                f"{list(weight_of_type)}. Number the matrices from 0."
            )
        return len(used)

    def reset_parameters(self) -> None:
        """Draw each matrix anew, and set biases to zero."""
        super().reset_parameters()
        for matrix in self.lin.weight.detach().chunk(self.num_weights):
            torch.nn.init.xavier_uniform_(matrix)
        if self.lin_gate is not None:
            torch.nn.init.xavier_uniform_(self.lin_gate.weight)
        for bias in (self.bias, self.gate_bias):
            if bias is not None:
                torch.nn.init.zeros_(bias)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_weight: Tensor | None = None,
        edge_type: Tensor | None = None,
    ) -> Tensor:
        """Return the new node features, `[N, G]`."""
        owner = type(self).__name__
        given = {"edge_weight": edge_weight, "edge_type": edge_type}
        check_graph(owner, x, self.in_channels, edge_index, **given)
        check_weights(owner, edge_weight)
        check_optional_types(owner, edge_type, self.num_types)
        num_nodes = x.size(0)
        value = self.lin(x)  # [N, G]
        alpha = edge_weight
        if self.normalize:
            if alpha is None:
                alpha = x.new_ones(edge_index.size(1))
            alpha = symmetric_weight(edge_index, alpha, num_nodes)
        index = edge_index
        if edge_type is not None and self.num_types is not None:
            # A node has one value for each type: those are the keys.
            index = torch.stack([edge_index[0] * self.num_types + edge_type, edge_index[1]])
            value = self._per_type(value, self.bias)  # [N * T, G]
            if self.lin_gate is not None:
                gate = self._per_type(self.lin_gate(x), self.gate_bias).sigmoid()
                gate = gate.index_select(0, index[0]).squeeze(1)  # [E]
                alpha = gate if alpha is None else gate * alpha
        alpha = None if alpha is None else alpha.to(value.dtype)
        if must_propagate(self):
            alpha = value.new_ones(index.size(1)) if alpha is None else alpha
            size = (value.size(0), num_nodes)
            out = self.propagate(index, value=value, alpha=alpha, size=size)
        else:
            out = edge_aggregate(value, index, alpha, num_queries=num_nodes)
        if self.num_types is None and self.bias is not None:
            out = out + self.bias.to(out.dtype)
        return out

    def _per_type(self, product: Tensor, bias: Tensor | None) -> Tensor:
        """Return `[N * T, G]`, each type's product plus its bias, from the matrices' products."""
        width = product.size(1) // self.num_weights
        product = product.view(-1, self.num_weights, width)
        if self.weight_of_type is not None:
            product = product.index_select(1, self.weight_of_type)
        if bias is not None:
            product = product + bias.view(product.shape[1:]).to(product.dtype)
        return product.flatten(0, 1)

    # PyG reads these annotations to compile propagate: plain Tensor and int only.
    def message(self, value_j: Tensor, alpha: Tensor) -> Tensor:
        """Return the weighted value of each edge, `[E, G]`."""
        return alpha.unsqueeze(-1) * value_j
