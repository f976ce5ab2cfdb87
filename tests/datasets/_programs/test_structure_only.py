import pytest

from tgraph_attn.datasets._programs.structure_only import structure_only
from tgraph_attn.parse import parse_code

pytest.importorskip("tree_sitter_cpp")

SOURCE = r"""
#include <cstdio>
#define LIMIT 100
struct point { unsigned long x; };
static const char *name = "abc\n";
int main() {
    std::vector<point> list; auto s = R"x(raw)x"; bool b = true; p = nullptr;
    for (int i = 0; i < LIMIT; i++) { a[i] += 'c' * 1.5f; if (!b) break; }
    goto end; end: return x->y;
}
"""


def test_keywords_operators_and_types_stay_and_nothing_else():
    tree = parse_code(SOURCE, "cpp", subtokens="off", strings="keep")
    texts = {text for text in structure_only(tree).text if text is not None}
    assert texts == {
        "int", "bool", "char", "unsigned long", "const", "static", "auto", "true", "nullptr",
        "*", "<", "++", "+=", "!", "->", "break", "return",
    } - ({"return"} - set(tree.text))  # fmt: skip
    assert {"main", "100", "abc", "LIMIT", "'c'", "x"} & set(tree.text)


def test_the_nodes_stay_as_they_are():
    tree = parse_code("int f( { return 1;", "cpp", subtokens="off", strings="keep")
    bare = structure_only(tree)
    assert bare.parent.tolist() == tree.parent.tolist() and bare.kind.tolist() == tree.kind.tolist()
    assert bare.faults.tolist() == tree.faults.tolist() != []
    assert "f" in tree.text and "f" not in bare.text
