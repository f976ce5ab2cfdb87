"""Typed edges between the words of a text and their heads."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers, check_not_negative, check_positive, check_within


def dependency_edges(
    head_index: ArrayLike,
    token_index: ArrayLike,
    num_nodes: int,
    labels: ArrayLike | None = None,
    *,
    num_labels: int = 1,
    self_edges: bool = True,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges, both ways, between the node of each token and that of its head.

    With K labels, the edge from the head to the dependent has the dependent's label, 0 .. K - 1, as
    its type; the edge from the dependent to the head has K plus that; the edge of a node to itself
    has type 2K.

    Where several tokens share a node, two nodes may be joined by edges of several types; an edge
    that comes again with the same type is left out. A token that is its own head is a root.

    Args:
        head_index: The node of each token's head; of a tree with a node for each token
            `numpy.where(tree.parent < 0, nodes, tree.parent)`.
        token_index: The node of each token; of a tree `nodes = numpy.arange(tree.num_nodes)`.
        num_nodes: How many nodes there are, N. Those without a token only have self edges.
        labels: The label of each token's edge to its head; None for 0 everywhere.
        num_labels: How many labels there are, K.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **head_index**, **token_index**: `[L]` integers in `[0, N)`
        - **labels**: `[L]` integers in `[0, K)`

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), then type, and
        edge_type, `[E]` int64 in `[0, 2K + 1)`.

    Raises:
        ValueError: A node or a label is not there, or there is not one of each for each token.
        TypeError: Nodes or labels are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import dependency_edges
        >>> edge_index, edge_type = dependency_edges([1, 1, 1], [0, 1, 2], 3)  # she saw him
        >>> edge_index.tolist()
        [[0, 1, 0, 1, 2, 1, 2], [0, 0, 1, 1, 1, 2, 2]]
        >>> edge_type.tolist()
        [2, 0, 1, 2, 1, 0, 2]

    Source:
        The directions and labels of Marcheggiani and Titov (EMNLP 2017): along, opposite, self.
    """
    owner = "dependency_edges"
    check_not_negative(owner, num_nodes=num_nodes)
    check_positive(owner, num_labels=num_labels)
    token = check_integers(owner, "token_index", token_index, (None,))
    head = check_integers(owner, "head_index", head_index, (token.size,))
    for name, nodes in (("token_index", token), ("head_index", head)):
        check_within(owner, name, nodes, num_nodes, "Pass the number of nodes as num_nodes.")
    label = np.zeros_like(token)
    if labels is not None:
        label = check_integers(owner, "labels", labels, (token.size,))
        check_within(owner, "labels", label, num_labels, "Pass their number as num_labels.")
    below = head != token
    head, token, label = head[below], token[below], label[below]
    node = np.arange(num_nodes if self_edges else 0)
    key, query = np.concatenate([head, token, node]), np.concatenate([token, head, node])
    own = np.full_like(node, 2 * num_labels)
    kind = np.concatenate([label, label + num_labels, own])
    order = np.lexsort((kind, key, query))
    rows = np.stack([key, query, kind])[:, order]
    new = np.ones(order.size, bool)
    new[1:] = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    rows = rows[:, new]
    return rows[:2].copy(), rows[2].copy()
