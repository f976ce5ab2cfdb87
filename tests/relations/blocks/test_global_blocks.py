import pytest

from tgraph_attn.relations.blocks import global_blocks


def test_rows_and_columns_of_the_first_and_the_last():
    pairs = set(zip(*global_blocks(5).tolist(), strict=True))
    assert pairs == {(a, b) for a in range(5) for b in range(5) if {a, b} & {0, 4}}


def test_one_block_is_first_and_last():
    assert global_blocks(1).tolist() == [[0], [0]]


def test_no_global_blocks_are_no_edges():
    assert global_blocks(3, []).shape == (2, 0)


@pytest.mark.parametrize("block", [3, -4])
def test_a_block_that_is_not_there_is_refused(block):
    with pytest.raises(ValueError, match=rf"must be in \[-3, 3\), but one is {block}"):
        global_blocks(3, [block])


def test_no_blocks_are_refused():
    with pytest.raises(ValueError, match="num_blocks must be at least 1"):
        global_blocks(0)
