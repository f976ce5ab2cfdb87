import copy
import gc
import pickle
import sysconfig
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_python

from tgraph_attn.parse import ParseError, parse_code
from tgraph_attn.relations import sibling_edges
from tgraph_attn.tree import Tree

STDLIB = Path(sysconfig.get_path("stdlib"))
FUNCTION = "def f():\n    return 1\n"
FUNCTION_LABELS = [
    "module",
    "function_definition",
    "identifier f",
    "parameters",
    "block",
    "return_statement",
    "integer 1",
]


def plain(source, language="python", **options):
    """The tree without sub-tokens, as tree-sitter's named nodes are counted."""
    return parse_code(source, language, subtokens="off", **options)


def text_of(tree, kind):
    """The text of each node of one kind."""
    return tree.text[tree.kind == kind].tolist()


def test_a_small_function_by_hand():
    tree = parse_code("def addOne(x):\n    # more\n    return x + 1\n", "python")
    assert str(tree).split("\n") == [
        "module",
        "  function_definition",
        "    identifier",
        "      subtoken 'add'",
        "      subtoken 'one'",
        "    parameters",
        "      identifier",
        "        subtoken 'x'",
        "    block",
        "      return_statement",
        "        binary_operator '+'",
        "          identifier",
        "            subtoken 'x'",
        "          integer '1'",
    ]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("python", "a + b", "a - b"),
        ("python", "a not in b", "a in b"),
        ("python", "a is not b", "a is b"),
        ("python", "a < b < c", "a < b <= c"),
        ("python", "a < b", "a > b"),
        ("python", "a and b", "a or b"),
        ("python", "-a", "~a"),
        ("python", "a += 1", "a -= 1"),
        ("python", "async def f(): pass", "def f(): pass"),
        ("python", "yield from a", "yield a"),
        ("python", "def f(*a): pass", "def f(**a): pass"),
        ("python", "a < ( # why\n b)", "a > ( # why\n b)"),
        ("java", "class A { static int a; }", "class A { final int a; }"),
        ("java", "class A { int a; }", "class A { long a; }"),
        ("java", "class A { int f() { a++; } }", "class A { int f() { a--; } }"),
        ("java", "class A { boolean c = a < b; }", "class A { boolean c = a > b; }"),
        ("c", "int f() { return a->b; }", "int f() { return a.b; }"),
        ("c", "unsigned int a;", "long int a;"),
        ("c", "#ifdef A\n#endif\n", "#ifndef A\n#endif\n"),
        ("cpp", "struct A { virtual void f(); };", "struct A { void f(); };"),
        ("cpp", "bool x = a || b;", "bool x = a && b;"),
        ("javascript", "let a = 1", "const a = 1"),
        ("javascript", "for (const a of b) c", "for (const a in b) c"),
        ("javascript", "class A { get a() {} }", "class A { set a() {} }"),
        ("javascript", "typeof a", "delete a"),
        ("typescript", "interface A { a?: B }", "interface A { a: B }"),
        ("typescript", "type A = B | C", "type A = B & C"),
        ("tsx", "const a = <b>{c + d}</b>", "const a = <b>{c - d}</b>"),
        ("go", "package a\nvar c chan<- int", "package a\nvar c <-chan int"),
        ("go", "package a\nvar b = c &^ d", "package a\nvar b = c & d"),
        ("rust", "fn f() { -a }", "fn f() { !a }"),
        ("rust", "fn f() { a..=b }", "fn f() { a..b }"),
        ("rust", "fn f(a: *const u8) {}", "fn f(a: *mut u8) {}"),
        ("rust", "unsafe fn f() {}", "const fn f() {}"),
    ],
)  # fmt: skip
def test_operators_and_modifiers_tell_programs_apart(language, one, other):
    trees = []
    for source in (one, other):
        if language not in ("python", "java"):
            pytest.importorskip(f"tree_sitter_{language.replace('tsx', 'typescript')}")
        trees.append(parse_code(source, language))
        assert (trees[-1].num_errors, trees[-1].num_missing) == (0, 0)
    assert trees[0].labels != trees[1].labels


def test_brackets_separators_and_keywords_of_statements_are_no_text():
    tree = plain("if a:\n    for b in c[0]: d(e, f=1)\nx: int = 2\nfrom a import b as c\nreturn\n")
    words = {text for text in tree.text if text is not None}
    assert words == set("abcdef") | {"0", "1", "2", "x", "int", "from", "return"}


@pytest.mark.parametrize(
    "source", [b"x = 'a'\r\ny = f(1)", "# c\nclass A(B): pass", "a = [1,\\\n2]"]
)
def test_nodes_are_the_named_nodes_of_the_grammar(source):
    data = source if isinstance(source, bytes) else source.encode()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    rows, stack = [], [(parser.parse(data).root_node, -1)]
    while stack:
        node, parent = stack.pop()
        rows.append((parent, node.type, node.start_byte, node.end_byte))
        stack += [(child, len(rows) - 1) for child in reversed(node.named_children)]
    tree = plain(source, comments="keep")
    assert rows == [
        (parent, kind, *span)
        for parent, kind, span in zip(
            tree.parent.tolist(), tree.kind.tolist(), tree.span.tolist(), strict=True
        )
    ]
    assert tree.source.tolist() == list(range(len(rows)))


def test_spans_count_characters_and_map_back_to_the_source():
    source = "x = '😀é'; naïveÉté2 = 3  # ü\n"
    tree = parse_code(source, "python", comments="keep", strings="keep")
    shown = [source[begin:end] for begin, end in tree.span.tolist()]
    spoken = [(text, part) for text, part in zip(tree.text, shown, strict=True) if text is not None]
    words = [("naïve", "naïve"), ("été", "Été"), ("2", "2")]
    same = [(part, part) for part in ("x", "'", "😀é", "'")]
    assert spoken == [*same, *words, ("3", "3"), ("# ü", "# ü")]


# Comments, strings, sub-tokens


def test_comments_are_dropped_before_anything_else_or_kept():
    with_comment, without = "a = [1,  # c\n  2]\n", "a = [1, 2]\n"
    assert plain(with_comment).labels == plain(without).labels
    assert (plain(with_comment).child_position == plain(without).child_position).all()
    kept = plain(with_comment, comments="keep")
    assert kept.kind.tolist().count("comment") == 1 and text_of(kept, "comment") == [None]
    assert text_of(plain(with_comment, comments="keep", strings="keep"), "comment") == ["# c"]


def test_a_comment_is_dropped_with_all_that_is_in_it():
    pytest.importorskip("tree_sitter_rust")
    assert plain("/// doc\nfn f() {}\n", "rust").labels == plain("fn f() {}\n", "rust").labels
    assert "doc_comment" in plain("/// doc\nfn f() {}\n", "rust", comments="keep").kind


def test_a_line_break_with_a_backslash_leaves_no_node():
    assert plain("x = 1 + \\\n  2").labels == plain("x = 1 + 2").labels


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "x = f'SECRET{a!r:>9}' 'SEC\\nRET' rb'SECRET'\n'''SECRET\n'''"),
        ("java", 'class A { var s = "SECRET\\n"; char c = \'S\'; var t = """\nSECRET"""; }'),
        ("c", "#include <SECRET.h>\nchar *s = L\"SECRET\\n\"; char c = 'S';"),
        ("cpp", "auto s = R\"(SECRET)\"; char c = 'S';"),
        ("javascript", "s = `SECRET${a}`; t = /SECRET/g; u = 'SEC\\u0041RET';"),
        ("tsx", "const a = <b c='SECRET'>SECRET</b>"),
        ("go", "package a\nvar s, t, u = \"SECRET\\n\", `SECRET`, 'S'"),
        ("rust", "fn f() { g(\"SECRET\\n\", r#\"SECRET\"#, 'S', b'S'); }"),
    ],
)
def test_text_of_strings_and_characters_is_left_out_unless_it_is_asked_for(language, source):
    if language not in ("python", "java"):
        pytest.importorskip(f"tree_sitter_{language.replace('tsx', 'typescript')}")
    dropped, kept = plain(source, language), plain(source, language, strings="keep")
    assert dropped.num_errors == 0 and dropped.kind.tolist() == kept.kind.tolist()
    assert not any(text is not None and set(text) & set("SECRT'\"\n") for text in dropped.text)
    assert any(text is not None and "SECRET" in text for text in kept.text)


@pytest.mark.parametrize("comments", ["drop", "keep"])
@pytest.mark.parametrize(
    ("language", "source", "words", "kinds"),
    [
        (
            "python",
            "\"\"\"S T\"\"\"\nx = f'S{a!r:>S{b}S}S{{S}}' u'S\\n\\N{BULLET}S'  # S\nprint(rb'S')\n",
            "x a !r b print",
            "string_start string_content string_end escape_sequence interpolation "
            "escape_interpolation format_specifier",
        ),
        (
            "java",
            "class A { /** S */ B s = \"S\\n\\101S\"; /* S */ char c = 'S'; // S\n"
            '@D("S") E t = """\n S \\n S\\\n S"""; F u = G."S \\{x + "S"} S"; }',
            "A B s char c D E t F u G x +",
            "string_literal string_fragment multiline_string_fragment escape_sequence "
            "string_interpolation character_literal",
        ),
    ],
)
def test_no_part_of_a_string_or_comment_leaks(language, source, words, kinds, comments):
    tree = plain(source, language, comments=comments)
    assert tree.num_errors == 0 and set(kinds.split()) <= set(tree.kind)
    assert {text for text in tree.text if text is not None} == set(words.split())
    found = {kind for kind in set(tree.kind) if kind.endswith("comment")}
    names = {"python": {"comment"}, "java": {"line_comment", "block_comment"}}
    assert found == (names[language] if comments == "keep" else set())


def test_what_follows_a_quote_that_is_not_closed_is_no_word():
    source = "void f() { return 'the rest of this line; }"
    dropped, kept = snippet(source), snippet(source, strings="keep")
    assert (dropped.kind[-1], dropped.text[-1]) == ("ERROR", None)
    assert kept.text[-1] == "'the rest of this line; }"


def test_the_signs_around_a_regular_expression_go_with_its_text():
    pytest.importorskip("tree_sitter_javascript")
    for strings, expected in (("drop", [None]), ("keep", ["/ /"])):
        assert text_of(plain("a = /b/g", "javascript", strings=strings), "regex") == expected


def test_expressions_inside_a_string_stay_nodes_with_their_text():
    tree = plain("f'{name}'")
    assert tree.labels[-3:] == ["interpolation", "identifier name", "string_end"]


def test_subtokens_can_be_children_or_a_chain_or_off():
    children, chain, off = (
        parse_code("getMaxSize", "python", subtokens=mode) for mode in ("children", "chain", "off")
    )
    assert children.parent.tolist() == [-1, 0, 1, 2, 2, 2]
    assert chain.parent.tolist() == [-1, 0, 1, 2, 3, 4]
    assert off.labels == ["module", "expression_statement", "identifier getMaxSize"]
    assert children.labels == chain.labels and children.labels[3:] == [
        "subtoken get",
        "subtoken max",
        "subtoken size",
    ]
    assert children.source.tolist() == [0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("subtokens", ["children", "chain"])
@pytest.mark.parametrize(("numbers", "said"), [("keep", "1_000"), ("drop", None), ("mark", "NUM")])
def test_every_identifier_keeps_a_word_and_none_is_taken_for_a_number(subtokens, numbers, said):
    source = 'def f():\n    _ = inf\n    return "a|b,c;d", nan, __, 1_000\n'
    tree = parse_code(source, "python", subtokens=subtokens, numbers=numbers)
    assert text_of(tree, "subtoken") == ["f", "_", "inf", "nan", "__"]
    assert tree.subtree_size[tree.kind == "identifier"].tolist() == [2] * 5
    assert text_of(tree, "integer") == [said]


@pytest.mark.parametrize(
    ("language", "source", "words"),
    [
        ("python", "f(1, 2.5e3, 0x1F, 1_0, 3j, '4', x5)", "f x5"),
        ("java", "class A { double x = 1 + 0x1p3 + 07 + 0b1 + 2.5f + 3L + '4'; }", "A double x +"),
        ("c", "long double x = 1u + 0x1p3 + 2.5;", "x long double +"),
        ("cpp", "auto x = 1'000 + 2_km;", "auto x + _km"),
        ("javascript", "x = 1n + .5 + 0o7", "x +"),
        ("typescript", "let x: number = 1, y: 2", "let x number y"),
        ("go", "package a\nvar x int = 1 + 2.5 + 3i", "a x int +"),
        ("rust", "fn f() -> u8 { 1u8 + -2 }", "f u8 + -"),
    ],
)
def test_numbers_of_each_language_keep_their_text_or_lose_it_or_are_marked(language, source, words):
    if language not in ("python", "java"):
        pytest.importorskip(f"tree_sitter_{language}")
    kept, dropped, marked = (
        plain(source, language, numbers=numbers) for numbers in ("keep", "drop", "mark")
    )
    assert plain(source, language) == kept and kept.num_errors == 0

    def said(tree):
        return {word for text in tree.text if text is not None for word in text.split()}

    assert said(dropped) == set(words.split())
    assert said(marked) == said(dropped) | {"NUM"} and len(said(kept)) > len(said(marked))
    number = marked.text == "NUM"
    assert kept.kind.tolist() == dropped.kind.tolist() == marked.kind.tolist()
    assert all(any(sign.isdigit() for sign in text) for text in kept.text[number])


# Errors


@pytest.mark.parametrize(
    ("source", "errors", "missing"),
    [
        ("def f(:\n  pass\n", 0, 1),
        ("x = (1\n", 1, 0),
        ("def foo():\nfoo()\n", 0, 0),
        ('print "a"\n', 0, 0),
    ],
)
def test_error_nodes_and_missing_tokens_are_counted_apart(source, errors, missing):
    tree = parse_code(source, "python")
    assert (tree.num_errors, tree.num_missing) == (errors, missing)
    assert pickle.loads(pickle.dumps(tree)).num_missing == missing
    assert (tree.kind == "ERROR").sum() == errors
    if errors or missing:
        with pytest.raises(ParseError, match="parse_code: source must follow the grammar, but"):
            parse_code(source, "python", errors="raise")
    else:
        assert parse_code(source, "python", errors="raise") == tree


@pytest.mark.parametrize(
    ("source", "message", "line", "column"),
    [
        ("x = 1\r\ny = é(1, $)\n", "it cannot be read at '\\$", 2, 10),
        ("def f(:\n  pass\n", r"'\)' is missing at ':", 1, 7),
    ],
)
def test_a_raised_error_says_where_by_line_and_column(source, message, line, column):
    with pytest.raises(ParseError, match=message) as caught:
        parse_code(source, "python", errors="raise")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_missing_token_is_counted_at_the_node_that_lacks_it():
    tree = plain("def f(:\n  pass\n")
    assert tree.faults.tolist() == [[tree.kind.tolist().index("parameters"), 1]]


def test_a_missing_name_is_a_leaf_without_text():
    tree = plain("class A { int = 3; }", "java")
    row = int(tree.faults[0, 0])
    assert tree.num_missing == 1 and tree.labels[row] == "identifier"
    assert tree.span[row, 0] == tree.span[row, 1]


def test_an_empty_body_stays_a_leaf_under_its_function():
    tree = plain("def dupa(foo):")
    row = tree.kind.tolist().index("block")
    assert tree.kind[tree.parent[row]] == "function_definition"
    assert (tree.text[row], tree.subtree_size[row]) == (None, 1)


# Odd text


@pytest.mark.parametrize(
    "source",
    [
        FUNCTION,
        FUNCTION.replace("\n", "\r\n"),
        FUNCTION.replace("\n", "\r"),
        "\ufeff" + FUNCTION,
        ("\ufeff" + FUNCTION).encode(),
        FUNCTION.replace("    ", "\t"),
    ],
)
def test_line_ends_byte_order_marks_and_tabs_do_not_change_the_tree(source):
    tree = plain(source)
    text = source.decode() if isinstance(source, bytes) else source
    assert tree.labels == FUNCTION_LABELS
    begin, end = tree.span[2].tolist()
    assert text[begin:end] == "f"


def test_a_comment_ends_before_its_carriage_return():
    tree = plain("# c\r\nx=1\r\n", comments="keep", strings="keep")
    assert text_of(tree, "comment") == ["# c"] and tree.span[1].tolist() == [0, 3]
    assert not any(label.endswith("\r") for label in tree.labels)


@pytest.mark.parametrize("source", ["", " \n\n", "# only this", "\ufeff", b""])
def test_source_without_code_is_one_node(source):
    assert parse_code(source, "python").labels == ["module"]


@pytest.mark.parametrize(
    "source", ["x = 1\0\ny = 2\n", "\0", "x = '\0'", "x = '\ud800'\n\ud800 = 1"]
)
def test_nul_bytes_and_lone_surrogates_give_a_tree_within_the_text(source):
    tree = parse_code(source, "python", strings="keep")
    assert 0 <= tree.span.min() and tree.span.max() <= len(source)
    for text, (begin, end) in zip(tree.text, tree.span.tolist(), strict=True):
        assert text is None or text == source[begin:end].lower()


def test_bytes_that_are_not_utf8_are_refused_with_their_place():
    with pytest.raises(ParseError, match="bytes must be UTF-8, but hold 0xff") as caught:
        parse_code("é = 1\nx = 'é".encode() + b"\xff'", "python")
    assert (caught.value.line, caught.value.column) == (2, 7)


# Size


@pytest.mark.parametrize("bracket", ["[]", "()"])
def test_twenty_thousand_nested_brackets_are_a_tree(bracket):
    tree = plain(f"x = {bracket[0] * 20_000}1{bracket[1] * 20_000}")
    assert tree.num_errors == 0 and tree.depth.max() == 20_003
    assert plain(f"x = {bracket[0] * 20_000}").num_errors == 1


def test_fifty_thousand_siblings_are_a_tree_with_as_many_pairs_as_the_distance_allows():
    tree = plain("x=[" + ",".join(["1"] * 50_000) + "]")
    row = tree.kind.tolist().index("list")
    assert tree.children(row).size == 50_000
    edge_index, _ = sibling_edges(tree.parent, 7, self_edges=False)
    assert edge_index.shape[1] == 2 * (349_972 + 1)  # and the pair of x and the list
    with pytest.raises(ValueError, match=r"2,499,950,002|2_499_950_002|2499950002"):
        sibling_edges(tree.parent, 50_000, self_edges=False)


def test_a_hundred_thousand_siblings_and_a_long_chain_of_operators_are_trees():
    assert plain("x=[" + ",".join(["1"] * 100_000) + "]").num_nodes == 100_005
    assert plain("x = " + " < ".join(["a"] * 20_000)).num_nodes == 20_005
    assert plain("x = " + " + ".join(["a"] * 20_000)).depth.max() == 20_002


# One process and several


def test_trees_outlive_the_parser_that_made_them():
    sources = [(STDLIB / f"{name}.py").read_bytes() for name in ("argparse", "inspect", "typing")]
    trees = [parse_code(source, "python") for source in sources * 3]
    gc.collect()
    for tree in trees:
        again = parse_code("x", "python")
        assert again.num_nodes == 4
        assert len(tree.labels) == tree.num_nodes and tree.subtree_size[0] == tree.num_nodes
        assert (tree.span[:, 0] <= tree.span[:, 1]).all()
    assert trees[0] == trees[3] == trees[6]


def test_threads_parse_at_once_and_get_the_same_trees():
    source = (STDLIB / "typing.py").read_text(encoding="utf-8")
    expected = parse_code(source, "python")
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(lambda _: parse_code(source, "python"), range(12)))
    assert all(tree == expected for tree in trees)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_another_process_parses_the_same_tree(start):
    expected = parse_code(FUNCTION, "python")
    with ProcessPoolExecutor(1, get_context(start)) as pool:
        assert pool.submit(parse_code, FUNCTION, "python").result(timeout=120) == expected


# Languages and options


def test_a_grammar_can_be_handed_in():
    grammar = tree_sitter.Language(tree_sitter_python.language())
    assert parse_code(FUNCTION, grammar) == parse_code(FUNCTION, "python")


def test_options_out_of_choice_are_refused():
    for name in ("errors", "comments", "subtokens", "strings", "numbers"):
        with pytest.raises(ValueError, match=f"parse_code: {name} must be one of .*'maybe'"):
            parse_code("x", "python", **{name: "maybe"})
    with pytest.raises(ValueError, match=r"parse_code: language must be one of .* but got 'cobol'"):
        parse_code("x", "cobol")
    with pytest.raises(TypeError, match="parse_code: source must be str or bytes, but got int"):
        parse_code(3, "python")


# Snippets

METHOD = "  /** doc */\n  public static int f(int... x) { return x[0] + 1; } // end"


def snippet(source, **options):
    return plain(source, "java", snippet=True, **options)


def test_a_snippet_that_the_grammar_takes_by_itself_gives_the_same_tree_with_and_without_wrapper():
    assert snippet(METHOD) == plain(METHOD, "java")
    assert snippet(METHOD, comments="keep") == plain(METHOD, "java", comments="keep")


def test_a_bare_constructor_has_no_class_around_it():
    source = "@Inject\nFoo(int x) { this.x = x; }"
    tree = snippet(source, errors="raise")
    assert tree.kind[:4].tolist() == [
        "program",
        "constructor_declaration",
        "modifiers",
        "marker_annotation",
    ]
    assert not {"class_declaration", "class_body"} & set(tree.kind.tolist())
    assert tree.span[0].tolist() == tree.span[1].tolist() == [0, len(source)]
    assert tree.source.tolist() == list(range(tree.num_nodes))
    for text, (begin, end) in zip(tree.text, tree.span.tolist(), strict=True):
        assert text is None or text == source[begin:end]


def test_several_members_are_side_by_side():
    tree = snippet("int a; void f() {} void g() {}")
    assert tree.kind[tree.children(0)].tolist() == [
        "field_declaration",
        *["method_declaration"] * 2,
    ]


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("int f() {\n  return 1 +;\n}", 2, 13),
        ("int f() { return 1;", 1, 20),
        ("int f() { return 1; }}", 1, 23),
        ("int f() { return 1; }\n} class B { ", 2, 1),
        ("} interface B { int f();", 1, 1),
    ],
)
def test_errors_of_a_snippet_are_placed_in_it(source, line, column):
    tree = snippet(source)
    assert tree.num_errors + tree.num_missing == 1 and tree.span.max() <= len(source)
    with pytest.raises(ParseError) as caught:
        snippet(source, errors="raise")
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "source", ["", " ", "{", "{{{", "}", '"', "'", "@", "/*", 'int f() { "', "+ class"]
)
def test_the_wrapper_leaves_no_trace_in_a_snippet_with_errors_either(source):
    tree = snippet(source)
    assert tree.num_errors == (tree.kind == "ERROR").sum() and tree.span.max() <= len(source)
    for text, (begin, end) in zip(tree.text, tree.span.tolist(), strict=True):
        assert text is None or all(word in source[begin:end] for word in text.split())


def test_tokens_that_are_no_code_any_more_are_reported():
    broken = "public void noderesponse send ( ) { }"
    sound = "public void init$Children ( ) { children = new ASTNode [ NUM_ ] ; }"
    assert (snippet(broken).num_errors, snippet(broken).num_missing) == (1, 0)
    assert (snippet(sound).num_errors, snippet(sound).num_missing) == (0, 0)


def test_a_mark_of_the_byte_order_does_not_disturb_a_snippet():
    tree = snippet("\ufeffint f() {}")
    assert tree.labels == snippet("int f() {}").labels and tree.span[1].tolist() == [1, 11]


def test_a_snippet_of_another_language_is_refused():
    with pytest.raises(ValueError, match="snippet=True is for members of a Java class, but the"):
        parse_code("def f(): pass", "python", snippet=True)


def test_real_java_methods_are_the_same_with_and_without_wrapper(data_folder):
    path = data_folder / "tl_codesum" / "test.token.code"
    lines = path.read_text(encoding="utf-8").split("\n")[:300]
    same = 0
    for line in lines:
        code = line.split("\t", 1)[1]
        bare = plain(code, "java")
        if not (bare.num_errors or bare.num_missing):
            assert snippet(code) == bare
            same += 1
    assert same > 250


def test_a_tree_is_plain_data():
    tree = parse_code(FUNCTION, "python")
    assert isinstance(tree, Tree) and copy.copy(tree) is tree
    assert {type(getattr(tree, name)).__module__ for name in tree.__slots__} == {"numpy"}


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "x = 1 # hi\ndef f():\n\treturn 1\n"),
        ("python", "# hi\nx = 1\n"),
        ("java", "// hi\nclass A {}\n"),
        ("go", "package p\nvar x = 1\n"),
    ],
)
def test_a_lone_carriage_return_ends_a_line_also_that_of_a_comment(language, source):
    if language == "go":
        pytest.importorskip("tree_sitter_go")
    expected = parse_code(source, language, comments="keep")
    assert parse_code(source.replace("\n", "\r"), language, comments="keep") == expected


def test_no_text_ends_in_a_carriage_return_however_many_there_are():
    for source in ("# c\r\r\nx = 1", "# c\r\r\r", "x = $\r\r\n"):
        tree = parse_code(source, "python", comments="keep", strings="keep")
        assert not any(label.endswith("\r") for label in tree.labels)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("cpp", "enum class A {};", "enum A {};"),
        ("cpp", "using namespace a;", "using a;"),
        ("typescript", "import type { a } from 'b'", "import { a } from 'b'"),
        ("typescript", "export type { a } from 'b'", "export { a } from 'b'"),
        ("typescript", "class A { accessor x }", "class A { x }"),
        ("python", "from .. import a", "from . import a"),
        ("java", "class A { int[] x; }", "class A { int[][] x; }"),
    ],
)
def test_a_word_or_several_signs_that_change_the_meaning_change_the_tree(language, one, other):
    pytest.importorskip(f"tree_sitter_{language}")
    assert parse_code(one, language) != parse_code(other, language, errors="raise")
    assert parse_code(one, language).labels != parse_code(other, language).labels


def test_a_word_that_the_kind_says_is_no_text():
    assert parse_code("class A: pass", "python").labels[1] == "class_definition"
