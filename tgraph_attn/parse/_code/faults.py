"""Where the parser had to guess."""

from typing import NamedTuple

from tree_sitter import Node

from tgraph_attn.parse._code.kind_tables import NAMED

ERROR, MISSING = 0, 1


class Fault(NamedTuple):
    """One place where the parser had to guess.

    Attributes:
        row: The node, counted among all named ones in pre-order: the ERROR itself, the missing
            node itself, or the parent of a missing token.
        what: ERROR or MISSING.
        begin: The first byte.
        kind: The kind of the node, such as ")".
    """

    row: int
    what: int
    begin: int
    kind: str


def find_faults(root: Node, role: bytes) -> list[Fault]:
    """Return every ERROR and every MISSING node under root, in pre-order.

    A missing node has an ordinary kind and no width; the grammar may have made it up under a
    node that is named, or be a mere token.
    """
    faults: list[Fault] = []
    if not root.has_error:
        return faults
    row = -1
    stack = [(root, -1)]
    while stack:
        node, here = stack.pop()
        if role[node.kind_id] == NAMED:
            row += 1
            here = row
        if node.is_error or node.is_missing:
            what = ERROR if node.is_error else MISSING
            faults.append(Fault(here, what, node.start_byte, node.type))
        if role[node.kind_id] == NAMED:
            stack += [(child, here) for child in reversed(node.children)]
    return faults
