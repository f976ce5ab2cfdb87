import pytest

from tgraph_attn.datasets._summaries.code_tokens import code_tokens

SOURCE = '''\
def getName(a):  # don't tell "it"
    """Secret words."""
    x = f"{a!r} secret" 'secret'
    return 1.5e-3 + x[_NUM] != a
'''


def test_names_signs_numbers_and_strings_in_their_order():
    assert code_tokens(SOURCE, "python") == [
        *["def", "get", "name", "(", "a", ")", ":"],
        "<string>",
        *["x", "=", "<string>"],
        *["return", "1.5e-3", "+", "x", "[", "num", "]", "!", "=", "a"],
    ]


@pytest.mark.parametrize(
    ("switch", "gone", "there"),
    [
        ({"subtokens": "off"}, "get", ["getName", "_NUM"]),
        ({"subtokens": "chain"}, "getName", ["get", "name"]),
        ({"strings": "keep"}, "<string>", ['"""Secret words."""', "f\"{a!r} secret\" 'secret'"]),
        ({"numbers": "drop"}, "1.5e-3", ["<number>"]),
        ({"numbers": "mark"}, "1.5e-3", ["NUM"]),
    ],
)
def test_each_switch(switch, gone, there):
    tokens = code_tokens(SOURCE, "python", **switch)
    assert gone not in tokens and set(there) <= set(tokens)


def test_methods_of_java_without_their_class():
    source = (
        'int f(){ /* secret */ char c = \'"\'; // it\'s secret\n String s = """\n secret """; }'
    )
    assert code_tokens(source, "java") == [
        *["int", "f", "(", ")", "{", "char", "c", "=", "<string>", ";"],
        *["string", "s", "=", "<string>", ";", "}"],
    ]


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("void f() { return 'the secret of this line; }", "java"),
        ("def f(: 'secret' + b", "python"),
        ('void f() { String s = "secret; }\n int y() { }', "java"),
    ],
)
def test_strings_of_source_that_is_not_valid_stay_out(source, language):
    tokens = code_tokens(source, language)
    assert "secret" not in tokens and "<string>" in tokens


def test_templates_of_cpp_are_code():
    pytest.importorskip("tree_sitter_cpp")
    source = 'template <class T> T f(T a) { return "b"; }'
    assert code_tokens(source, "cpp")[:5] == ["template", "<", "class", "t", ">"]
    assert "<string>" in code_tokens(source, "cpp")


@pytest.mark.parametrize("source", ["", " \n", "# only this\n"])
def test_nothing_has_no_tokens(source):
    assert code_tokens(source, "python") == []
