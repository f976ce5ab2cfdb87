import numpy as np
import pytest

from tgraph_attn.relations.blocks import released_blocks

# 12 blocks; to query block 5 the ones of the middle have these counts, 10 being the highest.
COUNT = np.zeros((12, 12))
COUNT[5, 1:11] = [4, 10, 3, 9, 8, 7, 2, 6, 5, 1]  # blocks 1 .. 10


def keys(query, **changes):
    edges = released_blocks(COUNT, **{"k": 3, "legacy_offset": False} | changes)
    return edges[0][edges[1] == query].tolist()


def test_the_window_and_the_global_blocks_are_left_out():
    # The best eight, best first: 2, 4, 5, 6, 8, 9, 1, 3. Out of the window 4 .. 6: 2, 8, 9.
    assert keys(5) == [2, 8, 9]


def test_the_released_code_takes_a_place_for_a_block():
    # Places of the best eight: 1, 3, 4, 5, 7, 8, 0, 2. Not taken: 4, 5 and 0. So 1, 3, 7 remain.
    assert keys(5, legacy_offset=True) == [1, 3, 7]


def test_the_first_and_the_last_block_choose_none():
    assert keys(0) == [] and keys(11) == []


@pytest.mark.parametrize("legacy_offset", [True, False])
def test_no_block_is_one_of_the_window_or_of_the_global_ones(legacy_offset):
    count = np.random.default_rng(0).random((32, 32))
    key, query = released_blocks(count, legacy_offset=legacy_offset)
    assert (np.bincount(query, minlength=32)[1:31] == 3).all()
    assert (abs(key - query) > 1).all() and (key > 0).all() and (key < 31).all()


def test_few_blocks_leave_nothing_to_choose():
    assert released_blocks(np.ones((2, 2)), legacy_offset=False).shape == (2, 0)
