import numpy as np

from tgraph_attn.relations._text.unique_edges import unique_edges


def test_edges_are_sorted_by_query_then_key_and_the_first_of_equal_ones_is_kept():
    key, query = np.array([2, 0, 1, 0, 2]), np.array([1, 1, 0, 1, 1])
    edge_index, place = unique_edges(key, query, 3)
    assert edge_index.tolist() == [[1, 0, 2], [0, 1, 1]]
    assert place.tolist() == [2, 1, 0]
    assert edge_index.dtype == place.dtype == np.int64


def test_no_edges_between_no_nodes():
    none = np.empty(0, np.int64)
    edge_index, place = unique_edges(none, none, 0)
    assert edge_index.shape == (2, 0) and place.shape == (0,)
