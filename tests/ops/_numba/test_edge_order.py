import numpy as np
import pytest

from tgraph_attn.ops._numba.edge_order import edge_order


@pytest.mark.parametrize("num_edges", [0, 1, 50])
def test_groups_edges_by_node_in_ascending_order(num_edges):
    node = np.random.default_rng(0).integers(6, size=num_edges)
    pointer, order = edge_order(node, 7)
    order = order if len(order) else np.arange(num_edges)
    for n in range(7):
        expected = np.flatnonzero(node == n)
        assert order[pointer[n] : pointer[n + 1]].tolist() == expected.tolist()


def test_sorted_edges_need_no_order():
    pointer, order = edge_order(np.array([0, 0, 2]), 4)
    assert pointer.tolist() == [0, 2, 2, 3, 3] and order.size == 0


def test_unsorted_edges_get_one():
    pointer, order = edge_order(np.array([2, 0, 2]), 3)
    assert pointer.tolist() == [0, 1, 1, 3] and order.tolist() == [1, 0, 2]
