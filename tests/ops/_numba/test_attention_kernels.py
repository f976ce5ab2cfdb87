import numpy as np

from tgraph_attn.ops._numba.attention_kernels import attend, sum_by_type


def test_a_range_of_queries_writes_nothing_else():
    def draw(*shape):
        return np.random.default_rng(0).standard_normal(shape)

    pointer, order = np.array([0, 1, 2, 3]), np.empty(0, np.int64)
    key_of, none = np.array([1, 0, 2]), np.empty(0, np.int64)
    flat, cube = np.empty((0, 0)), np.empty((0, 0, 0))
    out, alpha = np.full((3, 2, 4), 7.0), np.full((3, 2), 7.0)
    value = draw(3, 2, 4)
    attend(
        *(1, 2, pointer, order, key_of, none, draw(3, 2, 5), draw(3, 2, 5), value, cube, cube),
        *(flat, flat, flat, 1.0, out, cube, alpha),
    )
    assert (out[[0, 2]] == 7).all() and (alpha[[0, 2]] == 7).all()
    assert (out[1] == value[0]).all() and (alpha[1] == 1).all()  # its only edge


def test_gradients_of_a_type_are_added_up():
    total = np.zeros((3, 2))
    sum_by_type(np.array([2, 0, 2]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), total)
    assert total.tolist() == [[3.0, 4.0], [0.0, 0.0], [6.0, 8.0]]
