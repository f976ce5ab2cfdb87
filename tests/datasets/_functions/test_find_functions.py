from tgraph_attn.datasets._functions.find_functions import MASK, find_functions
from tgraph_attn.parse import parse_code


def functions(source):
    return {
        f.name: f for f in find_functions(parse_code(source, "python", subtokens="off"), source)
    }


def test_each_function_is_found_also_methods_nested_async_and_decorated_ones():
    source = (
        "class A:\n"
        "    @property\n"
        "    def first(self):\n"
        "        async def second(): pass\n"
        "        return lambda: second\n\n"
        "\x0cdef third(): return\n"
    )
    found = functions(source)
    assert {name: f.line for name, f in found.items()} == {"first": 3, "second": 4, "third": 7}
    assert "decorator" not in found["first"].tree.kind  # it could hold the name: @first.setter
    assert found["second"].tree.label(0) == "function_definition async"


def test_each_identifier_with_the_words_of_the_name_is_masked():
    source = (
        "def get_name(self, getName=1, *, other):\n"
        "    self.get_name(get_name=_get_name, name=get_names)\n"
        "    class GetName(getNAME): pass\n"
        "    return f'{get_name!r:>{get_name}} get_name'\n"
    )
    tree = functions(source)["get_name"].tree
    texts = {text for text in tree.text if text is not None}
    assert texts == {"self", "1", "*", "other", "name", "get_names", "!r", "pass"}
    assert (tree.kind == MASK).sum() == 9
    assert all(size == 1 for size in tree.subtree_size[tree.kind == MASK])


def test_docstring_is_cut_out_and_its_neighbours_stay():
    source = (
        'def f(a):\n    # comment\n    r"""The \\d text.""" "More."\n    "not it"\n    return a\n'
    )
    function = functions(source)["f"]
    assert function.docstring == "The \\d text.More."
    assert str(function.tree) == (
        "function_definition\n"
        "  <mask>\n"
        "  parameters\n"
        "    identifier 'a'\n"
        "  block\n"
        "    expression_statement\n"
        "      string\n"
        "        string_start\n"
        "        string_content\n"
        "        string_end\n"
        "    return_statement\n"
        "      identifier 'a'"
    )


def test_docstring_in_brackets_or_alone_is_one():
    found = functions('def f(): ("It")\ndef g(): "It"\ndef h(): pass\n')
    assert [f.docstring for f in found.values()] == ["It", "It", None]
    for name in ("f", "g"):
        assert found[name].tree.labels == ["function_definition", MASK, "parameters", "block"]


def test_what_only_looks_like_a_docstring_stays():
    source = (
        "def a(): f'{x}'\n"
        "def b(): b'bytes'\n"
        "def c(): ('one', 'two')\n"
        "def d(): (x)\n"
        "def e(): 'one' % x\n"
        "def f(): return 'one'\n"
        "def g(): 1\n"
    )
    tree = parse_code(source, "python", subtokens="off")
    for function, row in zip(find_functions(tree, source), tree.children(0), strict=True):
        assert function.docstring is None
        assert function.tree.num_nodes == tree.subtree_size[row]


def test_docstring_that_the_reader_of_python_cannot_take_does_no_harm():
    deep = f"def f(): {'(' * 3000}'x'{')' * 3000}\n"
    assert functions(deep)["f"].docstring in (None, "x")


def test_span_is_that_of_the_file():
    source = 'x = 1\ndef f(a):\n    "Text."\n    return a\n'
    tree = functions(source)["f"].tree
    begin, end = tree.span[-1]
    assert source[begin:end] == "a" and source[begin - 7 : begin] == "return "
