import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import networkx as nx
import numpy as np
import pytest

from tgraph_attn.parse import from_networkx
from tgraph_attn.tree import Tree

#       0 call
#      /      \
#   1 name    4 number
#   /    \
# 2 part  3 part
PARENT = [-1, 0, 1, 1, 0]
KIND = ["call", "name", "part", "part", "number"]
TEXT = [None, None, "get", "size", "1"]
SPAN = [[0, 10], [0, 7], [0, 3], [3, 7], [8, 9]]


def small_tree() -> Tree:
    return Tree(PARENT, KIND, TEXT, SPAN, [4, 3, 2, 1, 0], faults=[[2, 0], [4, 1], [4, 1]])


def random_parents(num_nodes, seed=0):
    """Parents in pre-order: each node hangs under one on the path to the node before it."""
    draw, parent, path = np.random.default_rng(seed), [-1], [0]
    for row in range(1, num_nodes):
        path = path[: draw.integers(1, len(path) + 1)]
        parent.append(path[-1])
        path.append(row)
    return parent


def test_depth_child_position_and_subtree_size_of_a_small_tree_by_hand():
    tree = small_tree()
    assert tree.num_nodes == 5
    assert tree.depth.tolist() == [0, 1, 2, 2, 1]
    assert tree.child_position.tolist() == [0, 0, 0, 1, 1]
    assert tree.subtree_size.tolist() == [5, 3, 1, 1, 1]
    assert [tree.children(row).tolist() for row in range(5)] == [[1, 4], [2, 3], [], [], []]


@pytest.mark.parametrize("seed", range(5))
def test_columns_of_random_trees_are_those_that_following_parents_gives(seed):
    parent = random_parents(200, seed)
    tree = Tree(parent)
    above = [[row] for row in range(200)]
    for line in above:
        while parent[line[-1]] != -1:
            line.append(parent[line[-1]])
    assert tree.depth.tolist() == [len(line) - 1 for line in above]
    assert tree.subtree_size.tolist() == [sum(row in line for line in above) for row in range(200)]
    for row in range(200):
        children = [child for child in range(200) if parent[child] == row]
        assert tree.children(row).tolist() == children
        assert tree.child_position[children].tolist() == list(range(len(children)))


def test_columns_have_the_types_of_the_contract():
    tree = small_tree()
    for name in ("parent", "span", "source", "depth", "child_position", "subtree_size", "faults"):
        assert getattr(tree, name).dtype == np.int64
    assert (tree.span.shape, tree.faults.shape) == ((5, 2), (3, 2))
    assert tree.kind.tolist() == KIND and tree.text.tolist() == TEXT


def test_columns_left_out_have_their_defaults():
    tree = Tree([-1, 0])
    assert tree.kind.tolist() == ["", ""] and tree.text.tolist() == [None, None]
    assert tree.span.tolist() == [[-1, -1], [-1, -1]] and tree.source.tolist() == [0, 1]
    assert (tree.num_errors, tree.num_missing) == (0, 0)


def test_a_single_node_is_a_tree():
    tree = Tree([-1])
    assert (tree.num_nodes, tree.depth.tolist(), tree.children(0).tolist()) == (1, [0], [])


def test_label_is_kind_and_text_whatever_of_them_is_there():
    tree = Tree([-1, 0, 0, 0], ["sum", "name", None, ""], [None, "x", "y", None])
    assert tree.labels == ["sum", "name x", "y", ""]
    assert [tree.label(row) for row in range(4)] == tree.labels


def test_faults_are_counted_by_what_they_are():
    assert (small_tree().num_errors, small_tree().num_missing) == (1, 2)


def test_truncating_keeps_the_first_nodes_in_preorder():
    tree = small_tree().truncate(3)
    assert tree == Tree(PARENT[:3], KIND[:3], TEXT[:3], SPAN[:3], [4, 3, 2], faults=[[2, 0]])
    assert small_tree().truncate(5) == small_tree().truncate(99) == small_tree()


def test_a_subtree_is_a_tree_that_keeps_spans_sources_and_its_own_faults():
    expected = Tree([-1, 0, 0], KIND[1:4], TEXT[1:4], SPAN[1:4], [3, 2, 1], faults=[[1, 0]])
    assert small_tree().subtree(1) == expected
    assert small_tree().subtree(0) == small_tree()


def test_networkx_and_back_gives_the_same_tree():
    tree = Tree(PARENT, KIND, TEXT, SPAN)
    graph = tree.to_networkx()
    assert nx.is_arborescence(graph) and list(graph.edges) == [(0, 1), (0, 4), (1, 2), (1, 3)]
    assert graph.nodes[2] == {"kind": "part", "text": "get", "span": (0, 3), "source": 2}
    assert from_networkx(graph) == tree


def test_networkx_holds_no_faults():
    back = from_networkx(small_tree().to_networkx())
    assert back.labels == small_tree().labels
    assert (back.num_errors, back.num_missing) == (0, 0)


def test_outline_is_one_indented_line_a_node():
    text = "line\n" * 20
    tree = Tree([-1, 0, 1, 0], ["a", "", "", "c"], [None, "b", None, text])
    assert str(tree).split("\n") == ["a", "  'b'", "    node 2", f"  c {text[:37] + '...'!r}"]


def test_outline_of_a_large_tree_is_cut_and_says_how_much_is_left():
    lines = str(Tree(np.arange(-1, 999_999))).split("\n")
    assert len(lines) == 31 and lines[-1] == "... and 999,970 more nodes"
    assert max(map(len, Tree(np.arange(-1, 999)).outline(1000).split("\n"))) < 140


def test_repr_is_one_line():
    assert repr(Tree(PARENT)) == "Tree(num_nodes=5, max_depth=2)"
    assert repr(small_tree()) == "Tree(num_nodes=5, max_depth=2, num_errors=1, num_missing=2)"


def test_trees_are_equal_if_all_columns_are():
    same = {"parent": PARENT, "kind": KIND, "text": TEXT, "span": SPAN, "source": [0, 1, 2, 3, 4]}
    others = {
        "parent": [-1, 0, 1, 1, 1],
        "kind": ["x"] * 5,
        "text": [None] * 5,
        "span": [[0, 0]] * 5,
        "source": [0] * 5,
        "faults": [[0, 0]],
    }
    assert Tree(**same) == Tree(**(same | {"faults": None}))
    for name, other in others.items():
        assert Tree(**same) != Tree(**(same | {name: other})), name
    assert Tree(**same) != "tree"


def test_nothing_about_a_tree_can_be_changed():
    tree, mine = small_tree(), np.array([-1, 0])
    for name in ("parent", "kind", "text", "span", "source", "faults", "depth"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(tree, name)[0] = 0
    with pytest.raises(AttributeError, match="stays as it was made, but 'parent' was to be set"):
        tree.parent = mine
    with pytest.raises(AttributeError, match="stays as it was made"):
        del tree.parent
    made = Tree(mine)
    mine[1] = 7
    assert made.parent.tolist() == [-1, 0]


def test_pickle_and_copy_give_the_same_tree():
    tree = small_tree()
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree and not again.parent.flags.writeable
    assert copy.deepcopy(tree) is copy.copy(tree) is tree


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_trees_go_to_another_process_and_back(start):
    with ProcessPoolExecutor(1, get_context(start)) as pool:
        assert pool.submit(copy.copy, small_tree()).result(timeout=120) == small_tree()


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ([], "parent must have at least one node, but has none"),
        ([0], "no node may be its own parent, but node 0 is"),
        ([1, -1], "node 0 must be the root, with parent -1, but its parent is 1"),
        ([-1, 0, -1], "must be one root, but nodes 0 and 2 both have parent -1"),
        ([-1, 5], r"must be one of the 2 rows, but that of node 1 is 5"),
        ([-1, 0, -2], r"must be one of the 3 rows, but that of node 2 is -2"),
        ([-1, 1], "no node may be its own parent, but node 1 is"),
        ([-1, 0, 3, 2], "from node 2 it leads round a cycle"),
        ([-1, 2, 0], "must be in pre-order, .* but node 1 "),
        ([-1, 0, 0, 1], "must be in pre-order, .* but node 3 "),
        ([-1, 0, 1, 0, 2], "must be in pre-order, .* but node 4 "),
        ([[-1, 0]], r"parent must have shape \[any\], but has \[1, 2\]"),
    ],
)
def test_what_is_no_tree_in_preorder_is_refused_with_a_node_that_shows_it(parent, message):
    with pytest.raises(ValueError, match=f"Tree: .*{message}"):
        Tree(parent)


def test_each_order_of_five_nodes_is_a_tree_exactly_if_it_is_in_preorder():
    for code in range(5**4):
        parent = [-1] + [code // 5**place % 5 for place in range(4)]
        path, fits = [0], True
        for row in range(1, 5):
            fits = fits and parent[row] in path
            path = [*path[: path.index(parent[row]) + 1], row] if fits else path
        try:
            Tree(parent)
        except ValueError:
            assert not fits, parent
        else:
            assert fits, parent


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"parent": [-1.0]}, TypeError, "parent must hold whole numbers, but got float64"),
        ({"kind": ["a", "b"]}, ValueError, "kind must have one string for each of the 1 nodes"),
        ({"kind": "a"}, TypeError, "kind must be a list or tuple or ndarray, but got str"),
        ({"text": iter("a")}, TypeError, "text must be a list or tuple or ndarray, but got str_"),
        ({"kind": [3]}, TypeError, r"kind must hold str or None, but holds \['int'\]"),
        ({"text": [b"x"]}, TypeError, r"text must hold str or None, but holds \['bytes'\]"),
        ({"span": [0, 1]}, ValueError, r"span must have shape \[1, 2\], but has \[2\]"),
        ({"source": [0, 1]}, ValueError, r"source must have shape \[1\], but has \[2\]"),
        ({"faults": [[0]]}, ValueError, r"faults must have shape \[any, 2\]"),
        ({"faults": [[1, 0]]}, ValueError, r"faults must hold a node in \[0, 1\) and 0 or 1"),
        ({"faults": [[0, 2]]}, ValueError, r"faults must hold a node in \[0, 1\) and 0 or 1"),
    ],
)
def test_columns_of_the_wrong_kind_or_length_are_refused(columns, error, message):
    with pytest.raises(error, match=f"Tree: {message}"):
        Tree(**({"parent": [-1]} | columns))


@pytest.mark.parametrize("node", [-1, 5])
def test_a_node_that_is_not_there_is_refused(node):
    for ask in (small_tree().children, small_tree().subtree, small_tree().label):
        with pytest.raises(IndexError, match=rf"a node must be in \[0, 5\), but got {node}"):
            ask(node)


def test_truncating_to_nothing_is_refused():
    with pytest.raises(ValueError, match="num_nodes must be at least 1, but got 0"):
        small_tree().truncate(0)


@pytest.mark.parametrize("shape", ["chain", "star"])
def test_a_million_nodes_in_one_line_or_under_one_root_are_a_tree(shape):
    parent = np.arange(-1, 999_999) if shape == "chain" else np.r_[-1, np.zeros(999_999, int)]
    tree = Tree(parent)
    assert tree.subtree_size[0] == 1_000_000 and tree.children(0)[0] == 1
    assert tree.depth[-1] == (999_999 if shape == "chain" else 1)
    assert tree.child_position[-1] == (0 if shape == "chain" else 999_998)
