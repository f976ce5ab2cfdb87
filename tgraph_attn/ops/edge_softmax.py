"""Softmax over the edges into each node."""

import torch
from torch import Tensor

from tgraph_attn._checks_tensor import check_edges, check_range


def edge_softmax(score: Tensor, edge_index: Tensor, num_queries: int) -> Tensor:
    """Return the softmax of score over all edges into the same query.

    For edge e from key j to query i, and a head h::

        alpha[e, h] = exp(score[e, h] - m[i, h]) / sum of the same over all edges into i
        m[i, h]     = max of score over all edges into i

    The maximum is subtracted, so no score is too large. Duplicate edges count separately.

    Args:
        score: One number for each edge and head.
        edge_index: The edges; only row 1, the query of each, is read.
        num_queries: How many queries there are, Nq.

    Shapes:
        - **score**: `[E, H]` or `[E]`, floating
        - **edge_index**: `[2, E]` int64, row 1 in `[0, Nq)`, in any order
        - **output**: as score

    Raises:
        ValueError: score has not one row for each edge or is not floating, or (on CPU) a query is
            not in `[0, Nq)`.

    Examples:
        >>> import torch
        >>> from tgraph_attn.ops import edge_softmax
        >>> edge_index = torch.tensor([[0, 1, 2], [0, 0, 2]])
        >>> edge_softmax(torch.tensor([0.0, 0.0, 7.0]), edge_index, num_queries=3)
        tensor([0.5000, 0.5000, 1.0000])
    """
    check_edges("edge_softmax", edge_index, score=score)
    if not score.is_floating_point():
        raise ValueError(
            f"edge_softmax: score must be floating, but got {score.dtype}. Convert it with "
            "score.float()."
        )
    if not torch.compiler.is_compiling():
        check_range("edge_softmax", "the query of an edge", edge_index[1], num_queries)
    query = edge_index[1].view(-1, *(1,) * (score.dim() - 1)).expand_as(score)
    shape = (num_queries, *score.shape[1:])
    lowest = score.new_full(shape, -torch.inf)
    largest = lowest.scatter_reduce(0, query, score.detach(), "amax")  # [Nq, H]
    weight = (score - largest.gather(0, query)).exp()
    total = score.new_zeros(shape).scatter_add(0, query, weight)
    return weight / total.gather(0, query)
