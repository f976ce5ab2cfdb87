"""A tree as paths between its leaves."""

import numpy as np

from tgraph_attn._checks import check_choice, check_not_negative, check_positive
from tgraph_attn.linearize._check_tree import check_tree
from tgraph_attn.linearize._near_pairs import near_pairs
from tgraph_attn.linearize._terminals import find_terminals
from tgraph_attn.linearize.path_context import PathContext
from tgraph_attn.tree import Tree

_MAX_CONTEXTS = 1_000_000  # about 300 MB


def path_contexts(
    tree: Tree,
    *,
    max_length: int = 8,
    max_width: int = 2,
    width: str = "arms",
    numbers: str = "keep",
    max_paths: int | None = None,
    seed: int = 0,
) -> list[PathContext]:
    """Return the short paths between the leaves that say something, each pair of leaves once.

    Such a leaf is a node with text and no child: a name, a number, and with `strings="keep"` a
    string. Its words are the sub-tokens below it, children or a chain, which are no nodes of any
    path; without any, an identifier has those of `split_identifier`, and anything else its text as
    one word. So a tree gives the same contexts with sub-tokens as without. A tree with fewer than
    two such leaves, or none that are near each other, gives `[]`.

    Pairs are counted, not listed: of n leaves, each looks at the up to max_length - 2 nodes above
    it, and there at as many depths, and searches twice. With L = max_length, N nodes and M contexts
    returned, the time grows with N + n * L^2 * log n + M * L, and the memory with N + M * L.

    Args:
        tree: The tree.
        max_length: How many nodes a path may have: those up to below the lowest common ancestor,
            itself, and those down from there, both leaves with them.
        max_width: How wide a path may be; 0 or more.
        width: What width is. "arms": how many more nodes one side of the path has than the other.
            "siblings": how many places apart two children of the lowest common ancestor are, those
            that the path goes through; neighbours are 1 apart.
        numbers: "keep" what they say, or "mark" each as "NUM": leaves whose kind says that they are
            numbers, such as `integer` and `decimal_floating_point_literal`.
        max_paths: How many contexts to return at most; of more, so many are drawn, all with the
            same chance. None for all of them, up to 1,000,000.
        seed: Which ones are drawn: the same number, the same ones.

    Returns:
        The contexts, sorted by their first leaf, then by their second.

    Raises:
        ValueError: max_length or max_paths is below 1, max_width or seed below 0, an option is
            another word, or there are more than 1,000,000 contexts and no max_paths.
        TypeError: tree is no `Tree`, or a number is no int.

    Examples:
        >>> from tgraph_attn.linearize import path_contexts
        >>> from tgraph_attn.parse import parse_code
        >>> for start, path, end, top in path_contexts(parse_code("maxSize = n + 1", "python")):
        ...     print(start, path, end, top)
        ('max', 'size') ('identifier', 'assignment', 'binary_operator +', 'identifier') ('n',) 1
        ('max', 'size') ('identifier', 'assignment', 'binary_operator +', 'integer') ('1',) 1
        ('n',) ('identifier', 'binary_operator +', 'integer') ('1',) 1

    Source:
        "PD" of AST-Trans (Tang et al., ICSE 2022), whose released code compares arms; "siblings"
        is the width of code2vec and code2seq (Alon et al., POPL and ICLR 2019). That code takes
        every node with a value, we only leaves, since inner nodes of ours have operators as text.
        It leaves out functions without a path: to compare, drop those for which the list is empty.
    """
    check_tree("path_contexts", tree)
    check_positive("path_contexts", max_length=max_length)
    check_not_negative("path_contexts", max_width=max_width, seed=seed)
    check_choice("path_contexts", "width", width, ("arms", "siblings"))
    check_choice("path_contexts", "numbers", numbers, ("keep", "mark"))
    if max_paths is not None:
        check_positive("path_contexts", max_paths=max_paths)
    rows, words = find_terminals(tree, mark_numbers=numbers == "mark")
    columns = (tree.parent, tree.depth, tree.child_position, tree.subtree_size, rows)
    no_pair_is_longer = 2 * tree.num_nodes
    limits = (min(max_length, no_pair_is_longer), min(max_width, no_pair_is_longer))
    by_arms = width == "arms"
    total, *_ = near_pairs(*columns, *limits, by_arms, np.empty(0, np.int64))
    if max_paths is None and total > _MAX_CONTEXTS:
        raise ValueError(
            f"path_contexts: a tree may have at most {_MAX_CONTEXTS:,} contexts without max_paths, "
            f"but this one has {total:,}. Pass max_paths, or a smaller max_length."
        )
    if max_paths is None or total <= max_paths:
        wanted = np.arange(total)
    else:
        wanted = np.sort(np.random.default_rng(seed).choice(total, max_paths, replace=False))
    _, start, end, top = near_pairs(*columns, *limits, by_arms, wanted)
    order = np.lexsort((end, start))

    parent, labels = tree.parent.tolist(), tree.labels
    for row in rows.tolist():
        labels[row] = tree.kind[row]
    contexts = []
    for a, b, v in zip(*(part[order].tolist() for part in (start, end, top)), strict=True):
        up, down = [], []
        row = int(rows[a])
        while row != v:
            up.append(labels[row])
            row = parent[row]
        row = int(rows[b])
        while row != v:
            down.append(labels[row])
            row = parent[row]
        path = (*up, labels[v], *reversed(down))
        contexts.append(PathContext(words[a], path, words[b], len(up)))
    return contexts
