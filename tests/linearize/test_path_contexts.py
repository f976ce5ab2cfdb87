import numpy as np
import pytest

from tgraph_attn.linearize import PathContext, path_contexts
from tgraph_attn.parse import parse_code
from tgraph_attn.tree import Tree

#              0 call
#        /       |        \
#   1 name f   2 args    6 name
#             /  |  \       |
#       3 name  4 int 5 sum 7 subtoken z
#          x     1      +
TREE = Tree(
    [-1, 0, 0, 2, 2, 2, 0, 6],
    ["call", "name", "args", "name", "integer", "sum", "name", "subtoken"],
    [None, "f", None, "x", "1", "+", None, "z"],
)
CALL = {
    ("f", "x"): ("name", "call", "args", "name"),
    ("f", "1"): ("name", "call", "args", "integer"),
    ("f", "+"): ("name", "call", "args", "sum"),
    ("f", "z"): ("name", "call", "name"),
    ("x", "1"): ("name", "args", "integer"),
    ("x", "+"): ("name", "args", "sum"),
    ("x", "z"): ("name", "args", "call", "name"),
    ("1", "+"): ("integer", "args", "sum"),
    ("1", "z"): ("integer", "args", "call", "name"),
    ("+", "z"): ("sum", "args", "call", "name"),
}


def shown(contexts):
    return {(a, b): path for (a,), path, (b,), _ in contexts}


def test_a_small_tree_by_hand():
    contexts = path_contexts(TREE)
    assert shown(contexts) == CALL and list(shown(contexts)) == list(CALL)
    assert contexts[0] == PathContext(("f",), ("name", "call", "args", "name"), ("x",), 1)
    assert [context.top for context in contexts] == [1, 1, 1, 1, 1, 1, 2, 1, 2, 2]


def test_length_counts_the_nodes_of_the_path():
    for length, number in ((1, 0), (2, 0), (3, 4), (4, 10)):
        contexts = path_contexts(TREE, max_length=length)
        assert len(contexts) == number and all(len(c.path) <= length for c in contexts)


def test_width_is_the_difference_of_the_arms_or_of_the_places_under_the_top():
    arms = shown(path_contexts(TREE, max_width=0))
    assert set(arms) == {("f", "z"), ("x", "1"), ("x", "+"), ("1", "+")}
    apart = shown(path_contexts(TREE, max_width=1, width="siblings"))
    assert set(CALL) - set(apart) == {("f", "z"), ("x", "+")}
    assert path_contexts(TREE, max_width=0, width="siblings") == []


def test_inner_nodes_are_shown_with_their_text_and_ends_without():
    paths = [c.path for c in path_contexts(parse_code("a = b - 1", "python"))]
    assert paths[-1] == ("identifier", "binary_operator -", "integer")


def test_contexts_are_the_same_with_and_without_sub_tokens():
    source = "def getMax(x_y):\n    return [f(x_y, 1), '_', __, inf]\n"
    kinds = [parse_code(source, "python", subtokens=m) for m in ("off", "children", "chain")]
    contexts = [path_contexts(tree, width="siblings") for tree in kinds]
    assert contexts[0] == contexts[1] == contexts[2]
    ends = {context.end for context in contexts[0]}
    assert ends == {("x", "y"), ("f",), ("1",), ("__",), ("inf",)}


def test_numbers_can_be_marked():
    marked = shown(path_contexts(TREE, numbers="mark"))
    assert marked == {tuple("NUM" if w == "1" else w for w in key): p for key, p in CALL.items()}
    tree = parse_code("f(1, 2)", "python")
    assert {c.end for c in path_contexts(tree, numbers="mark")} == {("NUM",)}
    tree = parse_code("f(1, 2)", "python", numbers="mark")
    assert {c.end for c in path_contexts(tree)} == {("NUM",)}
    assert path_contexts(parse_code("f(1, 2)", "python", numbers="drop")) == []


def test_a_tree_without_near_leaves_has_none():
    for tree in (Tree([-1]), Tree([-1], text=["x"]), Tree([-1, 0, 1], text=["a", "b", "c"])):
        assert path_contexts(tree) == []


def test_each_path_leads_from_its_start_to_its_end(functions):
    for tree in functions:
        labels = set(tree.labels) | set(tree.kind)
        for start, path, end, top in path_contexts(tree):
            assert 3 <= len(path) <= 8 and 0 < top < len(path) - 1
            assert abs(top - (len(path) - 1 - top)) <= 2
            assert start and end and labels.issuperset(path)


def test_of_more_contexts_some_are_drawn_by_the_seed_each_once_and_in_order(functions):
    tree = max(functions, key=lambda tree: tree.num_nodes)
    every = path_contexts(tree)
    assert path_contexts(tree, max_paths=len(every)) == every
    some = path_contexts(tree, max_paths=50)
    assert len(some) == 50 and some == path_contexts(tree, max_paths=50, seed=0)
    assert some != path_contexts(tree, max_paths=50, seed=1)
    rest = iter(every)
    assert all(context in rest for context in some)  # in the same order, and each once


def test_each_context_is_drawn_equally_often():
    drawn = [tuple(shown(path_contexts(TREE, max_paths=3, seed=s))) for s in range(1000)]
    counts = {pair: sum(pair in some for some in drawn) for pair in CALL}
    assert all(len(set(some)) == 3 for some in drawn)
    assert all(abs(count - 300) < 75 for count in counts.values()), counts  # 5 deviations


def test_two_hundred_thousand_siblings_have_too_many_but_some_can_be_drawn(star):
    with pytest.raises(ValueError, match=r"at most 1,000,000 .* has 19,999,900,000\. Pass max_pat"):
        path_contexts(star)
    contexts = path_contexts(star, max_paths=150)
    assert len(contexts) == 150 and {context.path for context in contexts} == {("", "x", "")}
    near = path_contexts(star, width="siblings", max_width=1)
    assert len(near) == 199_999


def test_a_chain_and_a_comb_of_two_hundred_thousand_nodes_are_walked(chain):
    assert path_contexts(chain) == []
    spine = np.arange(100_000) * 2
    parent = np.empty(200_000, np.int64)
    parent[spine], parent[spine + 1] = spine - 2, spine
    parent[0] = -1
    contexts = path_contexts(Tree(parent, text=["x"] * 200_000), max_length=8)
    # A tooth and one that is d below it have arms of 1 and d + 1 nodes: d is 1 or 2.
    assert len(contexts) == 99_999 + 99_998


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 0}, "max_length must be at least 1, but got 0"),
        ({"max_width": -1}, "max_width must be at least 0, but got -1"),
        ({"seed": -1}, "seed must be at least 0, but got -1"),
        ({"max_paths": 0}, "max_paths must be at least 1, but got 0"),
        ({"width": "wide"}, "width must be one of .*'wide'"),
        ({"numbers": "drop"}, "numbers must be one of .*'drop'"),
    ],
)
def test_options_out_of_choice_are_refused(options, message):
    with pytest.raises(ValueError, match=f"path_contexts: {message}"):
        path_contexts(TREE, **options)


def test_what_is_no_tree_or_no_number_is_refused():
    with pytest.raises(TypeError, match="path_contexts: tree must be a Tree, but got list"):
        path_contexts([-1])
    with pytest.raises(TypeError, match="path_contexts: max_length must be an int"):
        path_contexts(TREE, max_length=8.0)


def test_limits_without_end_are_no_limits():
    assert path_contexts(TREE, max_length=10**30, max_width=10**30) == path_contexts(TREE)
