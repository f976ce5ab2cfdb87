import pytest

from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._summaries import example_of as module
from tgraph_attn.datasets._summaries.example_of import FunctionExample, example_of
from tgraph_attn.linearize import bracket_tokens, cut_tree, tree_of_brackets
from tgraph_attn.parse import parse_code
from tgraph_attn.tree import Tree

SETTINGS = {
    "form": "tree",
    "max_nodes": 200,
    "reverse_root": "truncated",
    "subtokens": "children",
    "strings": "drop",
    "numbers": "keep",
    "errors": "keep",
    "without_path": "keep",
    "path_seed": 0,
}
SOURCE = "def maxSize(a):\n    return g('b') + a[1]\n"
FORMS = ["tree", "code", "brackets", "paths"]


def example(source=SOURCE, comment="Do it", language="python", **settings):
    return example_of(Pair(source, comment, "a:1"), language, SETTINGS | settings, str.split)


def test_a_tree_is_the_function_without_the_file():
    made = example()
    assert isinstance(made, FunctionExample)
    assert made.tree == parse_code(SOURCE, "python").subtree(1)
    assert made.tokens == made.tree.labels and made.tokens[0] == "function_definition"
    assert (made.words, made.origin) == (["Do", "it"], "a:1")
    assert not made.is_faulty and not made.is_truncated


def test_a_method_of_java_is_parsed_without_its_class():
    made = example("@ Override public int f ( ) { return _NUM ; }", language="java")
    assert made.tokens[0] == "method_declaration" and not made.is_faulty


def test_two_functions_keep_the_file_as_their_root():
    assert example(SOURCE + "f()\n").tokens[0] == "module"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("above", ["@b\n", "@b.c(1, 'd')\n# why\n@e\n"])
def test_decorators_are_no_part_of_a_function(form, above):
    for source in (SOURCE, f"async {SOURCE}", "class A(B):\n    x = y\n"):
        bare, made = (
            example(s, form=form, reverse_root="always") for s in (source, above + source)
        )
        assert made._replace(tree=None) == bare._replace(tree=None) and not made.is_faulty
        assert form != "tree" or made.tree.parent.tolist() == bare.tree.parent.tolist()


@pytest.mark.parametrize("reverse_root", ["truncated", "always", "never"])
@pytest.mark.parametrize("max_nodes", [7, 200])
def test_trees_are_cut_and_turned_as_cut_tree_does(max_nodes, reverse_root):
    whole = parse_code(SOURCE, "python").subtree(1)
    made = example(max_nodes=max_nodes, reverse_root=reverse_root)
    assert made.tree == cut_tree(whole, max_nodes, reverse_root=reverse_root)
    assert made.is_truncated == (max_nodes == 7)


@pytest.mark.parametrize(
    ("max_nodes", "reverse_root", "turned"),
    [
        (400, "truncated", False),
        (50, "truncated", True),
        (20, "truncated", True),
        (400, "always", True),
        (20, "never", False),
    ],
)
def test_brackets_are_those_of_the_whole_tree_cut_as_a_sequence(max_nodes, reverse_root, turned):
    whole = parse_code(SOURCE, "python").subtree(1)
    want = cut_tree(whole, whole.num_nodes, reverse_root="always" if turned else "never")
    made = example(form="brackets", max_nodes=max_nodes, reverse_root=reverse_root)
    assert made.tree is None and made.tokens == bracket_tokens(want)[:max_nodes]
    assert made.is_truncated == (max_nodes < 100)
    if not made.is_truncated:
        assert tree_of_brackets(made.tokens).labels == want.labels


@pytest.mark.parametrize("form", FORMS)
def test_no_form_is_longer_than_max_nodes(form):
    sizes = {n: len(example(form=form, max_nodes=n).tokens) for n in (1, 10, 1000)}
    assert sizes[1] == 1 and sizes[10] <= 10 < sizes[1000]
    assert (
        example(form=form, max_nodes=sizes[1000]).tokens
        == example(form=form, max_nodes=1000).tokens
    )
    cuts = [example(form=form, max_nodes=n).is_truncated for n in (sizes[1000] - 1, sizes[1000])]
    assert cuts == [True, False]


@pytest.mark.parametrize(
    ("form", "switch", "token"),
    [
        ("tree", {"subtokens": "off"}, "identifier maxSize"),
        ("tree", {"strings": "keep"}, "string_content b"),
        ("tree", {"numbers": "mark"}, "integer NUM"),
        ("tree", {"numbers": "drop"}, "integer"),
        ("brackets", {"subtokens": "off"}, "identifier maxSize"),
        ("code", {"subtokens": "off"}, "maxSize"),
        ("code", {"strings": "keep"}, "'b'"),
        ("code", {"numbers": "mark"}, "NUM"),
        ("paths", {"strings": "keep"}, "subtoken b"),
        ("paths", {"numbers": "mark"}, "subtoken NUM"),
    ],
)
def test_switches_reach_each_form(form, switch, token):
    assert token in example(form=form, max_nodes=1000, **switch).tokens
    assert token not in example(form=form, max_nodes=1000).tokens


def test_a_chain_is_a_deeper_tree():
    assert example(subtokens="chain").tree.depth.sum() > example().tree.depth.sum()


def test_another_seed_draws_other_paths():
    one, other = (example(form="paths", max_nodes=20, path_seed=s).tokens for s in (0, 1))
    assert one != other


@pytest.mark.parametrize("form", FORMS)
def test_content_is_the_same_in_each_form_and_whatever_does_not_count(form):
    want = example().content
    assert example(form=form, max_nodes=5, subtokens="off", strings="keep").content == want
    layout = "def max_size( a ):\n  # it\n  return (g( 'c' )  + a[1])".replace("(g", "g")
    assert example(layout[:-1], form=form).content == want
    for other in ("maxSiz", "a[2]", "g() +"):
        text = SOURCE.replace(
            {"maxSiz": "maxSize", "a[2]": "a[1]", "g() +": "g('b') +"}[other], other
        )
        assert example(text, form=form).content != want


def test_content_tells_where_a_statement_stands():
    inside, behind = (example(f"def f():\n  if a:\n    b\n{c}c") for c in ("    ", "  "))
    assert inside.tokens == behind.tokens and inside.content != behind.content


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("source", "comment", "settings", "reason"),
    [
        (SOURCE, "", {}, "no word in the comment"),
        (SOURCE, " \n", {}, "no word in the comment"),
        ("", "Do it", {}, "empty source"),
        (" \n", "Do it", {}, "empty source"),
        ("# only this", "Do it", {}, "empty source"),
        ("(((", "Do it", {}, "not readable"),
        ("\x00", "Do it", {"errors": "drop"}, "syntax errors"),
        ("def f(:\n  pass\n", "Do it", {"errors": "drop"}, "syntax errors"),
        ("f()", "Do it", {"without_path": "drop"}, "without a path"),
        ("f('a')", "Do it", {"without_path": "drop", "strings": "keep"}, "without a path"),
    ],
)
def test_what_can_not_be_learnt_from_is_left_out(form, source, comment, settings, reason):
    assert example(source, comment, form=form, **settings) == reason


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "source",
    ["int f() { return 1;", "int f() { return 1; } } class B { ", "{ int a;", "class A { {"],
)
def test_a_brace_that_is_missing_or_too_many_is_a_syntax_error(form, source):
    assert example(source, language="java", form=form).is_faulty
    assert example(source, language="java", form=form, errors="drop") == "syntax errors"


def test_a_tree_that_is_its_root_alone_has_syntax_errors_before_it_is_empty(monkeypatch):
    bare, faulty = Tree([-1], ["module"]), Tree([-1], ["module"], faults=[[0, 1]])
    for tree, reasons in (
        (bare, ["empty source"] * 2),
        (faulty, ["not readable", "syntax errors"]),
    ):
        monkeypatch.setattr(module, "parse_code", lambda *_, tree=tree, **__: tree)
        assert [example(errors=errors) for errors in ("keep", "drop")] == reasons


def test_a_function_without_a_path_is_kept_in_each_form():
    for form in FORMS:
        made = example("f()", form=form)
        assert made.tokens == ["<path>"] if form == "paths" else len(made.tokens) > 1
        assert not made.is_truncated
        assert isinstance(example(form=form, without_path="drop"), FunctionExample)


@pytest.mark.parametrize("form", FORMS)
def test_syntax_errors_are_told(form):
    made = example("def f(a, b:\n    return a + b\n", form=form)
    assert made.is_faulty and made.tokens


def test_the_source_that_field_reports_name():
    faulty = example("public void noderesponse send ( ) { }", language="java")
    control = "public void init$Children ( ) { children = new ASTNode [ NUM_ ] ; }"
    assert faulty.is_faulty and not example(control, language="java").is_faulty


@pytest.mark.parametrize("form", FORMS)
def test_lone_surrogates_do_no_harm(form):
    assert example("def f(a):\n    return '\ud800' + a.\ud800", form=form).is_faulty


def test_lone_surrogates_in_names_do_no_harm():
    pytest.importorskip("tree_sitter_javascript")
    made = example("function f() { return \ud800; }", language="javascript", subtokens="off")
    assert "identifier \ud800" in made.tokens and not made.is_faulty


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "source",
    [
        f"def f(a):\n    return {'(' * 3000}a{')' * 3000}",
        f"def f(a):\n    return a{' + a' * 3000}",
        f"x = [{'a, ' * 5_000}'b']",
    ],
    ids=["nested", "long", "wide"],
)
def test_deep_and_wide_functions_take_no_recursion_and_little_time(form, source):
    made = example(source, form=form)
    few = form == "paths" and "(((" in source  # the deep leaf is near no other
    assert not made.is_faulty and (len(made.tokens) < 10 if few else made.is_truncated)
