"""Attention between blocks in a pre-trained model."""

from typing import TYPE_CHECKING, Any, TypeVar

from torch import Tensor
from torch.nn.functional import pad

from tgraph_attn._checks import check_positive
from tgraph_attn._optional import require
from tgraph_attn.ops.block_attention import block_attention

if TYPE_CHECKING:
    from transformers import PreTrainedModel

Model = TypeVar("Model", bound="PreTrainedModel")

_NAME = "tgraph_attn_blocks"


def use_block_attention(model: Model, block_size: int = 32) -> Model:
    """Let a pre-trained encoder attend between blocks of tokens; its weights stay.

    From then on, the model wants `block_index` in each call, beside what it always wants: the edges
    between blocks of the batch, as `number_blocks` makes them. All layers and heads follow them.
    Padding, as `attention_mask` tells it, is attended to by no one, and has no use. Where every
    block sees each other one of its text, the model says what it always said. It gives no weights
    (`output_attentions`). `model.set_attn_implementation("sdpa")` goes back.

    Args:
        model: An encoder of transformers, such as one of RoBERTa's or BERT's family, with whatever
            head.
        block_size: How many tokens a block has, b; kept in `model.config.attention_block_size`.

    Returns:
        The model itself.

    Raises:
        ValueError: block_size is below 1, or the model does not take attention from outside.
        ImportError: transformers is not installed.

    Examples:
        >>> import torch
        >>> from transformers import RobertaConfig, RobertaModel
        >>> from tgraph_attn.models.pretrained import number_blocks, use_block_attention
        >>> from tgraph_attn.relations.blocks import window_blocks
        >>> config = RobertaConfig(vocab_size=9, hidden_size=8, num_hidden_layers=1,
        ...     num_attention_heads=2, intermediate_size=8, max_position_embeddings=20)
        >>> model = use_block_attention(RobertaModel(config), block_size=4)
        >>> block_index = number_blocks([window_blocks(3), window_blocks(2)], 12, block_size=4)
        >>> model(torch.full((2, 12), 5), block_index=block_index).last_hidden_state.shape
        torch.Size([2, 12, 8])

    Source:
        transformers' attention interface; without the interface of masks, which is registered too,
        a model would attend to padding.
    """
    owner = "use_block_attention"
    transformers = require(owner, "transformers")
    check_positive(owner, block_size=block_size)
    transformers.AttentionInterface.register(_NAME, _attend)
    transformers.AttentionMaskInterface.register(_NAME, _mask)
    before = model.config._attn_implementation
    model.set_attn_implementation(_NAME)
    if model.config._attn_implementation != _NAME or not _takes_attention(model):
        model.set_attn_implementation(before)
        raise ValueError(
            f"{owner}: model must take attention from outside, but {type(model).__name__} has its "
            "own built in. Models of the families of RoBERTa (CodeBERT, GraphCodeBERT, UniXcoder) "
            "and BERT take it."
        )
    model.config.attention_block_size = block_size
    return model


def _takes_attention(model: "PreTrainedModel") -> bool:
    return bool(type(model)._supports_attention_backend)


def _mask(
    batch_size: int, q_length: int, kv_length: int, attention_mask: Any = None, **others: Any
) -> Tensor | None:
    """Return which tokens are there, `[B, L]` bool, as the interface of masks hands it on."""
    if q_length != kv_length:
        raise ValueError(
            f"{_NAME}: queries and keys must be the same tokens, but there are {q_length} and "
            f"{kv_length} of them. A decoder cannot attend in blocks; use it in encoders."
        )
    return None if attention_mask is None else attention_mask.bool()


def _attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    dropout: float = 0.0,
    scaling: float | None = None,
    block_index: Tensor | None = None,
    **others: Any,
) -> tuple[Tensor, None]:
    """Return the output `[B, L, H, C]` of one layer, and no weights."""
    num_texts, heads, length, _ = query.shape
    size = module.config.attention_block_size
    if block_index is None:
        raise ValueError(
            f"{_NAME}: block_index must say which blocks attend to which, but is not given. Pass "
            "model(..., block_index=number_blocks(patterns, length, block_size))."
        )
    if attention_mask is not None and attention_mask.dim() != 2:
        raise ValueError(
            f"{_NAME}: attention_mask must have shape [B, L], which tokens are there, but has "
            f"{list(attention_mask.shape)}. Who attends to whom is what block_index says."
        )
    spare = -length % size
    is_token = attention_mask
    if spare:
        is_token = query.new_ones(num_texts, length).bool() if is_token is None else is_token
        is_token = pad(is_token, (0, spare))

    def flat(tokens: Tensor) -> Tensor:  # [B, H, L, C] to [B * K * b, H, C]
        return pad(tokens.transpose(1, 2), (0, 0, 0, 0, 0, spare)).flatten(0, 1)

    out = block_attention(
        flat(query),
        flat(key),
        flat(value),
        block_index,
        block_size=size,
        is_token=None if is_token is None else is_token.flatten(),
        scale=scaling,
        dropout=dropout,
    )
    return out.view(num_texts, length + spare, heads, -1)[:, :length], None
