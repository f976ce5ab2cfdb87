"""The blocks that SASA's released code chooses, for comparison."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_positive
from tgraph_attn.relations.blocks._check_count import check_count

_MORE = 5  # candidates beyond those that are taken: as many as window and global blocks


def released_blocks(count: ArrayLike, k: int = 3, *, legacy_offset: bool) -> NDArray[np.int64]:
    """Return for each query block but the first and the last the k blocks of the released code.

    It looks at the blocks in the middle alone, all but the first and the last, takes the k + 5
    with the highest counts, zeros too, leaves out those of the window of three and the two global
    ones, and keeps the first k that remain. Its numbers of the candidates begin with 0 at block 1,
    and are then taken for the blocks' own: so it leaves out the wrong ones, and attends to the
    block before each that it means. `legacy_offset=True` does the same.

    Args:
        count: How much two blocks have to do with each other; the released code adds attention and
            syntax up beforehand.
        k: How many key blocks to take for each query block.
        legacy_offset: Whether candidates are numbered as in the released code.

    Shapes:
        - **count**: `[K, K]` numbers from 0 on; row i is of query block i

    Returns:
        `[2, E]` int64, sorted by query block (row 1), then key block (row 0). Of equal counts the
        smaller block comes first; there they come as `torch.topk` happens to give them.

    Raises:
        ValueError: count is not square or has a number below 0 or NaN, or k is below 1.

    Examples:
        >>> import numpy as np
        >>> from tgraph_attn.relations.blocks import released_blocks
        >>> count = np.zeros((6, 6))
        >>> count[1, 4] = 9
        >>> released_blocks(count, 1, legacy_offset=False)[:, 0].tolist()  # key block, query block
        [4, 1]
        >>> released_blocks(count, 1, legacy_offset=True)[:, 0].tolist()
        [3, 1]

    Source:
        Code beside SASA (Liu et al., SIGIR 2022).
    """
    check_positive("released_blocks", k=k)
    counts = check_count("released_blocks", count)
    last = len(counts) - 1
    edges = [(0, 0)][:0]
    for query in range(1, last):
        row = counts[query, 1:last]
        best = (-row).argsort(kind="stable")[: k + _MORE] + (0 if legacy_offset else 1)
        others = [b for b in best.tolist() if b not in {0, query - 1, query, query + 1, last}]
        edges += [(key, query) for key in sorted(others[:k])]
    return np.array(edges, np.int64).reshape(-1, 2).T.copy()
