import numpy as np
import pytest

from tgraph_attn.models.pretrained import number_blocks


def test_blocks_of_each_text_are_numbered_on():
    patterns = [np.array([[0, 1], [1, 1]]), [[2], [0]], np.empty((2, 0), np.int64)]
    assert number_blocks(patterns, 10, 4).tolist() == [[0, 1, 5], [1, 1, 3]]


def test_no_texts_have_no_edges():
    assert number_blocks([], 10, 4).shape == (2, 0)


def test_a_block_that_the_text_does_not_have_is_refused():
    with pytest.raises(ValueError, match=r"pattern of text 1 must be .*\[0, 3\).* but .*3"):
        number_blocks([[[0], [0]], [[3], [0]]], 10, 4)
    with pytest.raises(ValueError, match="length must be at least 1"):
        number_blocks([], 0, 4)
    with pytest.raises(TypeError, match="pattern of text 0 must hold whole numbers"):
        number_blocks([[[0.5], [0]]], 10, 4)
