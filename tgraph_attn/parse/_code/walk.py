"""Walk a syntax tree once, without recursion, and keep numbers only."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from tgraph_attn._kernel import kernel
from tgraph_attn.parse._code.kind_tables import ALWAYS, IF_FIELD, IF_NEW, NAMED, NEVER, KindTables


@dataclass(frozen=True)
class Walk:
    """The named nodes of a syntax tree that become nodes of ours, in pre-order, and their tokens.

    Attributes:
        parent: The row of each node's parent; -1 for the root.
        kind: Each node's kind, as the number that the grammar gives it.
        begin: The first byte of each node.
        end: The byte behind each node.
        is_leaf: Whether the node has no child at all, named or not.
        token_row: The row of the node that each token is a text of, ascending within a node.
        token_kind: The kind of each of these tokens.
        new_row: The row that each named node became, or that took its children: what to look up
            for the rows of `find_faults`.
    """

    parent: NDArray[np.int64]
    kind: NDArray[np.int64]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    is_leaf: NDArray[np.bool_]
    token_row: NDArray[np.int64]
    token_kind: NDArray[np.int64]
    new_row: NDArray[np.int64]


def walk(root: Node, tables: KindTables, *, drop_comments: bool, skip_bytes: int = 0) -> Walk:
    """Return the nodes and tokens under root.

    Args:
        root: Where to start.
        tables: What the grammar's kinds are.
        drop_comments: Leave comments out, with all that is in them.
        skip_bytes: Leave out nodes that begin before this byte, but neither their children nor
            the root, nor errors.
    """
    role = tables.role
    kinds = [root.kind_id]  # of all nodes, while the next lists are of the named ones
    begins = [root.start_byte]
    ends = [root.end_byte]
    arities = [root.child_count]
    fields: list[int] = []  # where, among all nodes, tokens stand that have a field
    known: dict[int, set[int]] = {}
    path = [root]
    stack = [iter(root.children)]
    while stack:
        for node in stack[-1]:
            kind = node.kind_id
            kinds.append(kind)
            if role[kind] == NAMED:
                begins.append(node.start_byte)
                ends.append(node.end_byte)
                arity = node.child_count
                arities.append(arity)
                if arity:
                    path.append(node)
                    stack.append(iter(node.children))
                    break
            elif role[kind] == IF_FIELD:
                above = path[-1]
                if above.id not in known:
                    known[above.id] = _children_with_field(above)
                if node.id in known[above.id]:
                    fields.append(len(kinds) - 1)
        else:
            path.pop()
            stack.pop()

    kind_of = np.fromiter(kinds, np.int64, len(kinds))
    begin_of = np.fromiter(begins, np.int64, len(begins))
    end_of = np.fromiter(ends, np.int64, len(ends))
    arity_of = np.fromiter(arities, np.int64, len(arities))
    role_of = np.frombuffer(role, np.uint8)[kind_of]
    hide = tables.comment if drop_comments else np.zeros_like(tables.comment)
    parent, old_row, new_row, has_child, token, token_row = _hang(
        kind_of, role_of, arity_of, begin_of, hide, skip_bytes
    )
    # A node without children says all its words, another one only operators and modifiers.
    said = (role_of[token] == ALWAYS) | ((role_of[token] != NEVER) & ~has_child[token_row])
    has_field = np.zeros(kind_of.size, np.bool_)
    has_field[fields] = True
    said |= has_field[token]
    node_kind = kind_of[role_of == NAMED][old_row]
    for place in np.flatnonzero((role_of[token] == IF_NEW) & has_child[token_row]):
        above = node_kind[token_row[place]]
        word, kind = tables.name[tables.row[[kind_of[token[place]], above]]]
        said[place] = word not in kind.split("_")
    said |= _repeated(token_row, kind_of[token], (role_of[token] == NEVER) & ~has_child[token_row])
    return Walk(
        parent=parent,
        kind=node_kind,
        begin=begin_of[old_row],
        end=end_of[old_row],
        is_leaf=arity_of[old_row] == 0,
        token_row=token_row[said],
        token_kind=kind_of[token[said]],
        new_row=new_row,
    )


def _repeated(
    row: NDArray[np.int64], kind: NDArray[np.int64], where: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which brackets and separators, of those where it says, their node has several of.

    So the two dots of `from .. import name` are text, and the brackets of `int[][]`.
    """
    places = np.flatnonzero(where)
    _, group, count = np.unique(
        row[places] * 65_536 + kind[places], return_inverse=True, return_counts=True
    )
    found = np.zeros(row.size, np.bool_)
    found[places] = count[group] > 1
    return found


def _children_with_field(node: Node) -> set[int]:
    """Return the ids of the children that the grammar gives a field.

    A cursor knows them; Node.field_name_for_child does not, behind a comment.
    """
    found = set()
    cursor = node.walk()
    more = cursor.goto_first_child()
    while more:
        if cursor.field_id is not None and cursor.node is not None:
            found.add(cursor.node.id)
        more = cursor.goto_next_sibling()
    return found


@kernel()
def _hang(kind, role, arity, begin, hide, skip_bytes):  # type: ignore[no-untyped-def]
    """Find each node's parent from the number of children of each, all nodes in pre-order.

    Returns, for each row that is kept, its parent and its row among the named nodes; the row that
    each named node became, or its children hang under; for each row that is kept, whether it has
    children; and for each token its position among all nodes and the row that it hangs under.
    """
    n = arity.size
    parent = np.empty(n, np.int64)
    old_row = np.empty(n, np.int64)
    new_row = np.empty(n, np.int64)
    has_child = np.zeros(n, np.bool_)
    token = np.empty(kind.size - n, np.int64)
    token_row = np.empty(kind.size - n, np.int64)
    path = np.empty(n + 1, np.int64)
    left = np.empty(n + 1, np.int64)
    path[0], left[0] = -1, 1
    top, row, kept, tokens = 0, -1, 0, 0
    for i in range(kind.size):
        while left[top] == 0:
            top -= 1
        above = path[top]
        left[top] -= 1
        home = new_row[above] if above >= 0 else -1
        if role[i] == NAMED:
            row += 1
            if hide[kind[i]] or (home < 0 and row > 0):
                new_row[row] = -1
            elif begin[row] < skip_bytes and row > 0 and kind[i] != 65535:
                new_row[row] = home
            else:
                parent[kept], old_row[kept], new_row[row] = home, row, kept
                has_child[home] |= home >= 0
                kept += 1
            top += 1
            path[top], left[top] = row, arity[row]
        elif home >= 0:
            token[tokens] = i
            token_row[tokens] = home
            tokens += 1
    return (
        parent[:kept],
        old_row[:kept],
        new_row,
        has_child[:kept],
        token[:tokens],
        token_row[:tokens],
    )
