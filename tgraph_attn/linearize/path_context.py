"""What two leaves say, and the path between them."""

from typing import NamedTuple


class PathContext(NamedTuple):
    """The path from one leaf of a tree that says something to a later one.

    Attributes:
        start: The words of the leaf that comes first in pre-order; at least one.
        path: The labels of the nodes on the way, both leaves with it; of these, the kind alone.
        end: The words of the other leaf; at least one.
        top: The place in path of the highest node, the lowest common ancestor: up to it the path
            goes up, behind it down.

    Examples:
        >>> from tgraph_attn.linearize import PathContext
        >>> context = PathContext(("max", "size"), ("name", "sum +", "number"), ("1",), 1)
        >>> "|".join(context.start), context.path[context.top]
        ('max|size', 'sum +')
    """

    start: tuple[str, ...]
    path: tuple[str, ...]
    end: tuple[str, ...]
    top: int
