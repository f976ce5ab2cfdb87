"""Pairs of leaves with a short path between them."""

import numpy as np

from tgraph_attn._kernel import kernel

# Each terminal looks at the nodes above it, and there, for each depth, at the terminals of that
# depth behind its own branch. In pre-order these are one piece of the list of all terminals of that
# depth: two searches count them, however many they are. So pairs have numbers, in this order, and
# only those that are wanted are looked at.


@kernel()
def near_pairs(parent, depth, child_position, subtree_size, rows, length, width, by_arms, wanted):  # type: ignore[no-untyped-def]
    """Return how many pairs there are, and of the wanted ones both ends and the top.

    Args:
        parent: Of each node of the tree, and so the next three.
        depth: The same.
        child_position: The same.
        subtree_size: The same.
        rows: The terminals, ascending.
        length: How many nodes a path may have.
        width: How far apart the arms of a path, or else the children of its top, may be.
        by_arms: Which of the two width means.
        wanted: The numbers of the pairs to return, ascending.

    Returns:
        How many pairs there are; for each wanted one the number of the first and of the second
        terminal, among rows, and the row of the lowest common ancestor.
    """
    n, num_nodes = rows.size, parent.size
    before = np.zeros(num_nodes + 1, np.int64)  # terminals before each row
    before[rows + 1] = 1
    before = np.cumsum(before)
    num_children = np.zeros(num_nodes, np.int64)
    for i in range(1, num_nodes):
        num_children[parent[i]] += 1
    first_child = np.cumsum(num_children) - num_children
    children = np.empty(num_nodes, np.int64)
    for i in range(1, num_nodes):
        children[first_child[parent[i]] + child_position[i]] = i
    begin = np.zeros(depth.max() + 2, np.int64)  # of the terminals of each depth, in level
    for row in rows:
        begin[depth[row] + 1] += 1
    begin = np.cumsum(begin)
    deepest = begin.size - 2
    filled = begin.copy()
    level = np.empty(n, np.int64)
    for t in range(n):
        level[filled[depth[rows[t]]]] = t
        filled[depth[rows[t]]] += 1

    start = np.empty(wanted.size, np.int64)
    end = np.empty(wanted.size, np.int64)
    top = np.empty(wanted.size, np.int64)
    total, found = 0, 0
    for t in range(n):
        child, up = rows[t], 1
        while parent[child] != -1 and up + 2 <= length:
            v = parent[child]
            last = v + subtree_size[v]
            if not by_arms and child_position[child] + width < num_children[v] - 1:
                last = children[first_child[v] + child_position[child] + width + 1]
            low, high = before[child + subtree_size[child]], before[last]
            if low < high:
                least, most = 1, min(length - 1 - up, deepest - depth[v])
                if by_arms:
                    least, most = max(1, up - width), min(most, up + width)
                for d in range(depth[v] + least, depth[v] + most + 1):
                    of_depth = level[begin[d] : begin[d + 1]]
                    place = np.searchsorted(of_depth, low)
                    many = np.searchsorted(of_depth, high) - place
                    while found < wanted.size and wanted[found] < total + many:
                        start[found] = t
                        end[found] = of_depth[place + wanted[found] - total]
                        top[found] = v
                        found += 1
                    total += many
            child, up = v, up + 1
    return total, start, end, top
