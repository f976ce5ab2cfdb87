import numpy as np
import pytest

from tgraph_attn.relations.blocks import merge_blocks


def test_each_edge_is_there_once_sorted_by_query_then_key():
    one, two = [[2, 0, 2], [1, 0, 1]], np.array([[0, 5], [0, 0]])
    assert merge_blocks(one, two).tolist() == [[0, 5, 2], [0, 0, 1]]


def test_nothing_is_the_union_of_nothing():
    assert merge_blocks().shape == (2, 0)
    assert merge_blocks(np.empty((2, 0), np.int64)).shape == (2, 0)


def test_a_number_below_0_is_refused():
    with pytest.raises(ValueError, match="numbered from 0 on, but one is -1"):
        merge_blocks([[0], [-1]])


def test_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"a pattern must have shape \[2, any\]"):
        merge_blocks([[0], [1], [2]])
    with pytest.raises(TypeError, match="a pattern must hold whole numbers"):
        merge_blocks([[0.5], [1.0]])
