import pytest

from tgraph_attn.relations.blocks import window_blocks


def test_blocks_at_the_ends_have_fewer_beside_them():
    pairs = set(zip(*window_blocks(4, 3).tolist(), strict=True))
    assert pairs == {(a, b) for a in range(4) for b in range(4) if abs(a - b) <= 1}


def test_a_window_larger_than_all_blocks_is_all_of_them():
    assert window_blocks(2, 9).tolist() == [[0, 1, 0, 1], [0, 0, 1, 1]]


def test_a_window_of_one_is_the_block_itself():
    assert window_blocks(3, 1).tolist() == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize(
    ("num_blocks", "size", "message"),
    [
        (0, 3, "num_blocks must be at least 1"),
        (3, 0, "size must be at least 1"),
        (3, 4, r"size must be odd, .* but is 4. Pass 3 or 5"),
    ],
)
def test_refuses(num_blocks, size, message):
    with pytest.raises(ValueError, match=f"window_blocks: {message}"):
        window_blocks(num_blocks, size)
