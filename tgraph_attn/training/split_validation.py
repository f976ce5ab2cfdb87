"""Documents that are held back from training, to choose the epoch on."""

import torch
from torch import Tensor

from tgraph_attn._checks import check_positive


def split_validation(size: int, *, fraction: float = 0.1, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Return which items to train on and which to hold back, drawn by the seed.

    Args:
        size: How many items there are.
        fraction: The part to hold back; at least one item.
        seed: Another number holds back others.

    Shapes:
        - **output**: two int64 tensors, in ascending order, of all numbers in `[0, size)`

    Raises:
        ValueError: fraction is not in [0, 1), or nothing would be left to train on.

    Examples:
        >>> from tgraph_attn.training import split_validation
        >>> train, validation = split_validation(10, fraction=0.2)
        >>> len(train), len(validation)
        (8, 2)
    """
    owner = "split_validation"
    check_positive(owner, size=size)
    if not 0 <= fraction < 1:
        raise ValueError(
            f"{owner}: fraction must be in [0, 1), but got {fraction}. Pass 0.1 for a tenth."
        )
    held = max(1, int(size * fraction))
    if held >= size:
        raise ValueError(
            f"{owner}: something must be left to train on, but {held} of {size} items would be "
            "held back. Pass more items, or a smaller fraction."
        )
    order = torch.randperm(size, generator=torch.Generator().manual_seed(seed))
    return order[held:].sort().values, order[:held].sort().values
