import numpy as np
import pytest

from tgraph_attn.ops._numba.aggregate_kernels import dot_edges, max_edges, sum_edges

POINTER, ORDER, OTHER = np.array([0, 1, 3]), np.empty(0, np.int64), np.array([1, 0, 1])
VALUE = np.array([[[1.0, 2.0]], [[3.0, -4.0]]])


@pytest.mark.parametrize("kernel", [sum_edges, max_edges])
def test_a_range_of_nodes_writes_nothing_else(kernel):
    out = np.full((2, 1, 2), 7.0)
    extra = () if kernel is sum_edges else (np.zeros((2, 1, 2), np.int64),)
    kernel(1, 2, POINTER, ORDER, OTHER, VALUE, np.empty((0, 0)), out, *extra)
    assert out.tolist() == [[[7.0, 7.0]], [[4.0, -2.0] if kernel is sum_edges else [3.0, 2.0]]]


def test_the_gradient_of_a_weight_is_a_dot_product():
    d_weight = np.full((3, 1), 7.0)
    dot_edges(1, 2, POINTER, ORDER, OTHER, VALUE, np.ones((2, 1, 2)), d_weight)
    assert d_weight.tolist() == [[7.0], [3.0], [-1.0]]


def test_a_nan_wins_so_that_it_is_seen():
    out, winner = np.empty((1, 1, 1)), np.empty((1, 1, 1), np.int64)
    value = np.array([[[1.0]], [[np.nan]], [[2.0]]])
    edges = (np.array([0, 3]), ORDER, np.array([0, 1, 2]))
    max_edges(0, 1, *edges, value, np.empty((0, 0)), out, winner)
    assert np.isnan(out).all()
