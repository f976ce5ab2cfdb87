import numpy as np
import pytest

from tgraph_attn.relations.blocks._check_count import check_count


def test_whole_numbers_become_floating():
    assert check_count("op", [[1, 2], [0, 3]]).dtype == np.float64


def test_infinity_is_a_count_and_nan_is_none():
    assert check_count("op", [[np.inf]]).tolist() == [[np.inf]]
    with pytest.raises(ValueError, match="op: count must hold numbers from 0 on"):
        check_count("op", [[np.nan]])
