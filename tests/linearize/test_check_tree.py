import pytest

from tgraph_attn.linearize._check_tree import check_tree
from tgraph_attn.tree import Tree


def test_a_tree_passes_and_anything_else_is_refused():
    check_tree("f", Tree([-1]))
    with pytest.raises(TypeError, match=r"^f: tree must be a Tree, but got list. Make one with"):
        check_tree("f", [-1])
