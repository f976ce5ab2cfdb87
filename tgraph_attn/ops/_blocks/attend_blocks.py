"""Attention of blocks as products of small matrices; no scores are kept for the gradient."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Generator, Tensor
from torch.autograd.function import once_differentiable

from tgraph_attn.ops._blocks.block_rows import BlockRows

_MOST_SCORES = 1 << 20  # of all heads, that are there at a time


def attend_blocks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    is_token: Tensor | None,
    rows: list[BlockRows],
    scale: float,
    dropout: float,
) -> Tensor:
    """Let the tokens of each query block attend to those of its key blocks, in one softmax.

    The scores are made again in the backward pass, as in flash attention, so what is kept does not
    grow with the pattern. There are no second derivatives.

    Shapes:
        - **query**, **key**: `[H, K, b, C]`; **value**: `[H, K, b, Cv]`, of K blocks
        - **is_token**: `[K, b]` bool, None if all are: whether a token can be attended to
        - **output**: `[H, K, b, Cv]`, zeros where there is nothing to attend to
    """
    given = (query, key, value, is_token, rows, scale, dropout)
    out: Tensor = _AttendBlocks.apply(*given)  # type: ignore[no-untyped-call]
    return out


class _AttendBlocks(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        is_token: Tensor | None,
        rows: list[BlockRows],
        scale: float,
        dropout: float,
    ) -> Tensor:
        ctx.save_for_backward(query, key, value)
        ctx.is_token, ctx.rows, ctx.scale, ctx.dropout = is_token, rows, scale, dropout
        ctx.seed = int(torch.randint(1 << 62, ())) if dropout else 0
        generator = Generator(query.device).manual_seed(ctx.seed)
        out = value.new_zeros(*query.shape[:3], value.size(3))
        for part in _parts(rows, query):
            weight = _weights(query, key, part, is_token, scale)
            if dropout:
                weight *= _mask(weight, dropout, generator)
            out[:, part.query] = weight @ _keys(value, part)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[Tensor | None, ...]:
        query, key, value = ctx.saved_tensors
        generator = Generator(query.device).manual_seed(ctx.seed)
        d_query, d_key, d_value = (torch.zeros_like(tensor) for tensor in (query, key, value))
        for part in _parts(ctx.rows, query):
            weight = _weights(query, key, part, ctx.is_token, ctx.scale)
            upstream = d_out[:, part.query]
            d_weight = upstream @ _keys(value, part).mT
            if ctx.dropout:
                mask = _mask(weight, ctx.dropout, generator)
                d_weight *= mask
                _add_keys(d_value, part, (weight * mask).mT @ upstream)
            else:
                _add_keys(d_value, part, weight.mT @ upstream)
            d_score = torch.ops.aten._softmax_backward_data(d_weight, weight, -1, weight.dtype)
            d_score *= ctx.scale
            d_query[:, part.query] = d_score @ _keys(key, part)
            _add_keys(d_key, part, d_score.mT @ query[:, part.query])
        return d_query, d_key, d_value, None, None, None, None


def _parts(rows: list[BlockRows], query: Tensor) -> Iterator[BlockRows]:
    """Yield the rows in parts of not too many scores."""
    heads, _, size, _ = query.shape
    for group in rows:
        most = max(1, _MOST_SCORES // (heads * size * size * group.key.size(1)))
        for first in range(0, group.query.numel(), most):
            yield BlockRows(*(t[first : first + most] for t in group))


def _keys(blocks: Tensor, part: BlockRows) -> Tensor:
    """Return the tokens that each query block attends to, `[H, G, D * b, C]`."""
    heads, _, size, channels = blocks.shape
    found = blocks.index_select(1, part.key.flatten())
    return found.view(heads, part.query.numel(), part.key.size(1) * size, channels)


def _add_keys(blocks: Tensor, part: BlockRows, amount: Tensor) -> None:
    """Add to each block what its tokens got from each query block, `[H, G, D * b, C]`."""
    heads, _, *shape = blocks.shape
    blocks.index_add_(1, part.key.flatten(), amount.reshape(heads, part.key.numel(), *shape))


def _weights(
    query: Tensor, key: Tensor, part: BlockRows, is_token: Tensor | None, scale: float
) -> Tensor:
    """Return the softmax of the scores, `[H, G, b, D * b]`, zeros where no token is attended to."""
    score = (query[:, part.query] * scale) @ _keys(key, part).mT
    if is_token is None:
        return score.softmax(-1)
    seen = is_token[part.key].flatten(1).unsqueeze(1)  # [G, 1, D * b]
    score.masked_fill_(~seen, torch.finfo(score.dtype).min)
    return score.softmax(-1).mul_(seen.any(-1, keepdim=True))


def _mask(weight: Tensor, dropout: float, generator: Generator) -> Tensor:
    """Return a factor for each weight: 0, or what makes up for those that are."""
    drawn = torch.rand(weight.shape, generator=generator, device=weight.device)
    return (drawn >= dropout).to(weight.dtype) / (1 - dropout)
