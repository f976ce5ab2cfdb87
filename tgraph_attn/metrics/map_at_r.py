"""How well the nearest neighbours of each item are of its class."""

import numpy as np
from numpy.typing import ArrayLike

from tgraph_attn._checks import check_integers

_AT_ONCE = 512  # queries


def map_at_r(embeddings: ArrayLike, classes: ArrayLike) -> float:
    """Return the mean over all items of the average precision of their R nearest ones.

    Each item asks for the others of its class, of which there are R. With the others in the order
    of their product with it, and hit[k] 1 if the k-th is of its class, else 0::

        precision[k] = (hit[1] + ... + hit[k]) / k
        score        = sum of precision[k] * hit[k] over k = 1..R, / R

    Of equally near ones, those come first that come first in the list. Items that are alone in
    their class ask for nothing and are left out. Time is that of M^2 products.

    Args:
        embeddings: A vector for each item; of length 1, for the cosine.
        classes: The class of each item.

    Shapes:
        - **embeddings**: `[M, F]` floating
        - **classes**: `[M]` int64

    Returns:
        A fraction in [0, 1], not per cent.

    Raises:
        ValueError: The two differ in length, a number is not finite, or no class has two items.
        TypeError: classes are no integers.

    Examples:
        >>> from tgraph_attn.metrics import map_at_r
        >>> map_at_r([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], [0, 0, 1])
        1.0

    Source:
        MAP@R as CodeXGLUE (Lu et al., 2021) has it for POJ-104.
    """
    owner = "map_at_r"
    vectors = np.asarray(embeddings, np.float64)
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise ValueError(
            f"{owner}: embeddings must be [M, F] finite numbers, but have shape "
            f"{list(vectors.shape)} or hold others. Pass one vector for each item."
        )
    labels = check_integers(owner, "classes", classes, (len(vectors),))
    _, label, counts = np.unique(labels, return_inverse=True, return_counts=True)
    asking = np.flatnonzero(counts[label] > 1)
    if not asking.size:
        raise ValueError(
            f"{owner}: a class must have two items at least, but each of the {len(labels)} items "
            "is alone in its own. Pass several of a class."
        )
    total = 0.0
    for begin in range(0, asking.size, _AT_ONCE):
        query = asking[begin : begin + _AT_ONCE]
        near = vectors[query] @ vectors.T
        near[np.arange(query.size), query] = -np.inf  # none asks for itself
        relevant = counts[label[query]] - 1
        most = int(relevant.max())
        order = np.argsort(-near, axis=1, kind="stable")[:, :most]
        hit = label[order] == label[query][:, None]
        rank = np.arange(1, most + 1)
        hit &= rank <= relevant[:, None]
        precision = hit.cumsum(axis=1) / rank
        total += float(((precision * hit).sum(axis=1) / relevant).sum())
    return total / asking.size
