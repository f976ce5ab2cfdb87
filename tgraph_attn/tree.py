"""A tree as columns of numbers and strings, one row for each node, in pre-order."""

from collections.abc import Sequence
from typing import Any, NoReturn, Self

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers, check_positive, check_strings, fail_parent
from tgraph_attn._kernel import kernel

Integers = NDArray[np.int64]
Strings = NDArray[np.object_]


class Tree:
    """One rooted, ordered tree: a row for each node, in pre-order, so node 0 is the root.

    A tree can't be changed, holds no parser's object, is never walked recursively, and can be
    pickled. Two trees are equal if all their columns are. `print(tree)` shows its outline.

    Args:
        parent: The row of each node's parent; -1 for the root, and only for it.
        kind: What each node is, such as "identifier"; None stands for "".
        text: What each node says, where it says something.
        span: Where each node stands in the text it was made from, in characters (not bytes), so
            that `text[begin:end]` is its source. -1 where there is no such text (the default).
        source: The position of each node in what it was made from; -1 for a root that was added.
            By default, the row itself.
        faults: One row (node, what) for each place where a parser had to guess: what is 0 for an
            ERROR node, and 1 for a token that is missing under, or as, this node.

    Shapes:
        - **parent**, **source**: `[N]` int64
        - **kind**: `[N]` object, of str; **text**: `[N]` object, of str or None
        - **span**: `[N, 2]` int64; **faults**: `[number of faults, 2]` int64
        - **depth**, **child_position**, **subtree_size**: `[N]` int64; the root has 0, 0 and N

    Raises:
        ValueError: There is no node, node 0 is not the root, there is a second root or a cycle, a
            parent is not a row, the rows are not in pre-order, or the columns differ in length.
        TypeError: A column holds something else than its shape says.

    Examples:
        >>> from tgraph_attn.tree import Tree
        >>> tree = Tree([-1, 0, 1, 0], kind=["call", "name", "part", "number"], text=[None] * 4)
        >>> tree.depth.tolist(), tree.child_position.tolist(), tree.subtree_size.tolist()
        ([0, 1, 2, 1], [0, 0, 0, 1], [4, 2, 1, 1])
        >>> print(tree)
        call
          name
            part
          number
    """

    __slots__ = (
        "child_position",
        "depth",
        "faults",
        "kind",
        "parent",
        "source",
        "span",
        "subtree_size",
        "text",
    )
    __hash__ = None  # type: ignore[assignment]

    parent: Integers
    kind: Strings
    text: Strings
    span: Integers
    source: Integers
    faults: Integers
    depth: Integers
    child_position: Integers
    subtree_size: Integers

    def __init__(
        self,
        parent: ArrayLike,
        kind: Sequence[str | None] | Strings | None = None,
        text: Sequence[str | None] | Strings | None = None,
        span: ArrayLike | None = None,
        source: ArrayLike | None = None,
        *,
        faults: ArrayLike | None = None,
    ) -> None:
        rows = check_integers("Tree", "parent", parent, (None,))
        n = rows.size
        if n == 0 or rows[0] != -1:
            fail_parent("Tree", rows, 0)
        wrong, depth, child_position, subtree_size = _measure(rows)
        if wrong >= 0:
            fail_parent("Tree", rows, int(wrong))
        columns = {
            "parent": rows,
            "kind": check_strings("Tree", "kind", kind, n, ""),
            "text": check_strings("Tree", "text", text, n, None),
            "span": check_integers(
                "Tree", "span", np.full((n, 2), -1) if span is None else span, (n, 2)
            ),
            "source": check_integers(
                "Tree", "source", np.arange(n) if source is None else source, (n,)
            ),
            "faults": check_integers(
                "Tree",
                "faults",
                np.empty((0, 2), np.int64) if faults is None else faults,
                (None, 2),
            ),
            "depth": depth,
            "child_position": child_position,
            "subtree_size": subtree_size,
        }
        if not ((columns["faults"] >= 0) & (columns["faults"] < [n, 2])).all():
            raise ValueError(
                f"Tree: faults must hold a node in [0, {n}) and 0 or 1 in each row, but is "
                f"{columns['faults'].tolist()[:5]}. 0 stands for an ERROR, 1 for a missing token."
            )
        for name, column in columns.items():
            column.flags.writeable = False
            object.__setattr__(self, name, column)

    @property
    def num_nodes(self) -> int:
        """How many nodes there are, N."""
        return self.parent.size

    @property
    def num_errors(self) -> int:
        """How many ERROR nodes the parser made: stretches of source it could not use."""
        return int((self.faults[:, 1] == 0).sum())

    @property
    def num_missing(self) -> int:
        """How many tokens the parser made up, since the source did not parse without them."""
        return int((self.faults[:, 1] == 1).sum())

    @property
    def labels(self) -> list[str]:
        """The word of each node for a vocabulary: its kind, a space and its text, or what it has.

        So the name `size` is "identifier size", the part of a name is "subtoken size", and an
        addition is "binary_operator +".
        """
        pairs = zip(self.kind.tolist(), self.text.tolist(), strict=True)
        return [k if t is None else f"{k} {t}" if k else t for k, t in pairs]

    def label(self, node: int) -> str:
        """Return the word of one node for a vocabulary, as in `labels`."""
        kind, text = self.kind[self._row(node)], self.text[node]
        return kind if text is None else f"{kind} {text}" if kind else text

    def children(self, node: int) -> Integers:
        """Return the rows of a node's children, in order, `[number of children]`."""
        node = self._row(node)
        rows, row, end = [], node + 1, node + int(self.subtree_size[node])
        while row < end:
            rows.append(row)
            row += int(self.subtree_size[row])
        return np.array(rows, np.int64)

    def truncate(self, num_nodes: int) -> "Tree":
        """Return the tree of the first num_nodes nodes in pre-order, or all of a smaller one."""
        check_positive("Tree.truncate", num_nodes=num_nodes)
        return self if num_nodes >= self.num_nodes else self._rows(0, num_nodes)

    def subtree(self, node: int) -> "Tree":
        """Return the tree under one node, which becomes the root; `span` and `source` stay."""
        node = self._row(node)
        return self._rows(node, node + int(self.subtree_size[node]))

    def to_networkx(self) -> "nx.DiGraph[int]":
        """Return the tree as a graph with edges from parent to child, in the children's order.

        Its nodes are the rows, with the attributes kind, text, span and source; `from_networkx`
        makes the same columns of it again, but for source and faults: the graph does not hold
        what `num_errors` and `num_missing` count.
        """
        graph: nx.DiGraph[int] = nx.DiGraph()
        columns = (self.kind, self.text, self.span, self.source)
        for row, (kind, text, span, source) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        ):
            graph.add_node(row, kind=kind, text=text, span=tuple(span), source=source)
        graph.add_edges_from(zip(self.parent[1:].tolist(), range(1, self.num_nodes), strict=True))
        return graph

    def outline(self, max_nodes: int = 30) -> str:
        """Return one line for each of the first max_nodes nodes, indented by their depth."""
        check_positive("Tree.outline", max_nodes=max_nodes)
        lines = []
        for row in range(min(self.num_nodes, max_nodes)):
            kind, text = self.kind[row], self.text[row]
            shown = [kind or f"node {row}"] if kind or text is None else []
            if text is not None:
                shown.append(repr(text if len(text) <= 40 else f"{text[:37]}..."))
            lines.append("  " * min(int(self.depth[row]), 60) + " ".join(shown))
        if self.num_nodes > max_nodes:
            lines.append(f"... and {self.num_nodes - max_nodes:,} more nodes")
        return "\n".join(lines)

    def _row(self, node: int) -> int:
        if not 0 <= node < self.num_nodes:
            raise IndexError(
                f"Tree: a node must be in [0, {self.num_nodes}), but got {node}. "
                "Rows count from the root, 0, in pre-order."
            )
        return int(node)

    def _rows(self, begin: int, end: int) -> "Tree":
        parent = self.parent[begin:end] - begin
        parent[0] = -1
        inside = (self.faults[:, 0] >= begin) & (self.faults[:, 0] < end)
        return Tree(
            parent,
            self.kind[begin:end],
            self.text[begin:end],
            self.span[begin:end],
            self.source[begin:end],
            faults=self.faults[inside] - [begin, 0],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        names = ("parent", "kind", "text", "span", "source", "faults")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    def __repr__(self) -> str:
        shown = f"num_nodes={self.num_nodes}, max_depth={self.depth.max()}"
        if len(self.faults):
            shown += f", num_errors={self.num_errors}, num_missing={self.num_missing}"
        return f"Tree({shown})"

    def __str__(self) -> str:
        return self.outline()

    def __reduce__(self) -> tuple[Any, ...]:
        columns = (self.parent, self.kind, self.text, self.span, self.source, self.faults)
        return _rebuild, columns

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"Tree: a tree stays as it was made, but {name!r} was to be set. "
            "Make another one with Tree(parent, ...)."
        )

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)


def _rebuild(*columns: Any) -> Tree:
    return Tree(*columns[:5], faults=columns[5])


@kernel()
def _measure(parent):  # type: ignore[no-untyped-def]
    """Return the first row that breaks the pre-order (or -1), and the three columns."""
    n = parent.size
    depth = np.zeros(n, np.int64)
    child_position = np.zeros(n, np.int64)
    subtree_size = np.ones(n, np.int64)
    num_children = np.zeros(n, np.int64)
    newest = np.zeros(n, np.int64)  # at each depth
    for i in range(1, n):
        p = parent[i]
        if p < 0 or p >= i:
            return i, depth, child_position, subtree_size
        # In pre-order the parent is on the path from the root to the row before.
        if depth[i - 1] < depth[p] or newest[depth[p]] != p:
            return i, depth, child_position, subtree_size
        depth[i] = depth[p] + 1
        newest[depth[i]] = i
        child_position[i] = num_children[p]
        num_children[p] += 1
    for i in range(n - 1, 0, -1):
        subtree_size[parent[i]] += subtree_size[i]
    return -1, depth, child_position, subtree_size
