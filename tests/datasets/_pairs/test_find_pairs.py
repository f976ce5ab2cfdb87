import pytest

from tgraph_attn.datasets._pairs.find_pairs import find_pairs, javadoc_text
from tgraph_attn.parse import parse_code

PYTHON = '''\
class A:
    @b
    def first(self):
        """Do it."""
        text = """
not indented
"""
        def second():
            'Inner.'
            return text
        return second

    def third(self): pass

async def fourth():
    "Only this."
'''
JAVA = """\
/** A class. */
class A {
    /**
     * Do it, by {@link B#c the way} of {@code d}.
     *
     * @param e whatever
     */
    // note
    @Override
    public void first(int e) {
        int a = e;  /** no comment of it */
    }

    /** {@inheritDoc} */
    A() { }
    void second() { /** Inside. */ }
    /* plain */
    void third() { }
    /** Of the field. */ int field;
    void fourth();
    /** Of the fifth. */ int fifth();
}
"""


def test_functions_of_python_come_without_docstring_decorator_and_indent():
    pairs, dropped = find_pairs(PYTHON, "python", "a/b.py")
    assert [(p.comment, p.origin) for p in pairs] == [
        ("Do it.", "a/b.py:3"),
        ("Inner.", "a/b.py:8"),
    ]
    assert dropped == {"no docstring": 1, "no body": 1}
    assert pairs[0].source == (
        'def first(self):\n    text = """\nnot indented\n"""\n'
        "    def second():\n        'Inner.'\n        return text\n    return second"
    )
    assert pairs[1].source == "def second():\n    return text"


def test_methods_of_java_come_without_javadoc_and_indent():
    pairs, dropped = find_pairs(JAVA, "java", "A.java")
    assert [(p.comment, p.origin) for p in pairs] == [
        ("Do it, by B#c the way of d.", "A.java:9"),
        ("", "A.java:15"),
        ("Of the fifth.", "A.java:21"),
    ]
    assert dropped == {"no docstring": 3}
    assert pairs[0].source == (
        "@Override\npublic void first(int e) {\n    int a = e;  /** no comment of it */\n}"
    )
    assert pairs[2].source == "int fifth();"


@pytest.mark.parametrize("language", ["python", "java"])
def test_sources_of_functions_parse_on_their_own(language):
    text = PYTHON if language == "python" else JAVA
    for pair in find_pairs(text, language, "")[0]:
        tree = parse_code(pair.source, language, snippet=language == "java")
        assert len(tree.faults) == 0 and tree.subtree_size[1] == tree.num_nodes - 1


@pytest.mark.parametrize(
    ("source", "language", "reason"),
    [
        ("", "python", "file without function"),
        ("x = 1\n", "python", "file without function"),
        ("x = (((\n", "python", "file with syntax errors"),
        ("def f(): pass\n", "python", "no docstring"),
        ("interface A { }", "java", "file without function"),
        ("class A {{{ int", "java", "file with syntax errors"),
    ],
)
def test_a_file_without_a_pair_says_why(source, language, reason):
    assert find_pairs(source, language, "a") == ([], {reason: 1})


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** One. */", "One."),
        ("/**\n * One\n * two.\n */", "One\ntwo."),
        ("/** One {@code a} {@linkplain b c}.\n * @return d */", "One a b c."),
        ("/** @return d */", ""),
        ("/** See {@inheritDoc} it. */", "See  it."),
        ("/***/", ""),
    ],
)
def test_javadoc_is_what_comes_before_the_first_tag(comment, text):
    assert javadoc_text(comment) == text
