"""How many edges the path-level relation has, without looking at each of them."""

import numpy as np

from tgraph_attn._kernel import kernel

# A sum over the tree has at most as many terms as there are edges, and mostly far fewer. After so
# many of them (seconds) a count that is over the limit already is as good as the whole one.
_PATIENCE = 2_000_000_000


@kernel()
def count_path_level(parent, subtree_size, max_path, max_level, limit):  # type: ignore[no-untyped-def]
    """Return the number of edges with the self edges, and whether it is the whole number.

    Let D_x(v) be the number of nodes x levels below v. The pairs below v that are t and x levels
    below it are D_t(v) * D_x(v); summed over t + x <= P and |t - x| <= max_level they are
    A_P(v): every pair whose lowest common ancestor is v, and those that also have a lower one. The
    latter lie below one child c, where they are A_{P-2}(c). So the number of edges is::

        sum over roots of A_P(v) + sum over other nodes of A_P(v) - A_{P-2}(v)

    and in the second sum all but the pairs with t + x = P or t + x = P - 1 cancel out.
    """
    n = parent.size
    height = np.zeros(n, np.int64)
    tallest = np.full(n, -1)  # the tallest child of each node
    for i in range(n - 1, 0, -1):
        p = parent[i]
        if p != -1 and height[i] + 1 > height[p]:
            height[p] = height[i] + 1
            tallest[p] = i
    # D of a node begins one place before D of its tallest child, so that it need not be copied:
    # N places are enough for all, and the other children are added in O(N) in all.
    place = np.empty(n, np.int64)
    free = 0
    for i in range(n):
        p = parent[i]
        if p != -1 and tallest[p] == i:
            place[i] = place[p] + 1
        else:
            place[i] = free
            free += height[i] + 1
    below = np.zeros(n, np.int64)
    upto = np.zeros(n + 1, np.int64)
    total = 0
    work = 0
    for i in range(n - 1, -1, -1):
        h = height[i]
        here = place[i]
        below[here] = 1
        c = i + 1
        while c < i + subtree_size[i]:
            if c != tallest[i]:
                for x in range(height[c] + 1):
                    below[here + 1 + x] += below[place[c] + x]
            c += subtree_size[c]
        if parent[i] == -1:
            for x in range(h + 1):
                upto[x + 1] = upto[x] + below[here + x]
            for t in range(min(h, max_path) + 1):
                least = max(0, t - max_level)
                most = min(h, max_path - t, t + max_level)
                if least <= most:
                    total += below[here + t] * (upto[most + 1] - upto[least])
        else:
            for path in range(max_path - 1, max_path + 1):
                least = max(0, path - h, (path - max_level + 1) // 2)
                most = min(h, path, (path + max_level) // 2)
                for t in range(least, most + 1):
                    total += below[here + t] * below[here + path - t]
                work += max(0, most + 1 - least)
        if work > _PATIENCE and total - n > limit:
            return total, False
    return total, True
