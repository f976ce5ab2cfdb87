"""Where a word stands in its sequence, as numbers."""

import torch
from torch import Tensor


def sinusoidal_positions(length: int, channels: int) -> Tensor:
    """Return a row for each place: waves from a period of 2 pi up to one of 10,000 * 2 pi.

    ::

        row[p, 2k]     = sin(p / 10000^(2k / F))
        row[p, 2k + 1] = cos(p / 10000^(2k / F))

    Args:
        length: How many places, L.
        channels: How many numbers for each, F.

    Shapes:
        - **output**: `[L, F]` float32

    Source:
        Vaswani et al. (NeurIPS 2017), section 3.5.
    """
    place = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    rate = 10000 ** (-torch.arange(0, channels, 2, dtype=torch.float64) / channels)
    waves = torch.stack([(place * rate).sin(), (place * rate).cos()], dim=-1)  # [L, F / 2, 2]
    return waves.flatten(1)[:, :channels].float()
