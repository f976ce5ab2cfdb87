"""Sums, means and maxima over the edges into each node."""

import torch
from torch import Tensor

from tgraph_attn._checks import check_choice
from tgraph_attn._checks_tensor import check_edges, check_range
from tgraph_attn.ops._numba.aggregate_op import aggregate_op
from tgraph_attn.ops.reference import reference_aggregate
from tgraph_attn.ops.symmetric_weight import symmetric_weight


def edge_aggregate(
    value: Tensor,
    edge_index: Tensor,
    weight: Tensor | None = None,
    *,
    reduce: str = "sum",
    num_queries: int | None = None,
) -> Tensor:
    """Bring the values of keys together at the queries that their edges enter.

    Over all edges e into query i, each from its key j, with w[e] = 1 where there is no weight::

        sum    out[i] = sum of w[e] * v[j]
        mean   out[i] = sum of w[e] * v[j] / number of edges into i
        sym    out[i] = sum of w[e] / sqrt(d[j] * d[i]) * v[j]    d[n] = sum of w over edges into n
        max    out[i] = elementwise maximum of w[e] * v[j]; of equal ones the first edge's counts

    A query that no edge enters gets zeros. Duplicate edges count as separate edges. The edges may
    come in any order. In "sym" an edge that touches a node with d = 0 counts nothing.

    Args:
        value: What is brought together.
        edge_index: The edges.
        weight: A factor for each edge, or for each edge and head; "sym" takes the former.
        reduce: "sum", "mean", "sym" or "max".
        num_queries: How many queries there are, Nq; as many as values if None.

    Shapes:
        - **value**: `[N, F]`, or `[N, H, C]` where each head has its own weight; floating
        - **edge_index**: `[2, E]` int64; row 0 is the key j in `[0, N)`, row 1 the query i in
          `[0, Nq)`
        - **weight**: `[E]` or `[E, H]`, as value's dtype
        - **output**: as value, with Nq rows

    Raises:
        ValueError: A shape or dtype does not fit, (on CPU) a node is out of range, or "sym" is
            asked for with weights per head or with num_queries other than N.

    Examples:
        >>> import torch
        >>> from tgraph_attn.ops import edge_aggregate
        >>> edge_index = torch.tensor([[0, 1], [2, 2]])
        >>> edge_aggregate(torch.tensor([[1.0], [3.0], [9.0]]), edge_index, reduce="mean")
        tensor([[0.],
                [0.],
                [2.]])

    Source:
        "sym" is the normalisation of Kipf and Welling (ICLR 2017), with the weighted degrees of
        PyG's `gcn_norm`; "max" that of the text-level GNN (Huang et al., EMNLP 2019).
    """
    owner = "edge_aggregate"
    check_choice(owner, "reduce", reduce, ("sum", "mean", "sym", "max"))
    check_edges(owner, edge_index, weight=weight)
    if value.dim() not in (2, 3) or not value.is_floating_point():
        raise ValueError(
            f"{owner}: value must be floating [N, F] or [N, H, C], but got {value.dtype} of shape "
            f"{list(value.shape)}. One row for each node, as floats."
        )
    heads = value.size(1) if value.dim() == 3 else 1
    if weight is not None and (
        weight.dtype != value.dtype or weight.dim() > 2 or weight.shape[1:] not in ((), (heads,))
    ):
        raise ValueError(
            f"{owner}: weight must be {value.dtype} [E] or [E, {heads}], but got {weight.dtype} of "
            f"shape {list(weight.shape)}. Weights per head need a value [N, H, C]."
        )
    if num_queries is None:
        num_queries = value.size(0)
    if not torch.compiler.is_compiling():
        check_range(owner, "the key of an edge", edge_index[0], value.size(0))
        check_range(owner, "the query of an edge", edge_index[1], num_queries)

    dtype = value.dtype
    wide = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    value, weight = value.to(wide), None if weight is None else weight.to(wide)
    if reduce == "sym":
        weight = _symmetric(value, edge_index, weight, num_queries)
    if weight is not None and weight.dim() == 1:
        weight = weight.unsqueeze(1).expand(-1, heads)
    shaped = value if value.dim() == 3 else value.unsqueeze(1)  # [N, H, C]
    largest = reduce == "max"
    if value.device.type == "cpu":
        weight = None if weight is None else weight.contiguous()
        out, _ = aggregate_op(shaped.contiguous(), edge_index, weight, num_queries, largest)
    else:
        out = reference_aggregate(shaped, edge_index, weight, num_queries, largest)
    if reduce == "mean":
        ones = out.new_ones(edge_index.size(1))
        count = out.new_zeros(num_queries).index_add(0, edge_index[1], ones)
        out = out / count.clamp(min=1).view(-1, 1, 1)
    return out.view(num_queries, *value.shape[1:]).to(dtype)


def _symmetric(
    value: Tensor, edge_index: Tensor, weight: Tensor | None, num_queries: int
) -> Tensor:
    """Return `w[e] / sqrt(d[j] * d[i])`, `[E]`."""
    if num_queries != value.size(0) or (weight is not None and weight.dim() != 1):
        raise ValueError(
            'edge_aggregate: reduce="sym" must have as many queries as values and one weight for '
            f"each edge, but got {num_queries} queries, {value.size(0)} values and weight of shape "
            f"{None if weight is None else list(weight.shape)}. Normalise such weights beforehand."
        )
    if weight is None:
        weight = value.new_ones(edge_index.size(1))
    return symmetric_weight(edge_index, weight, num_queries)
