"""A tree as the labels of its nodes between brackets."""

from tgraph_attn.linearize._check_tree import check_tree
from tgraph_attn.tree import Tree


def bracket_tokens(tree: Tree) -> list[str]:
    """Return the tree with each node as `(`, its label, its children and then `)`, its label.

    So there are 4N tokens: a bracket, a label, a bracket, a label, and so on. As every second token
    is a label whatever it says, a label may be "(" or ")", too. `tree_of_brackets` is the way back.

    Raises:
        TypeError: tree is no `Tree`.

    Examples:
        >>> from tgraph_attn.linearize import bracket_tokens
        >>> from tgraph_attn.tree import Tree
        >>> " ".join(bracket_tokens(Tree([-1, 0, 0], ["sum", "one", "two"])))
        '( sum ( one ) one ( two ) two ) sum'

    Source:
        "SBT", the structure-based traversal of Hu et al., *Deep Code Comment Generation* (ICPC
        2018), as AST-Trans (Tang et al., ICSE 2022) has it.
    """
    check_tree("bracket_tokens", tree)
    tokens: list[str] = []
    open_labels: list[str] = []
    for label, depth in zip(tree.labels, tree.depth.tolist(), strict=True):
        while len(open_labels) > depth:
            tokens += (")", open_labels.pop())
        tokens += ("(", label)
        open_labels.append(label)
    while open_labels:
        tokens += (")", open_labels.pop())
    return tokens
