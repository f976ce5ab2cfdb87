"""A tree as the labels of its nodes."""

from tgraph_attn.linearize._check_tree import check_tree
from tgraph_attn.tree import Tree


def preorder_tokens(tree: Tree) -> list[str]:
    """Return the label of each node, in pre-order: `tree.labels`.

    What is under what is lost; `bracket_tokens` keeps it.

    Raises:
        TypeError: tree is no `Tree`.

    Examples:
        >>> from tgraph_attn.linearize import preorder_tokens
        >>> from tgraph_attn.parse import parse_code
        >>> preorder_tokens(parse_code("n + 1", "python"))[2:]
        ['binary_operator +', 'identifier', 'subtoken n', 'integer 1']

    Source:
        "POT" of AST-Trans (Tang et al., ICSE 2022).
    """
    check_tree("preorder_tokens", tree)
    return tree.labels
