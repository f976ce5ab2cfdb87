"""Typed edges between the words that stand close to each other in a text."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_distance, check_integers, check_num_edges, check_within
from tgraph_attn.relations._forest import MAX_EDGES
from tgraph_attn.relations._text.unique_edges import unique_edges


def neighbour_edges(
    token_index: ArrayLike, num_nodes: int, size: int = 3, *, self_edges: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges, both ways, between nodes whose words come near each other in a text.

    An edge goes from the key j to the query i if a token of j and one of i are at most size
    positions apart. Its type is 0 where j comes earlier, 2 where it comes later, and 1 from a node
    to itself. If their tokens are near each other several times, the nearest two say which; if
    those of both orders are as near, j counts as earlier.

    Args:
        token_index: The node of each token of the text, in order.
        num_nodes: How many nodes there are, N. Those without a token only have self edges.
        size: How many positions to reach, P.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **token_index**: `[L]` integers in `[0, N)`

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), and edge_type, `[E]`
        int64 in `[0, 3)`.

    Raises:
        ValueError: A node is not there, size is below 1, or more than 25 million pairs of tokens
            are near each other.
        TypeError: token_index or size are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import neighbour_edges
        >>> edge_index, edge_type = neighbour_edges([0, 1, 0, 2], 3, size=1)
        >>> edge_index.tolist()
        [[0, 1, 2, 0, 1, 0, 2], [0, 0, 0, 1, 1, 2, 2]]
        >>> edge_type.tolist()
        [1, 0, 2, 0, 1, 0, 1]

    Source:
        The neighbours of the text-level GNN (Huang et al., EMNLP 2019), with an order.
    """
    owner = "neighbour_edges"
    check_distance(owner, size=size)
    token = check_integers(owner, "token_index", token_index, (None,))
    check_within(owner, "token_index", token, num_nodes, "Pass the number of nodes as num_nodes.")
    reach = max(min(size, token.size - 1), 0)
    num_pairs = reach * token.size - reach * (reach + 1) // 2
    nodes = np.arange(num_nodes if self_edges else 0)
    check_num_edges(owner, num_pairs, nodes.size, MAX_EDGES, "Pass a smaller size.")
    keys, queries, types = [], [], []
    for distance in range(1, reach + 1):  # the nearest first: unique_edges keeps what comes first
        before, after = token[:-distance], token[distance:]
        keys += [before, after]
        queries += [after, before]
        types += [np.zeros_like(before), np.full_like(before, 2)]
    key, query, kind = (np.concatenate([*rows, nodes[:0]]) for rows in (keys, queries, types))
    apart = key != query
    edge_index, place = unique_edges(
        np.append(key[apart], nodes), np.append(query[apart], nodes), num_nodes
    )
    return edge_index, np.append(kind[apart], np.ones_like(nodes))[place]
