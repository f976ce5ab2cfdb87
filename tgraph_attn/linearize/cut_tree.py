"""A tree of at most so many nodes."""

import numpy as np

from tgraph_attn._checks import check_choice, check_positive
from tgraph_attn.linearize._check_tree import check_tree
from tgraph_attn.tree import Tree


def cut_tree(tree: Tree, max_nodes: int, *, reverse_root: str = "truncated") -> Tree:
    """Return the first max_nodes nodes in pre-order, with the root's children turned round.

    Reversal comes first, so that what is cut off is the end of the *first* children of the root:
    of a function that is too long, parameters and the like go, and its body stays. Each child is
    moved with all that is under it; nothing else changes its order. The result is in pre-order
    again, and `span`, `source` and faults go with their nodes. So spans no longer ascend from one
    child of the root to the next, and `source` says where each node was; faults of nodes that are
    cut off are gone. Relations are to be made of the result: in one that is reversed, a later
    sibling under the root is what came earlier.

    Only the children of the root are turned round, and the root of `parse_code` is the file. Pass
    `tree.subtree(i)`, the function itself.

    Args:
        tree: The tree, before any relation is made of it.
        max_nodes: How many nodes to keep at most.
        reverse_root: Turn the root's children round if the tree is "truncated", "always", or
            "never", which is `tree.truncate(max_nodes)`.

    Raises:
        ValueError: max_nodes is below 1, or reverse_root is another word.
        TypeError: tree is no `Tree`, or max_nodes no int.

    Examples:
        >>> from tgraph_attn.linearize import cut_tree
        >>> from tgraph_attn.tree import Tree
        >>> tree = Tree([-1, 0, 0, 2], kind=["function", "parameters", "body", "return"])
        >>> cut_tree(tree, 3).labels, cut_tree(tree, 3, reverse_root="never").labels
        (['function', 'body', 'return'], ['function', 'parameters', 'body'])

    Source:
        AST-Trans (Tang et al., ICSE 2022) says "truncated"; its released code has "always".
    """
    check_tree("cut_tree", tree)
    check_positive("cut_tree", max_nodes=max_nodes)
    check_choice("cut_tree", "reverse_root", reverse_root, ("truncated", "always", "never"))
    fits = tree.num_nodes <= max_nodes
    if reverse_root == "never" or (fits and reverse_root == "truncated"):
        return tree.truncate(max_nodes)
    first = np.flatnonzero(tree.parent == 0)[::-1]  # each child of the root, from the last one
    size = tree.subtree_size[first]
    shift = np.cumsum(size) - size + 1 - first  # how far each one's nodes move
    old = np.arange(1, tree.num_nodes) - np.repeat(shift, size)
    old = np.concatenate(([0], old))[:max_nodes]
    new = np.full(tree.num_nodes, -1)
    new[old] = np.arange(old.size)
    parent = new[tree.parent[old]]
    parent[0] = -1
    faults = tree.faults.copy()
    faults[:, 0] = new[faults[:, 0]]
    faults = faults[faults[:, 0] >= 0]
    return Tree(
        parent,
        tree.kind[old],
        tree.text[old],
        tree.span[old],
        tree.source[old],
        faults=faults[np.argsort(faults[:, 0], kind="stable")],
    )
