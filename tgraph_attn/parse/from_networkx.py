"""A tree from a graph."""

from collections.abc import Hashable
from typing import Any

import networkx as nx

from tgraph_attn._checks import check_type
from tgraph_attn.parse._preorder import preorder
from tgraph_attn.tree import Tree


def from_networkx(
    graph: "nx.DiGraph[Any]", root: Hashable | None = None, *, virtual_root: bool = False
) -> Tree:
    """Return the tree that a directed graph is, with edges from parent to child.

    Children are in the order in which their edges were added. A node's attributes `kind`, `text`
    and `span` become its columns; a node with neither of the first two has its name as text.
    `source` is each node's position in `graph.nodes`. A graph holds no faults, so `num_errors` and
    `num_missing` are 0.

    Args:
        graph: The graph; its nodes may be anything.
        root: The node that must be the root. By default, it is found.
        virtual_root: Put a node of kind "virtual_root", whose `source` is -1, above the root, or
            above the roots of several trees.

    Raises:
        ValueError: The graph is undirected, is empty, or has a node with two parents, a cycle, or
            several roots and no virtual one; or root is not the root.

    Examples:
        >>> import networkx as nx
        >>> from tgraph_attn.parse import from_networkx
        >>> print(from_networkx(nx.DiGraph([("sum", "x"), ("sum", "product"), ("product", "y")])))
        'sum'
          'x'
          'product'
            'y'
    """
    roots = _check(graph, root, virtual_root)
    order, parent = preorder(roots, graph.adj.__getitem__, above=0 if virtual_root else -1)
    if len(order) < len(graph):
        reached = set(order)
        lost = next(node for node in graph if node not in reached)
        raise ValueError(
            f"from_networkx: each node must hang under a root, but node {lost!r} is in, or under, "
            "a cycle. Remove the edge that closes it."
        )
    place = {node: position for position, node in enumerate(graph)}
    kind, text, span, source = [], [], [], []
    for node in order:
        attributes = graph.nodes[node]
        named = "kind" in attributes or "text" in attributes
        kind.append(attributes.get("kind", ""))
        text.append(attributes.get("text") if named else str(node))
        span.append(tuple(attributes.get("span", (-1, -1))))
        source.append(place[node])
    if virtual_root:
        parent, kind, text = [-1, *parent], ["virtual_root", *kind], [None, *text]
        span, source = [(-1, -1), *span], [-1, *source]
    return Tree(parent, kind, text, span, source)


def _check(graph: "nx.DiGraph[Any]", root: Hashable | None, virtual_root: bool) -> list[Any]:
    """Return the roots, or raise."""
    check_type("from_networkx", "graph", graph, nx.Graph, "Build one with networkx.DiGraph(edges).")
    if not graph.is_directed():
        raise ValueError(
            "from_networkx: graph must be directed, from parent to child, but is undirected. "
            "Direct it with networkx.dfs_tree(graph, root)."
        )
    if len(graph) == 0:
        raise ValueError(
            "from_networkx: graph must have at least one node, but is empty. Leave it out."
        )
    roots = []
    for node, number in graph.in_degree():
        if number > 1:
            above = list(graph.predecessors(node))
            raise ValueError(
                f"from_networkx: each node must have one parent, but node {node!r} has {number} "
                f"edges into it, from {above[:3]}. If edges lead to the root, pass "
                "graph.reverse(); otherwise keep one of them."
            )
        if graph.has_edge(node, node):
            raise ValueError(
                f"from_networkx: no node may be its own parent, but node {node!r} is. Remove that "
                "edge."
            )
        if number == 0:
            roots.append(node)
    if not roots:
        raise ValueError(
            "from_networkx: one node must have no parent, but all have one, such as "
            f"{next(iter(graph))!r}: they are on a cycle. Remove the edge that closes it."
        )
    if len(roots) > 1 and not virtual_root:
        raise ValueError(
            f"from_networkx: there must be one root, but nodes {roots[0]!r} and {roots[1]!r} both "
            "have no parent. Pass virtual_root=True to put a node above them."
        )
    if root is not None and roots != [root]:
        raise ValueError(
            f"from_networkx: the root must be {root!r}, but {roots[0]!r} has no parent. "
            "Leave root out, or direct the edges away from it."
        )
    return roots
