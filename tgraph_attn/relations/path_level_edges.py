"""Edges between the nodes of a tree that a short path connects."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_distance, check_not_negative, check_num_edges, check_positive
from tgraph_attn._kernel import kernel
from tgraph_attn.relations._count_path_level import count_path_level
from tgraph_attn.relations._forest import MAX_EDGES, read_forest


def path_level_edges(
    parent: ArrayLike,
    max_path: int = 19,
    max_level: int | None = None,
    *,
    self_edges: bool = True,
    max_edges: int = MAX_EDGES,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges between all nodes of a tree at most max_path tree edges apart.

    For the edge from the key j to the query i, level is depth(j) - depth(i), and path is the
    number of tree edges between them: positive if j comes later in pre-order, negative if it comes
    earlier, 0 for a node with itself. With P = max_path::

        type = (path + P) * (2P + 1) + level + P

    Without max_level, the time is linear in the nodes and the edges written. With it, nodes near
    the query whose level is too small may be passed on the way: the time is then at most that of
    the relation without max_level. The edges are counted first, in far less time.

    Args:
        parent: The parent of each node; -1 for a root. Several trees may follow one another.
        max_path: How long a path may be, P, in tree edges.
        max_level: How far apart two levels may be; None for no limit but the path's.
        self_edges: Whether each node also has an edge to itself.
        max_edges: How many edges may be written.

    Shapes:
        - **parent**: `[N]` integers, in pre-order

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), and edge_type, `[E]`
        int64 in `[0, (2P + 1)^2)`.

    Raises:
        ValueError: parent is no forest in pre-order, max_path or max_edges is below 1, max_level
            is below 0, or there would be more than max_edges edges.
        TypeError: parent or a size are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import path_level_edges
        >>> edge_index, edge_type = path_level_edges([-1, 0, 0], max_path=2, self_edges=False)
        >>> edge_index.tolist()
        [[1, 2, 0, 2, 0, 1], [0, 0, 1, 1, 2, 2]]
        >>> [divmod(t, 5) for t in edge_type.tolist()]  # path + 2, level + 2
        [(3, 3), (3, 3), (1, 1), (4, 2), (1, 1), (0, 2)]

    Source:
        The path length and level difference of HIBRIDS (Cao and Wang, ACL 2022), with the signs
        of its released code, for the nodes of any tree. Their table reaches to a path of 19, and
        a longer one is an error; here such a pair has no edge.
    """
    check_distance("path_level_edges", max_path=max_path)
    check_positive("path_level_edges", max_edges=max_edges)
    check_not_negative("path_level_edges", max_level=0 if max_level is None else max_level)
    level = max_path if max_level is None else min(max_level, max_path)
    parent, depth, subtree_size = read_forest("path_level_edges", parent)
    count, whole = count_path_level(parent, subtree_size, max_path, level, max_edges)
    num_pairs = (int(count) - len(parent)) // 2
    num_self = len(parent) if self_edges else 0
    instead = "Pass a smaller max_path or max_level, or truncate the tree."
    if not whole:
        instead = f"(It is even more: counting stopped.) {instead}"
    num_edges = check_num_edges("path_level_edges", num_pairs, num_self, max_edges, instead)
    edge_index = np.empty((2, num_edges), np.int64)
    edge_type = np.empty(num_edges, np.int64)
    _fill(depth, subtree_size, max_path, level, self_edges, edge_index, edge_type)
    return edge_index, edge_type


@kernel()
def _fill(depth, subtree_size, max_path, max_level, self_edges, edge_index, edge_type):  # type: ignore[no-untyped-def]
    key, query = edge_index[0], edge_index[1]
    side = 2 * max_path + 1
    line = np.empty(depth.size, np.int64)  # from the root of the tree to the query
    e = 0
    for i in range(depth.size):
        first, here = e, depth[i]
        line[here] = i
        low, high = here - max_level, here + max_level
        # A pair t levels up and x down has |t - x| <= max_level and t + x <= max_path.
        top = max(0, here - (max_path + max_level) // 2)
        for d in range(top, here):  # each ancestor, and what is below it before the query
            last = min(high, d + max_path - here + d)
            # path = -(here - d) - (depth - d), level = depth - here
            base = (max_path - here + 2 * d) * side + max_path - here
            e = _scan(
                line[d], line[d + 1], low, last, base, 1 - side,
                depth, subtree_size, key, edge_type, e,
            )  # fmt: skip
        last = min(high, here + max_path)
        base = (max_path - here) * side + max_path - here
        if self_edges:
            key[e] = i
            edge_type[e] = base + (side + 1) * here
            e += 1
        if last > here:
            e = _scan(
                i + 1, i + subtree_size[i], low, last, base, side + 1,
                depth, subtree_size, key, edge_type, e,
            )  # fmt: skip
        for d in range(here - 1, top - 1, -1):  # what is below each ancestor after the query
            last = min(high, d + max_path - here + d)
            if last > d:
                # path = (here - d) + (depth - d), level = depth - here
                base = (max_path + here - 2 * d) * side + max_path - here
                before = line[d + 1]
                e = _scan(
                    before + subtree_size[before], line[d] + subtree_size[line[d]], low, last,
                    base, side + 1, depth, subtree_size, key, edge_type, e,
                )  # fmt: skip
        query[first:e] = i


@kernel()
def _scan(j, end, low, last, base, step, depth, subtree_size, key, edge_type, e):  # type: ignore[no-untyped-def]
    """Write the nodes from j on whose depth is in low .. last, and return the next edge."""
    while j < end:
        level = depth[j]
        if level >= low:
            key[e] = j
            edge_type[e] = base + step * level
            e += 1
        j += 1 if level < last else subtree_size[j]
    return e
