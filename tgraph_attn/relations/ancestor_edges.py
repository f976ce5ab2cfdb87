"""Edges between each node and its ancestors."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_distance, check_num_edges
from tgraph_attn._kernel import kernel
from tgraph_attn.relations._forest import MAX_EDGES, read_forest


def ancestor_edges(
    parent: ArrayLike, max_distance: int = 7, *, self_edges: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges, both ways, between each node and its nearest ancestors, and to itself.

    The edge from the key j to the query i has type R + P, where R is depth(j) - depth(i): P - d
    from the ancestor d levels up, P from the node itself, and P + d from a descendant d levels
    down. The reversed edge has type 2P minus that. Pairs more than P levels apart have no edge.

    The time is linear in the nodes and the edges written, whatever the shape of the trees.

    Args:
        parent: The parent of each node; -1 for a root. Several trees may follow one another.
        max_distance: How many levels to reach, P.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **parent**: `[N]` integers, in pre-order

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), and edge_type, `[E]`
        int64 in `[0, 2P + 1)`.

    Raises:
        ValueError: parent is no forest in pre-order, max_distance is below 1, or there would be
            more than 50 million edges.
        TypeError: parent or max_distance are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import ancestor_edges
        >>> edge_index, edge_type = ancestor_edges([-1, 0, 1], max_distance=1)
        >>> edge_index.tolist()
        [[0, 1, 0, 1, 2, 1, 2], [0, 0, 1, 1, 1, 2, 2]]
        >>> edge_type.tolist()
        [1, 2, 0, 1, 2, 0, 1]

    Source:
        The ancestor relation of AST-Trans (Tang et al., ICSE 2022), equation 1, with R + P where
        it has R + P + 1, since a pair without a relation has no edge here.
    """
    check_distance("ancestor_edges", max_distance=max_distance)
    forest = read_forest("ancestor_edges", parent)
    num_pairs = int(_count_pairs(forest.depth, max_distance))
    num_self = len(forest.parent) if self_edges else 0
    instead = "Pass a smaller max_distance, or truncate the tree."
    num_edges = check_num_edges("ancestor_edges", num_pairs, num_self, MAX_EDGES, instead)
    edge_index = np.empty((2, num_edges), np.int64)
    edge_type = np.empty(num_edges, np.int64)
    _fill(forest.depth, forest.subtree_size, max_distance, self_edges, edge_index, edge_type)
    return edge_index, edge_type


@kernel()
def _count_pairs(depth, max_distance):  # type: ignore[no-untyped-def]
    num_pairs = 0
    for i in range(depth.size):
        num_pairs += min(depth[i], max_distance)
    return num_pairs


@kernel()
def _fill(depth, subtree_size, max_distance, self_edges, edge_index, edge_type):  # type: ignore[no-untyped-def]
    key, query = edge_index[0], edge_index[1]
    path = np.empty(depth.size, np.int64)  # from the root of the tree to the query
    e = 0
    for i in range(depth.size):
        first, here = e, depth[i]
        path[here] = i
        for d in range(max(0, here - max_distance), here):
            key[e] = path[d]
            edge_type[e] = max_distance + d - here
            e += 1
        if self_edges:
            key[e] = i
            edge_type[e] = max_distance
            e += 1
        j, end = i + 1, i + subtree_size[i]
        while j < end:  # every j visited gets an edge: what is below the last level is jumped over
            key[e] = j
            edge_type[e] = max_distance + depth[j] - here
            e += 1
            j += 1 if depth[j] < here + max_distance else subtree_size[j]
        query[first:e] = i
