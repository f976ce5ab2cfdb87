import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

from tgraph_attn.relations.blocks import pair_block_counts


def test_sums_the_counts_of_all_pairs_of_tokens():
    draw = np.random.default_rng(0)
    dense = draw.integers(0, 5, (20, 20)) * (draw.random((20, 20)) < 0.3)
    ids = draw.integers(-1, 20, 33)
    counts = pair_block_counts(ids, coo_array(dense), 8)
    pairs = np.where((ids[:, None] >= 0) & (ids >= 0), dense[ids[:, None], ids], 0)
    padded = np.zeros((40, 40))
    padded[:33, :33] = pairs
    assert (counts == padded.reshape(5, 8, 5, 8).sum((1, 3))).all()


def test_a_row_attends_and_a_column_is_attended_to():
    counts = pair_block_counts([0, 1], csr_array([[0, 3], [0, 0]]), 1)
    assert counts.tolist() == [[0, 3], [0, 0]]


def test_tokens_that_do_not_count_leave_nothing():
    assert pair_block_counts([-1, -1], csr_array([[7]]), 1).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("ids", "count", "size", "error", "message"),
    [
        ([2], csr_array((2, 2)), 1, ValueError, r"must be in \[-1, 2\), .* another vocabulary"),
        ([0], csr_array((2, 3)), 1, ValueError, r"must have shape \[V, V\], but has \[2, 3\]"),
        ([0], np.zeros((2, 2)), 1, TypeError, "must be a sparse array"),
        ([0], csr_array((2, 2)), 0, ValueError, "block_size must be at least 1"),
    ],
)
def test_refuses(ids, count, size, error, message):
    with pytest.raises(error, match=f"pair_block_counts: .*{message}"):
        pair_block_counts(ids, count, size)
