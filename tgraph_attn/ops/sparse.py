"""Edge attention by products of sparse matrices, with torch-sparse."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from tgraph_attn._optional import require
from tgraph_attn.ops.edge_softmax import edge_softmax
from tgraph_attn.ops.reference import AttentionInputs


def sparse_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`.

    The edges are a sparse matrix, queries by keys. The products q · k are taken at its entries
    only, and the weights, as its entries, times the values are the output. The tables' products
    with each node are small dense ones, `[N, T, H]`, looked up by the edges.

    Raises:
        ImportError: torch-sparse is not installed.

    Source:
        "Sparse" of AST-Trans (Tang et al., ICSE 2022). There only the products with tables skip
        pairs without an edge; here q · k and the sum of values do as well.
    """
    sparse = require("edge_attention", "torch_sparse", 'backend="sparse" cannot run: use "auto".')
    source, target = inputs.edge_index
    (num_queries, heads, _), num_keys = inputs.query.shape, inputs.key.size(0)
    matrix = sparse.SparseTensor(
        row=target,
        col=source,
        value=torch.arange(source.numel(), device=source.device),  # which edge each entry is
        sparse_sizes=(num_queries, num_keys),
    ).fill_cache_()
    edge_type = torch.zeros_like(source) if inputs.edge_type is None else inputs.edge_type

    score = _sampled_product(matrix, inputs.query, inputs.key)  # [E, H]
    if inputs.key_table is not None:
        table = inputs.key_table.expand(-1, heads, -1)
        products = torch.einsum("ihc,thc->ith", inputs.query, table).flatten(0, 1)
        score = score + products.index_select(0, target * table.size(0) + edge_type)
    if inputs.query_table is not None:
        table = inputs.query_table.expand(-1, heads, -1)
        products = torch.einsum("jhc,thc->jth", inputs.key, table).flatten(0, 1)
        score = score + products.index_select(0, source * table.size(0) + edge_type)
    score = score * inputs.scale
    if inputs.bias_table is not None:
        score = score + inputs.bias_table[edge_type]
    if inputs.edge_bias is not None:
        score = score + inputs.edge_bias

    alpha = edge_softmax(score, inputs.edge_index, num_queries)
    weight = alpha if inputs.dropout_mask is None else alpha * inputs.dropout_mask
    out = _sparse_product(matrix, weight, inputs.value)
    if inputs.value_table is not None:
        table = inputs.value_table.expand(-1, heads, -1)
        num_types = table.size(0)
        by_type = weight.new_zeros(num_queries * num_types, heads)
        by_type = by_type.index_add(0, target * num_types + edge_type, weight)
        out = out + torch.einsum("ith,thc->ihc", by_type.view(-1, num_types, heads), table)
    return out, alpha


class _SparseProduct(Function):
    """For each head, the matrix with `entry` `[E, H]`, times `dense` `[n, H, C]`: `[m, H, C]`."""

    @staticmethod
    def forward(ctx: Any, matrix: Any, entry: Tensor, dense: Tensor) -> Tensor:
        ctx.matrix = matrix
        ctx.save_for_backward(entry, dense)
        out = dense.new_zeros(matrix.size(0), *dense.shape[1:])
        if entry.numel() and dense.numel():  # torch-sparse divides by the size of what is empty
            edge = matrix.storage.value()
            for head in range(dense.size(1)):
                filled = matrix.set_value(entry[edge, head], layout="coo")
                out[:, head] = filled @ dense[:, head]
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, Tensor]:
        entry, dense = ctx.saved_tensors
        return (
            None,
            _sampled_product(ctx.matrix, grad, dense),
            _sparse_product(ctx.matrix.t(), entry, grad),
        )


class _SampledProduct(Function):
    """For each edge and head, its row of `left` times its column's row of `right`: `[E, H]`.

    That is the gradient of a sparse product by its entries, which is how torch-sparse offers it.
    """

    @staticmethod
    def forward(ctx: Any, matrix: Any, left: Tensor, right: Tensor) -> Tensor:
        ctx.matrix = matrix
        ctx.save_for_backward(left, right)
        edge = matrix.storage.value()
        out = left.new_zeros(edge.numel(), left.size(1))
        if edge.numel() and left.numel():
            for head in range(left.size(1)):
                entry = left.new_ones(edge.numel(), requires_grad=True)
                with torch.enable_grad():
                    product = matrix.set_value(entry, layout="coo") @ right[:, head].detach()
                [out[edge, head]] = torch.autograd.grad(product, entry, left[:, head].detach())
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, Tensor]:
        left, right = ctx.saved_tensors
        return (
            None,
            _sparse_product(ctx.matrix, grad, right),
            _sparse_product(ctx.matrix.t(), grad, left),
        )


_sparse_product: Callable[[Any, Tensor, Tensor], Tensor] = _SparseProduct.apply
_sampled_product: Callable[[Any, Tensor, Tensor], Tensor] = _SampledProduct.apply
