import pytest

from tgraph_attn.datasets._pairs.find_pairs import FAULTY_FILES, find_pairs, javadoc_text
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
    pairs, dropped = find_pairs(source, language, "a")
    faulty = {FAULTY_FILES: 1} if reason == "file with syntax errors" else {}
    assert pairs == [] and dropped == {reason: 1, **faulty}


@pytest.mark.parametrize("language", ["python", "java"])
def test_a_file_that_gives_some_pairs_is_told_if_it_has_syntax_errors(language):
    text = f"{PYTHON}\ndef lost(:\n  x" if language == "python" else JAVA[:-2]
    pairs, dropped = find_pairs(text, language, "a")
    assert len(pairs) > 1 and dropped[FAULTY_FILES] == 1
    assert FAULTY_FILES not in find_pairs(PYTHON, "python", "a")[1]


def test_constructors_of_java_are_functions_in_both_forms():
    source = """record P(int a) {
    /** Checks it. */
    P { assert a > 0; }
    /** Sums. */
    int s() { return a; }
    /** Makes it of nothing. */
    P(String t) { this(0); }
}"""
    pairs, dropped = find_pairs(source, "java", "P.java")
    assert [pair.comment for pair in pairs] == ["Checks it.", "Sums.", "Makes it of nothing."]
    assert not dropped


def test_bare_functions_are_there_without_their_docstrings():
    pairs, dropped = find_pairs(PYTHON, "python", "a", bare=True)
    assert [pair.source.split("(")[0] for pair in pairs] == [
        *("def first", "def second", "def third", "async def fourth")
    ]
    assert pairs[3].source.rstrip() == "async def fourth():" and pairs[3].comment == "Only this."
    assert not dropped and len(find_pairs(JAVA, "java", "a", bare=True)[0]) == 6


@pytest.mark.parametrize(
    ("comments", "said"),
    [
        ("/**/", None),
        ("/***/", None),
        ("/******/", None),
        ("/** ---- */", None),
        ("/** Gives it. */ /**/", "Gives it."),
        ("/** Gives it. */\n/*********\n *********/", "Gives it."),
        ("/** Gives it. */\n/** {@inheritDoc} */", ""),
        ("/**** Gives it. ****/", "Gives it."),
    ],
)
def test_lines_of_stars_are_no_javadoc(comments, said):
    pairs, dropped = find_pairs(f"class A {{\n{comments}\nvoid f() {{ }} }}", "java", "a")
    assert [pair.comment for pair in pairs] == ([] if said is None else [said])
    assert dropped == ({"no docstring": 1} if said is None else {})


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** One. */", "One."),
        ("/**\n * One\n * two.\n */", "One\ntwo."),
        ("/** One {@code a} {@linkplain b c}.\n * @return d */", "One a b c."),
        ("/** @return d */", ""),
        ("/** See {@inheritDoc} it. */", "See  it."),
        ("/***/", ""),
        ("/*** One **\n ** two ***/", "One\ntwo"),
        ("One {@link  A b}\n@return c", "One A b"),
        ("{@code} {@code }", "{@code}"),
        # Minutes, if the time were quadratic.
        ("/** {@code" + " " * 300_000 + "*/", "{@code"),
    ],
)
def test_javadoc_is_what_comes_before_the_first_tag(comment, text):
    assert javadoc_text(comment) == text
