"""How much the tokens of two blocks attend to each other elsewhere."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, issparse, sparray

from tgraph_attn._checks import check_integers, check_positive


def pair_block_counts(
    token_id: ArrayLike, pair_count: sparray, block_size: int
) -> NDArray[np.float64]:
    """Return the sum of the counts of all pairs of tokens of two blocks.

    Args:
        token_id: The vocabulary number of each token; -1 for one that is not to count.
        pair_count: How often a token of the vocabulary, the row, attended to another one, the
            column.
        block_size: How many tokens a block has, b.

    Shapes:
        - **token_id**: `[L]` integers in `[-1, V)`
        - **pair_count**: `[V, V]` sparse

    Returns:
        `[K, K]`, where K = ceil(L / b); row i is of query block i.

    Raises:
        ValueError: A token is not in the vocabulary, pair_count is not square, or block_size is
            below 1.
        TypeError: token_id holds no whole numbers, or pair_count is not sparse.

    Examples:
        >>> from scipy.sparse import csr_array
        >>> from tgraph_attn.relations.blocks import pair_block_counts
        >>> pair_count = csr_array([[0, 5], [1, 0]])
        >>> pair_block_counts([0, 0, 1], pair_count, block_size=2).tolist()
        [[0.0, 10.0], [2.0, 0.0]]

    Source:
        SASA (Liu et al., SIGIR 2022).
    """
    owner = "pair_block_counts"
    check_positive(owner, block_size=block_size)
    ids = check_integers(owner, "token_id", token_id, (None,))
    if not issparse(pair_count):
        raise TypeError(
            f"{owner}: pair_count must be a sparse array of SciPy's, but is "
            f"{type(pair_count).__name__}. Wrap it: scipy.sparse.csr_array(pair_count)."
        )
    num_words = pair_count.shape[0]
    if pair_count.ndim != 2 or pair_count.shape[1] != num_words:
        raise ValueError(
            f"{owner}: pair_count must have shape [V, V], but has {list(pair_count.shape)}. It has "
            "a row and a column for each word of the vocabulary."
        )
    if ids.size and not (ids.min() >= -1 and ids.max() < num_words):
        raise ValueError(
            f"{owner}: token_id must be in [-1, {num_words}), but ranges from {ids.min()} to "
            f"{ids.max()}. Are the counts of another vocabulary?"
        )
    num_blocks = -(-ids.size // block_size)
    place = np.flatnonzero(ids >= 0)
    words, column = np.unique(ids[place], return_inverse=True)
    ones = np.ones(place.size)
    of_block = csr_array((ones, (place // block_size, column)), (num_blocks, words.size))
    among = csr_array(pair_count)[words][:, words]
    return np.asarray((of_block @ among @ of_block.T).toarray(), np.float64)
