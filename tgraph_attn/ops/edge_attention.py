"""Attention along typed edges: the one op that all attention layers run on."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from tgraph_attn._checks import check_choice, check_fraction
from tgraph_attn._checks_tensor import check_edges, check_range
from tgraph_attn._optional import is_available
from tgraph_attn.ops._check_attention import check_attention
from tgraph_attn.ops._numba.fused import fused_attention
from tgraph_attn.ops.decomposed import decomposed_attention
from tgraph_attn.ops.dense import dense_attention
from tgraph_attn.ops.gather import gather_attention
from tgraph_attn.ops.reference import AttentionInputs, reference_attention
from tgraph_attn.ops.sparse import sparse_attention

_BACKENDS: dict[str, Callable[[AttentionInputs], tuple[Tensor, Tensor]]] = {
    "reference": reference_attention,
    "dense": dense_attention,
    "sparse": sparse_attention,
    "gather": gather_attention,
    "decomposed": decomposed_attention,
    "fused": fused_attention,
}

_ALWAYS_FEW_TYPES = 64


def edge_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor | None = None,
    *,
    key_table: Tensor | None = None,
    query_table: Tensor | None = None,
    value_table: Tensor | None = None,
    bias_table: Tensor | None = None,
    edge_bias: Tensor | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    return_weights: bool = False,
    backend: str = "auto",
) -> Tensor | tuple[Tensor, Tensor]:
    """Let each query attend to the keys that its edges come from.

    For an edge e of type r from key j to query i, and a head h::

        score[e, h] = scale * (q[i, h] · k[j, h] + q[i, h] · key_table[r, h]
                               + query_table[r, h] · k[j, h]) + bias_table[r, h] + edge_bias[e, h]
        alpha[e, h] = softmax of score over all edges into i
        out[i, h]   = sum of alpha[e, h] * (v[j, h] + value_table[r, h]) over all edges into i

    A query that no edge enters gets zeros. Duplicate edges count as separate edges. The edges may
    come in any order; sorted by query they need no sorting here. float16 and bfloat16 are computed
    in float32. Under autocast, tables and biases follow the query's dtype. "fused" has no second
    derivatives. "auto", "fused" and "reference" compile whole; the others do not.

    Args:
        query: What attends.
        key: What is attended to, C channels a head. With C = 0 the scores are the biases alone.
        value: What is summed.
        edge_index: The edges.
        edge_type: Each edge's type; needed where there is a table, ignored where there is none.
        key_table: What a query finds in each type.
        query_table: What each type finds in a key.
        value_table: What each type adds to a value.
        bias_table: What each type adds to a score.
        edge_bias: What each edge adds to its score.
        scale: Factor on the products; 1 / sqrt(C * number of products in the score) if None.
        dropout: Chance that a weight is set to zero; the rest grow by 1 / (1 - dropout). One
            random draw for each edge and head, the same for every backend.
        return_weights: Also return alpha, before dropout.
        backend: How: "reference" (plain torch, the definition), "dense" (full masked scores),
            "sparse" (sparse matrices, by torch-sparse), "gather" (gathered to edges, by
            torch-scatter), "decomposed" (the same, grouped by type), "fused" (CPU kernels), or
            "auto", the fastest there is.

    Shapes:
        - **query**: `[Nq, H, C]` floating
        - **key**: `[N, H, C]`; **value**: `[N, H, Cv]`; both as query's dtype
        - **edge_index**: `[2, E]` int64; row 0 is the key j in `[0, N)`, row 1 the query i in
          `[0, Nq)`
        - **edge_type**: `[E]` int64, each in `[0, T)`
        - **key_table**, **query_table**: `[T, H, C]`, or `[T, 1, C]` for all heads the same
        - **value_table**: `[T, H, Cv]` or `[T, 1, Cv]`
        - **bias_table**: `[T, H]`
        - **edge_bias**: `[E]` or `[E, H]`

    Returns:
        The output, `[Nq, H, Cv]` of value's dtype; with return_weights also alpha, `[E, H]`, in the
        order of edge_index.

    Raises:
        ValueError: A shape or dtype does not fit, there is a table without edge_type, (on CPU) a
            node or a type is out of range, or "dense" would build more than 2^26 scores.
        ImportError: The backend needs a package that is not installed.

    Examples:
        >>> import torch
        >>> from tgraph_attn.ops import edge_attention
        >>> x = torch.eye(3).unsqueeze(1)  # three nodes, one head, three channels
        >>> edge_index = torch.tensor([[0, 1, 2], [0, 0, 2]])
        >>> edge_attention(x, x, x, edge_index, scale=0.0).squeeze(1)
        tensor([[0.5000, 0.5000, 0.0000],
                [0.0000, 0.0000, 0.0000],
                [0.0000, 0.0000, 1.0000]])

    Source:
        The disentangled terms are those of AST-Trans (Tang et al., ICSE 2022), equations 4 to 6;
        bias_table is HIBRIDS' (Cao and Wang, ACL 2022). In both, the paper's default scale.
    """
    owner = "edge_attention"
    check_choice(owner, "backend", backend, ("auto", *_BACKENDS))
    check_fraction(owner, dropout=dropout)
    check_edges(owner, edge_index, edge_type=edge_type, edge_bias=edge_bias)
    tables = {
        "key_table": key_table,
        "query_table": query_table,
        "value_table": value_table,
        "bias_table": bias_table,
    }
    if torch.is_autocast_enabled(query.device.type):
        key, value = key.to(query.dtype), value.to(query.dtype)
        tables = {n: None if t is None else t.to(query.dtype) for n, t in tables.items()}
        edge_bias = None if edge_bias is None else edge_bias.to(query.dtype)
    num_types = check_attention(owner, query, key, value, edge_type, edge_bias, tables)
    if not torch.compiler.is_compiling():
        check_range(owner, "the key of an edge", edge_index[0], key.size(0))
        check_range(owner, "the query of an edge", edge_index[1], query.size(0))
        if edge_type is not None and num_types is not None:
            check_range(owner, "edge_type", edge_type, num_types)

    num_edges, heads = edge_index.size(1), query.size(1)
    if scale is None:
        products = 1 + (key_table is not None) + (query_table is not None)
        scale = 1 / math.sqrt(max(query.size(2), 1) * products)
    if edge_bias is not None and edge_bias.dim() == 1:
        edge_bias = edge_bias.unsqueeze(1).expand(-1, heads)
    dtype = query.dtype
    wide = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    mask = None
    if dropout > 0:
        keep = torch.rand(num_edges, heads, device=query.device) >= dropout
        mask = keep.to(wide) / (1 - dropout)

    widened = {n: None if t is None else t.to(wide) for n, t in tables.items()}
    inputs = AttentionInputs(
        query=query.to(wide),
        key=key.to(wide),
        value=value.to(wide),
        edge_index=edge_index,
        edge_type=None if num_types is None else edge_type,
        **widened,
        edge_bias=None if edge_bias is None else edge_bias.to(wide),
        dropout_mask=mask,
        scale=scale,
    )
    run = _BACKENDS[_fastest(inputs) if backend == "auto" else backend]
    with torch.autocast(query.device.type, enabled=False):
        out, alpha = run(inputs)
    return (out.to(dtype), alpha.to(dtype)) if return_weights else out.to(dtype)


def _fastest(inputs: AttentionInputs) -> str:
    """Return the backend for this device and size."""
    if inputs.query.device.type == "cpu":
        # Fused, the tables take N x H x T products: too many where T is large and edges are few.
        vectors = (inputs.key_table, inputs.query_table, inputs.value_table)
        num_types = max([0, *(table.size(0) for table in vectors if table is not None)])
        if num_types <= _ALWAYS_FEW_TYPES:
            return "fused"
        products = num_types * (inputs.query.size(0) + inputs.key.size(0))
        per_edge = inputs.edge_index.size(1) * (inputs.query.size(2) + inputs.value.size(2))
        return "fused" if products <= 4 * per_edge else "reference"
    if torch.compiler.is_compiling() or not is_available("torch_scatter"):
        return "reference"  # which a compiler fuses better than calls into torch-scatter
    return "gather"
