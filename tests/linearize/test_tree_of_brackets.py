import pytest

from tgraph_attn.linearize import bracket_tokens, tree_of_brackets
from tgraph_attn.parse import parse_code, parse_json
from tgraph_attn.tree import Tree

JAVA = 'class A { int f(int[] x) { return x[0] + 1; } String s = "( )"; }'


def test_it_restores_the_tree_also_with_labels_that_are_brackets(random_trees):
    for tree in random_trees:
        expected = Tree(tree.parent, tree.kind, tree.text)
        assert tree_of_brackets(bracket_tokens(tree)) == expected
    labels = {label for tree in random_trees for label in tree.labels}
    assert {"(", ")"} <= labels


def test_it_restores_real_functions(functions):
    trees = [*functions, parse_code(JAVA, "java", strings="keep"), parse_json('{"a b": [1, ""]}')]
    for tree in trees:
        assert tree_of_brackets(bracket_tokens(tree)) == Tree(tree.parent, tree.kind, tree.text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("", None), ("", "x"), ("", "x y"), ("", " x"), (" x", "y"), ("x", ""), ("x", " "), ("", "")],
)
def test_labels_and_parents_are_restored_whatever_they_are(kind, text):
    tree = Tree([-1, 0, 0], [kind] * 3, [text] * 3)
    again = tree_of_brackets(bracket_tokens(tree))
    assert again.labels == tree.labels and (again.parent == tree.parent).all()


def test_any_series_of_tokens_will_do():
    assert tree_of_brackets(iter("( x ) x".split())) == Tree([-1], ["x"])


def test_a_chain_and_a_star_of_two_hundred_thousand_nodes_come_back(chain, star):
    for tree in (chain, star):
        assert (tree_of_brackets(bracket_tokens(tree)).parent == tree.parent).all()


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("", r"token 0 must be '\(', but is the end. Pass whole trees"),
        (") a", r"token 0 must be '\(', but is '\)'. Begin with the root"),
        ("a ( )", r"token 0 must be '\(' or '\)', but is 'a'. Every second"),
        ("( a x b ) a", r"token 2 must be '\(' or '\)', but is 'x'. Every second"),
        ("(", r"token 1 must be a label, but is the end. Pass whole"),
        ("( a )", r"token 3 must be a label, but is the end. Pass whole"),
        ("( a ( b", r"token 4 must be '\)' and 'b', but is the end. Cut the tree"),
        ("( a ( b ) a ) b", r"token 5 must be 'b', but is 'a'. A label is closed before"),
        ("( a ) a ( b ) b", r"token 4 must be the end, as the root is closed, but is '\('. Read"),
        ("( a ) a ) a", r"token 4 must be the end, as the root is closed, but is '\)'. Read"),
    ],
)
def test_malformed_tokens_are_refused_with_their_place(tokens, message):
    with pytest.raises(ValueError, match=f"^tree_of_brackets: {message}.*; bracket_tokens"):
        tree_of_brackets(tokens.split())


def test_tokens_that_are_no_str_are_refused():
    with pytest.raises(TypeError, match="tree_of_brackets: token 1 must be a str, but got int"):
        tree_of_brackets(["(", 3])
    with pytest.raises(TypeError, match="must be a series of brackets and labels, but got one str"):
        tree_of_brackets("( x ) x")
