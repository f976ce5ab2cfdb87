import numpy as np
import pytest

from tgraph_attn.viz._tree_artists import _curve, box_width

BEGIN, BELOW, BESIDE = np.array([1.0, 1.0]), np.array([2.0, 3.0]), np.array([4.0, 1.0])


def test_a_box_is_wider_by_the_same_for_each_character():
    widths = box_width(["", "a", "ab"])
    assert widths[1] - widths[0] == pytest.approx(widths[2] - widths[1]) and widths[0] > 0


def test_curves_up_and_down_take_different_ways():
    down, up = np.array(_curve(BEGIN, BELOW)), np.array(_curve(BELOW, BEGIN))
    assert np.allclose(down[0], up[-1]) and np.allclose(down[-1], up[0])
    assert not np.allclose(down[1], up[2]) and not np.allclose(down[2], up[1])
    assert BEGIN[1] < down[0][1] < down[-1][1] < BELOW[1]  # from box to box


def test_curves_between_neighbours_go_above_them():
    curve = np.array(_curve(BEGIN, BESIDE))
    assert (curve[:, 1] < BEGIN[1]).all() and curve[1:3, 1].max() < curve[[0, 3], 1].min()
