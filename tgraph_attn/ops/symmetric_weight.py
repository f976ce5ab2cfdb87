"""The symmetric normalisation of edge weights."""

import torch
from torch import Tensor


def symmetric_weight(edge_index: Tensor, weight: Tensor, num_nodes: int) -> Tensor:
    """Return each edge's weight, divided by the roots of its nodes' degrees.

    For edge e from j to i, with d[n] the sum of weight over the edges into n::

        out[e] = weight[e] / sqrt(d[j] * d[i])        0 where a node has d = 0

    Args:
        edge_index: The edges.
        weight: The weight of each edge.
        num_nodes: How many nodes there are, N.

    Shapes:
        - **edge_index**: `[2, E]` int64, each in `[0, N)`
        - **weight**: `[E]` floating
        - **output**: `[E]`

    Examples:
        >>> import torch
        >>> from tgraph_attn.ops.symmetric_weight import symmetric_weight
        >>> edge_index = torch.tensor([[0, 1, 0], [0, 0, 1]])
        >>> symmetric_weight(edge_index, torch.tensor([1.0, 3.0, 4.0]), num_nodes=2)
        tensor([0.2500, 0.7500, 1.0000])

    Source:
        Kipf and Welling (ICLR 2017), with the weighted degrees of PyG's `gcn_norm`.
    """
    source, target = edge_index
    dtype = weight.dtype
    weight = weight.to(torch.promote_types(dtype, torch.float32))  # bfloat16 counts to 256 only
    degree = weight.new_zeros(num_nodes).index_add(0, target, weight)
    is_zero = degree == 0
    root = torch.where(is_zero, 0, torch.where(is_zero, 1, degree).rsqrt())
    return (root[source] * weight * root[target]).to(dtype)
