"""Put the nodes of trees that are given by their children in pre-order."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def preorder(
    roots: Iterable[Node], children: Callable[[Node], Iterable[Node]], above: int = -1
) -> tuple[list[Node], list[int]]:
    """Return the nodes in pre-order, and the row of each one's parent.

    Every node must have one parent, so that no cycle can be reached from a root.

    Args:
        roots: The root of each tree, in order.
        children: Gives the children of a node, in order.
        above: The row that the roots hang under: -1 for none, 0 for a virtual root, which takes
            the first row and is not among the nodes returned.
    """
    first = above + 1
    nodes: list[Node] = []
    parents: list[int] = []
    stack = [(root, above) for root in roots][::-1]
    while stack:
        node, parent = stack.pop()
        row = first + len(nodes)
        nodes.append(node)
        parents.append(parent)
        stack += [(child, row) for child in children(node)][::-1]
    return nodes, parents
