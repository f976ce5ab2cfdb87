import pytest

from tgraph_attn.parse._code.faults import ERROR, MISSING, find_faults
from tgraph_attn.parse._code.grammars import get_language, get_parser
from tgraph_attn.parse._code.kind_tables import kind_tables


def faults(source, language="python"):
    grammar = get_language(language)
    root = get_parser(grammar).parse(source.encode()).root_node
    return [tuple(fault) for fault in find_faults(root, kind_tables(grammar).role)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1\n", []),
        ("def f(:\n  pass\n", [(3, MISSING, 6, ")")]),  # module, function, name, parameters
        ("x = (1\n", [(1, ERROR, 0, "ERROR")]),
    ],
)
def test_faults_say_which_node_what_and_where(source, expected):
    assert faults(source) == expected


def test_a_missing_node_that_is_named_is_its_own_row():
    # program, class_declaration, its name, class_body, field_declaration, its type, variable, name
    assert faults("class A { int = 3; }", "java") == [(7, MISSING, 13, "identifier")]


def test_several_faults_are_in_the_order_of_the_nodes():
    rows = [fault[0] for fault in faults("class A { int f( { } int g( { } }", "java")]
    assert len(rows) == 2 and rows == sorted(rows)
