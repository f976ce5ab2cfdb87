"""Edges between the children of a node."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_distance, check_num_edges
from tgraph_attn._kernel import kernel
from tgraph_attn.relations._forest import MAX_EDGES, read_forest


def sibling_edges(
    parent: ArrayLike, max_distance: int = 7, *, self_edges: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges, both ways, between each node and its nearest siblings, and to itself.

    The edge from the key j to the query i has type R + P, where R is the position of j among the
    children of their parent minus that of i: P - d from the d-th sibling before, P from the node
    itself, and P + d from the d-th after. The reversed edge has type 2P minus that. Siblings more
    than P positions apart have no edge. The roots of several trees are no siblings.

    The time is linear in the nodes and the edges written, whatever the shape of the trees.

    Args:
        parent: The parent of each node; -1 for a root. Several trees may follow one another.
        max_distance: How many positions to reach, P.
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
        >>> from tgraph_attn.relations import sibling_edges
        >>> edge_index, edge_type = sibling_edges([-1, 0, 0, 0], max_distance=1)
        >>> edge_index.tolist()
        [[0, 1, 2, 1, 2, 3, 2, 3], [0, 1, 1, 2, 2, 2, 3, 3]]
        >>> edge_type.tolist()
        [1, 1, 2, 0, 1, 2, 0, 1]

    Source:
        The sibling relation of AST-Trans (Tang et al., ICSE 2022), equation 1, with R + P where it
        has R + P + 1, since a pair without a relation has no edge here.
    """
    check_distance("sibling_edges", max_distance=max_distance)
    rows = read_forest("sibling_edges", parent).parent
    num_children, num_pairs = _count(rows, max_distance)
    num_self = len(rows) if self_edges else 0
    instead = "Pass a smaller max_distance, or truncate the tree."
    num_edges = check_num_edges("sibling_edges", int(num_pairs), num_self, MAX_EDGES, instead)
    edge_index = np.empty((2, num_edges), np.int64)
    edge_type = np.empty(num_edges, np.int64)
    _fill(rows, num_children, max_distance, self_edges, edge_index, edge_type)
    return edge_index, edge_type


@kernel()
def _count(parent, max_distance):  # type: ignore[no-untyped-def]
    """Return the number of children of each node, and of pairs of siblings near each other."""
    num_children = np.zeros(parent.size, np.int64)
    for i in range(parent.size):
        if parent[i] != -1:
            num_children[parent[i]] += 1
    num_pairs = 0
    for i in range(parent.size):
        c = num_children[i]
        reach = min(c - 1, max_distance)
        if reach > 0:  # c - d pairs are d positions apart, d = 1 .. reach
            num_pairs += reach * c - reach * (reach + 1) // 2
    return num_children, num_pairs


@kernel()
def _fill(parent, num_children, max_distance, self_edges, edge_index, edge_type):  # type: ignore[no-untyped-def]
    key, query = edge_index[0], edge_index[1]
    n = parent.size
    first = np.empty(n, np.int64)  # where the children of each node begin in children
    position = np.zeros(n, np.int64)
    seen = np.zeros(n, np.int64)
    children = np.empty(n, np.int64)
    place = 0
    for i in range(n):
        first[i] = place
        place += num_children[i]
        p = parent[i]
        if p != -1:
            position[i] = seen[p]
            children[first[p] + seen[p]] = i
            seen[p] += 1
    e = 0
    for i in range(n):
        p, here = parent[i], position[i]
        begin, end = here, here + 1
        if p != -1:
            begin = max(0, here - max_distance)
            end = min(num_children[p], here + max_distance + 1)
        for r in range(begin, end):
            if r != here or self_edges:
                key[e] = i if r == here else children[first[p] + r]
                query[e] = i
                edge_type[e] = max_distance + r - here
                e += 1
