"""Where to put the nodes of a tree so that it is narrow, and looks the same wherever it hangs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass
class _Contour:
    """Where a subtree begins and ends at each depth, the deepest first.

    A place is a number of these lists plus `shift`, so that a subtree moves at no cost.
    """

    first: list[float]
    last: list[float]
    shift: float = 0.0


def tidy_layout(parent: NDArray[np.int64], width: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the middle of each node is, across the tree, so that none overlap.

    A parent is in the middle between its first and its last child, children are in order, and
    equal subtrees are drawn equal. Each subtree is as near to the ones before as they allow.

    Two neighbours are compared down to the end of the less deep one, whose contour is then
    forgotten, so the time is linear in the nodes. Nothing is recursive.

    Args:
        parent: The row of each node's parent in pre-order, -1 for the root, `[N]`.
        width: How wide each node is, with the gap that it wants, `[N]`.

    Returns:
        `[N]` float64; the first node at the left edge begins at 0.

    Source:
        The aims of Reingold and Tilford (1981), for any number of children.
    """
    n, half = parent.size, width / 2
    local, move = (
        np.zeros(n),
        np.zeros(n),
    )  # within its own subtree; of the subtree, in its parent's
    waiting: list[tuple[int, _Contour]] = []  # subtrees that are done, the last in pre-order first
    num_children = np.bincount(parent[1:], minlength=n)
    for node in range(n - 1, -1, -1):
        children = [waiting.pop() for _ in range(num_children[node])]
        if not children:
            waiting.append((node, _Contour([-half[node]], [half[node]])))
            continue
        (first, contour), *others = children
        last = first
        for last, other in others:
            move[last] = _distance(contour, other)
            other.shift += move[last]
            contour = _join(contour, other)
        local[node] = (local[first] + local[last] + move[last]) / 2
        contour.first.append(local[node] - half[node] - contour.shift)
        contour.last.append(local[node] + half[node] - contour.shift)
        waiting.append((node, contour))
    for node in range(1, n):  # from the root down
        move[node] += move[parent[node]]
    place = local + move
    return place - (place - half).min()


def _distance(left: _Contour, right: _Contour) -> float:
    """Return how far right has to move to be behind left at each depth that both have."""
    common = min(len(left.last), len(right.first))
    ends = zip(left.last[-common:], right.first[-common:], strict=True)
    return left.shift - right.shift + max(end - begin for end, begin in ends)


def _join(left: _Contour, right: _Contour) -> _Contour:
    """Return the contour of both side by side: the deeper one, with the other's outer edge."""
    common = min(len(left.first), len(right.first))
    if len(left.first) >= len(right.first):
        by = right.shift - left.shift
        left.last[-common:] = [place + by for place in right.last[-common:]]
        return left
    by = left.shift - right.shift
    right.first[-common:] = [place + by for place in left.first[-common:]]
    return right
