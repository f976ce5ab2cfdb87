import numpy as np

from tgraph_attn.parse._code.grammars import get_language, get_parser
from tgraph_attn.parse._code.kind_tables import kind_tables
from tgraph_attn.parse._code.texts import node_texts
from tgraph_attn.parse._code.walk import walk


def texts(source, **options):
    grammar = get_language("python")
    tables = kind_tables(grammar)
    nodes = walk(get_parser(grammar).parse(source.encode()).root_node, tables, drop_comments=True)
    span = np.stack((nodes.begin, nodes.end), axis=1)
    options = {"keep_strings": False} | options
    return node_texts(nodes, tables, source, span, **options).tolist()


def test_leaves_have_their_source_and_other_nodes_their_tokens():
    assert texts("a - 1") == [None, None, "-", "a", "1"]
    assert texts("pass") == [None, "pass"]


def test_several_tokens_of_a_node_are_joined_in_order():
    assert texts("a < b not in c")[2] == "< not in"
    assert texts("a < (b > c) <= d")[2] == "< <="


def test_strings_have_text_only_if_they_are_kept():
    assert texts("'a'") == [None] * 6
    assert texts("'a'", keep_strings=True) == [None, None, None, "'", "a", "'"]


def test_numbers_keep_their_text_or_lose_it_or_are_marked():
    source = "f(-1_0, '2', x3, 0x4, 5e6)"
    shown = {
        "keep": ["f", "-", "1_0", "x3", "0x4", "5e6"],
        "drop": ["f", "-", "x3"],
        "mark": ["f", "-", "NUM", "x3", "NUM", "NUM"],
    }
    for numbers, words in shown.items():
        assert [w for w in texts(source, numbers=numbers) if w is not None] == words


def test_source_that_could_not_be_read_has_text_only_if_strings_are_kept():
    assert texts("x = \\'") != texts("x = \\'", keep_strings=True)
    assert "$" in texts("x = $", keep_strings=True) and "$" not in texts("x = $")


def test_a_leaf_of_no_width_has_no_text():
    assert texts("def f():") == [None, None, "f", None, None]
