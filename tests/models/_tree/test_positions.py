import math

import pytest

from tgraph_attn.models._tree.positions import sinusoidal_positions


@pytest.mark.parametrize("channels", [1, 6, 7])
def test_each_number_is_that_of_the_formula(channels):
    rows = sinusoidal_positions(5, channels)
    assert rows.shape == (5, channels)
    for p in range(5):
        for column in range(channels):
            k = column // 2
            wave = math.cos if column % 2 else math.sin
            expected = wave(p / 10000 ** (2 * k / channels))
            assert rows[p, column].item() == pytest.approx(expected, abs=1e-6)
