"""Places for more tokens than a model was pre-trained with."""

from typing import TYPE_CHECKING, TypeVar

import torch
from torch import Tensor
from torch.nn import Embedding, Module
from torch.nn.functional import interpolate

from tgraph_attn._checks import check_choice, check_positive

if TYPE_CHECKING:
    from transformers import PreTrainedModel

Model = TypeVar("Model", bound="PreTrainedModel")


def stretch_positions(model: Model, num_tokens: int, how: str = "repeat") -> Model:
    """Give a pre-trained model vectors for as many places as a text has tokens.

    Rows before those of the first token, which RoBERTa's family has for padding, stay.

    Args:
        model: A model of transformers with a learned vector for each place.
        num_tokens: For how many tokens, L; fewer than there are cuts them off.
        how: "repeat": the vectors again and again, from the first on; or "interpolate": the first
            and the last stay at the ends, the others are drawn apart between.

    Returns:
        The model itself.

    Raises:
        ValueError: num_tokens is below 1, there is no such way, or the model has not one table of
            places.

    Examples:
        >>> from transformers import RobertaConfig, RobertaModel
        >>> from tgraph_attn.models.pretrained import stretch_positions
        >>> config = RobertaConfig(vocab_size=9, hidden_size=8, num_hidden_layers=1,
        ...     num_attention_heads=2, intermediate_size=8, max_position_embeddings=34)
        >>> model = stretch_positions(RobertaModel(config), 64)
        >>> model.config.max_position_embeddings  # two rows are RoBERTa's for padding
        66

    Source:
        Repeating is Longformer's (Beltagy et al., 2020). How SASA's checkpoint for 1,024 tokens was
        begun with is not told.
    """
    owner = "stretch_positions"
    check_positive(owner, num_tokens=num_tokens)
    check_choice(owner, "how", how, ("repeat", "interpolate"))
    home, table = _table(owner, model)
    first = _first(table)
    weight = table.weight.detach()
    stretch = _repeat if how == "repeat" else _interpolate
    rows = torch.cat([weight[:first], stretch(weight[first:], num_tokens)])
    home.position_embeddings = Embedding(
        len(rows), rows.size(1), padding_idx=table.padding_idx, _weight=rows
    )
    home.position_embeddings.requires_grad_(table.weight.requires_grad)
    for name in ("position_ids", "token_type_ids"):
        if isinstance(ids := getattr(home, name, None), Tensor):
            longer = torch.arange(len(rows), device=ids.device).unsqueeze(0)
            setattr(home, name, longer if name == "position_ids" else 0 * longer)
    model.config.max_position_embeddings = len(rows)
    return model


def count_places(owner: str, model: "PreTrainedModel") -> int:
    """Return for how many tokens a model has places, or raise ValueError if it has no table."""
    _, table = _table(owner, model)
    return len(table.weight) - _first(table)


def _first(table: Embedding) -> int:
    """Return the row of the first token; those before are for padding."""
    return 0 if table.padding_idx is None else table.padding_idx + 1


def _table(owner: str, model: Module) -> tuple[Module, Embedding]:
    """Return the table of places, and the module that has it."""
    found = [
        (module, table)
        for module in model.modules()
        if isinstance(table := getattr(module, "position_embeddings", None), Embedding)
    ]
    if len(found) != 1:
        raise ValueError(
            f"{owner}: model must have one table of places, position_embeddings, but "
            f"{type(model).__name__} has {len(found)}. Encoders of the families of RoBERTa and "
            "BERT have one."
        )
    return found[0]


def _repeat(rows: Tensor, number: int) -> Tensor:
    return rows[torch.arange(number, device=rows.device) % len(rows)]


def _interpolate(rows: Tensor, number: int) -> Tensor:
    apart = interpolate(rows.t().unsqueeze(0), number, mode="linear", align_corners=True)
    return apart.squeeze(0).t().contiguous()
