import numpy as np
import pytest

from tgraph_attn.viz._line_ends import apart


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ([0, 100, 50], [0, 100, 50]),
        ([0, 0], [-5, 5]),
        ([4, 0], [7, -3]),
        ([0, 8, 8, 100], [-14 / 3, 16 / 3, 46 / 3, 100]),
        ([5], [5]),
    ],
)
def test_names_are_put_apart(wanted, places):
    assert apart(np.array(wanted, float), 10.0) == pytest.approx(places)
