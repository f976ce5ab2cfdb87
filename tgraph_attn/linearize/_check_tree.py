"""What each function of trees asks for."""

from tgraph_attn._checks import check_type
from tgraph_attn.tree import Tree


def check_tree(owner: str, tree: object) -> None:
    """Raise TypeError unless it is a Tree."""
    hint = "Make one with Tree(parent, ...), parse_code or from_networkx."
    check_type(owner, "tree", tree, Tree, hint)
