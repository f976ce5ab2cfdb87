import numpy as np
import pytest

from tgraph_attn.parse import parse_code
from tgraph_attn.relations.blocks import tree_block_counts
from tgraph_attn.tree import Tree

#        0 call (0, 9)
#       / \
#   1 name  2 arguments (3, 9)      "f10(a, b)"; the brackets and the comma are no nodes
#           / \
#          3 a  4 b
TREE = Tree([-1, 0, 0, 2, 2], span=np.array([[0, 9], [0, 3], [3, 9], [4, 5], [7, 8]]))


def pairs(tree, starts):
    """Which of some tokens are close: blocks of one token."""
    return tree_block_counts(tree, starts, 1).tolist()


def test_tokens_hang_at_the_parent_of_their_leaf():
    # f10: at the call; "(" and a: at the arguments, a child of the call
    assert pairs(TREE, [0, 3, 4]) == [[1, 1, 1], [1, 1, 1], [1, 1, 1]]
    # x and f(y) below g(...): x hangs at 1, y at 4, which is no child of 1
    tree = Tree(
        [-1, 0, 1, 0, 3, 4], span=np.array([[0, 9], [0, 2], [0, 1], [2, 9], [2, 8], [3, 4]])
    )
    assert pairs(tree, [0, 3]) == [[1, 0], [0, 1]]


def test_two_tokens_of_one_leaf_are_close():
    assert pairs(TREE, [0, 1]) == [[1, 1], [1, 1]]


def test_a_token_that_is_nowhere_in_the_text_is_close_to_none():
    assert pairs(TREE, [-1, 0, 50]) == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_a_lone_node_is_where_its_tokens_hang():
    assert pairs(Tree([-1], span=np.array([[0, 5]])), [0, 3]) == [[1, 1], [1, 1]]


def test_counts_of_blocks_are_sums_over_their_tokens():
    source = "def f(a, b):\n    if a > b:\n        return g(a + 1, b)\n    return [x for x in b]\n"
    tree = parse_code(source, "python", subtokens="off")
    starts = [place for place, letter in enumerate(source) if not letter.isspace()]
    starts[5] = -1
    single = tree_block_counts(tree, starts, 1)
    counts = tree_block_counts(tree, starts, 7)
    edges = np.append(np.arange(0, len(starts), 7), len(starts))
    for i in range(len(counts)):
        for j in range(len(counts)):
            part = single[edges[i] : edges[i + 1], edges[j] : edges[j + 1]]
            assert counts[i, j] == part.sum()
    assert (counts == counts.T).all() and single.max() == 1
    assert (single.diagonal() == (np.array(starts) >= 0)).all()


def test_equals_a_search_of_the_covering_node():
    source = "class A:\n    x = {1: [2, (3, 4)]}\n    def f(self): return self.x[1][0] or -self.x\n"
    tree = parse_code(source, "python", subtokens="off")
    starts = np.arange(len(source))
    hooks = []
    for place in starts:
        cover = [n for n, (a, b) in enumerate(tree.span.tolist()) if a <= place < b]
        node = cover[-1] if cover else -1
        hooks.append(int(tree.parent[node]) if node > 0 and not len(tree.children(node)) else node)
    expected = [
        [int(a >= 0 <= b and (a == b or tree.parent[a] == b or tree.parent[b] == a)) for b in hooks]
        for a in hooks
    ]
    assert tree_block_counts(tree, starts, 1).tolist() == expected


def test_no_tokens_have_no_blocks():
    assert tree_block_counts(TREE, [], 4).shape == (0, 0)


def test_a_tree_without_spans_is_refused():
    with pytest.raises(ValueError, match="tree must have spans"):
        tree_block_counts(Tree([-1, 0]), [0], 1)
    with pytest.raises(ValueError, match="block_size must be at least 1"):
        tree_block_counts(TREE, [0], 0)
    with pytest.raises(TypeError, match="token_start must hold whole numbers"):
        tree_block_counts(TREE, [0.5], 1)
