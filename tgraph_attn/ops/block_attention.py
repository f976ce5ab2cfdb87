"""Attention between blocks of tokens, along the edges of a graph of blocks."""

import math

import torch
from torch import Tensor

from tgraph_attn._checks import check_fraction, check_positive
from tgraph_attn._checks_tensor import check_blocks, check_tokens
from tgraph_attn.ops._blocks.attend_blocks import attend_blocks
from tgraph_attn.ops._blocks.block_rows import block_rows
from tgraph_attn.ops._check_attention import check_attention


def block_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    block_index: Tensor,
    *,
    block_size: int,
    is_token: Tensor | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """Let each token attend to all tokens of the blocks that its own block has edges from.

    Tokens 0 .. b - 1 are block 0, the next b are block 1, and so on; the last may have fewer. For
    a token i and a head h::

        score[i, j, h] = scale * q[i, h] · k[j, h]        for all tokens j of the blocks
        out[i, h]      = sum over j of softmax over j of score[i, j, h] * v[j, h]

    It equals `edge_attention` along all edges between tokens of joined blocks. A pair of blocks
    counts once, however often it is there. Tokens that are none, padding, are attended to by no
    one, whatever they hold, and get zeros, as does a token with nothing to attend to. For several
    sequences, fill each up to whole blocks and number the blocks on. Time and memory are linear in
    the pairs of blocks; what is kept for the gradient is linear in the tokens. float16 and bfloat16
    are computed in float32. There are no second derivatives.

    Args:
        query: What attends.
        key: What is attended to.
        value: What is summed.
        block_index: The edges between blocks.
        block_size: How many tokens a block has, b.
        is_token: Which tokens are there; None if all are.
        scale: Factor on the products; 1 / sqrt(C) if None.
        dropout: Chance that a weight is set to zero; the rest grow by 1 / (1 - dropout).

    Shapes:
        - **query**, **key**: `[N, H, C]` floating; **value**: `[N, H, Cv]`
        - **block_index**: `[2, E]` int64 in `[0, ceil(N / b))`; row 0 is the key block, row 1 the
          query block
        - **is_token**: `[N]` bool
        - **output**: `[N, H, Cv]`

    Raises:
        ValueError: A shape or dtype does not fit, block_size is below 1, dropout is not in
            [0, 1), or (on CPU) there is no such block.

    Examples:
        >>> import torch
        >>> from tgraph_attn.ops import block_attention
        >>> x = torch.tensor([2.0, 4.0, 10.0]).view(3, 1, 1)  # blocks 0 (two tokens) and 1 (one)
        >>> block_index = torch.tensor([[0, 0], [0, 1]])  # both see block 0
        >>> block_attention(0 * x, x, x, block_index, block_size=2).flatten()
        tensor([3., 3., 3.])

    Source:
        The batched products of blocks of BigBird (Zaheer et al., NeurIPS 2020) and SASA (Liu et
        al., SIGIR 2022), for any graph of blocks.
    """
    owner = "block_attention"
    check_positive(owner, block_size=block_size)
    check_fraction(owner, dropout=dropout)
    check_attention(owner, query, key, value, None, None, {})
    num_tokens, _, channels = query.shape
    if key.size(0) != num_tokens:
        raise ValueError(
            f"{owner}: key must have one row for each query, {num_tokens}, but has {key.size(0)}. "
            "Both are the same tokens, in blocks."
        )
    check_tokens(owner, is_token, num_tokens)
    num_blocks = -(-num_tokens // block_size)
    check_blocks(owner, block_index, num_blocks)
    scale = 1 / math.sqrt(max(channels, 1)) if scale is None else scale
    dtype = query.dtype
    wide = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    spare = num_blocks * block_size - num_tokens

    def in_blocks(tokens: Tensor) -> Tensor:  # [N, H, C] to [H, K, b, C]
        if is_token is not None:
            tokens = tokens.where(is_token.view(-1, 1, 1), 0)
        if spare:
            tokens = torch.cat([tokens, tokens.new_zeros(spare, *tokens.shape[1:])])
        blocks = tokens.to(wide).view(num_blocks, block_size, *tokens.shape[1:])
        return blocks.permute(2, 0, 1, 3).contiguous()

    there = is_token
    if spare:
        there = query.new_ones(num_tokens, dtype=torch.bool) if there is None else there
        there = torch.cat([there, there.new_zeros(spare)])
    if there is not None:
        there = there.view(num_blocks, block_size)
    rows = block_rows(block_index, num_blocks)
    query, key, value = in_blocks(query), in_blocks(key), in_blocks(value)
    with torch.autocast(query.device.type, enabled=False):
        out = attend_blocks(query, key, value, there, rows, scale, dropout)
    out = out.permute(1, 2, 0, 3).flatten(0, 1)[:num_tokens].to(dtype)
    return out if is_token is None else out.where(is_token.view(-1, 1, 1), 0)
