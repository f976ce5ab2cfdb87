import numpy as np
import pytest

from tgraph_attn.relations.blocks import top_blocks


def keys_of(edges, query):
    return edges[0][edges[1] == query].tolist()


def test_the_highest_counts_are_taken_and_of_equal_ones_the_smaller_block():
    count = np.array([[1, 7, 7, 9], [3, 3, 3, 3], [0, 4, 0, 0], [0, 0, 0, 0]])
    edges = top_blocks(count, 2)
    assert [keys_of(edges, query) for query in range(4)] == [[1, 3], [0, 1], [1], []]


def test_more_than_there_are_takes_all_that_count():
    assert top_blocks([[1, 0], [2, 3]], 9).tolist() == [[0, 0, 1], [0, 1, 1]]


def test_random_counts_give_what_sorting_gives():
    count = np.random.default_rng(0).integers(0, 4, (30, 30))
    edges = top_blocks(count, 5)
    for query, row in enumerate(count.tolist()):
        best = sorted((-value, key) for key, value in enumerate(row) if value)[:5]
        assert keys_of(edges, query) == sorted(key for _, key in best)


@pytest.mark.parametrize(
    ("count", "k", "message"),
    [
        ([[1, 2]], 1, r"count must have shape \[K, K\], .* but has \[1, 2\]"),
        ([[0, -1], [0, 0]], 1, "query block 0 and key block 1 is -1.0"),
        ([[0, 0], [np.nan, 0]], 1, "query block 1 and key block 0 is nan"),
        ([[1]], 0, "k must be at least 1"),
    ],
)
def test_refuses(count, k, message):
    with pytest.raises(ValueError, match=f"top_blocks: .*{message}"):
        top_blocks(count, k)
