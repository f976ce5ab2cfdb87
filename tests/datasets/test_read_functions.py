import json

import pytest

from tgraph_attn.datasets import CodeSummaries, StdlibFunctions, read_functions

PYTHON = '''\
import os


def get_value(items, defaultItem):
    """Return the first value. And more."""
    if not items:  # none
        return defaultItem
    return [name + "a text" for name in items][0]


class Box:
    @property
    def size(self):
        """Tell the size."""
        def inner(a):
            "Add one."
            return a + 1
        return inner(self._size * 2.5)
'''
JAVA = """\
package shapes;

class Box {
    /** Makes a box. */
    Box(int maxSize) { this.maxSize = maxSize; }

    /**
     * Returns the name.
     * @return what it is called
     */
    @Override
    public String getName(int[] values) {
        // not yet
        for (int v : values) { if (v > 3) { return "none"; } }
        return name + values.length;
    }
}
"""
FORMS = [
    {},
    {"subtokens": "chain", "strings": "keep", "reverse_root": "always"},
    {"max_nodes": 12},
    {"form": "code", "max_nodes": 20},
    {"form": "brackets"},
    {"form": "paths"},
    {"errors": "drop", "without_path": "drop"},
]


def sources(folder, language):
    """A folder with one file of functions that all have comments."""
    folder.mkdir()
    name, text = ("Box.java", JAVA) if language == "java" else ("box.py", PYTHON)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def contents(graphs):
    """What a model reads of each graph, by its place."""
    return {
        data.origin: (data.x.tolist(), data.parent_index.tolist() if "parent_index" in data else 0)
        for data in graphs
    }


def summaries(tmp_path, file, language, **settings):
    root = tmp_path / "made"
    return CodeSummaries(root, file.parent, language=language, log=False, **settings)


def kept(data):
    return json.loads(json.dumps(data.settings))


@pytest.mark.parametrize("settings", FORMS, ids=str)
@pytest.mark.parametrize("language", ["python", "java"])
def test_functions_are_what_the_data_set_made_of_them(tmp_path, language, settings):
    file = sources(tmp_path / "src é", language)
    data = summaries(tmp_path, file, language, **settings)
    found = read_functions(file, kept(data), data.source_vocab)
    assert contents(found) == contents(data) and len(found) == (3 if language == "python" else 2)
    for graph in found:
        assert graph.validate(raise_on_error=True) and graph.num_nodes == len(graph.x)
        assert (graph.x > 1).all()  # every label is known


@pytest.mark.parametrize("max_nodes", [200, 9])
def test_functions_are_what_the_standard_librarys_data_set_made_of_them(tmp_path, max_nodes):
    file = sources(tmp_path / "src", "python")
    settings = {"source": file.parent, "min_count": 1, "max_nodes": max_nodes, "log": False}
    for target in ("name", "summary"):
        data = StdlibFunctions(tmp_path / target, target, **settings)
        found = read_functions(str(file), kept(data), data.source_vocab)
        assert contents(found) == contents(data) and len(found) == 3
        assert [graph.name for graph in found] == ["get_value", "size", "inner"]


def bare(text):
    """The text without its docstrings or comments, and how many of its lines are left."""
    lines = [line for line in text.split("\n") if line.strip()[:1] not in ('"', "/", "*")]
    return "\n".join(lines)


@pytest.mark.parametrize("make", ["python", "java", "stdlib"])
def test_functions_without_a_comment_are_there_too_and_the_same(tmp_path, make):
    language = "java" if make == "java" else "python"
    file = sources(tmp_path / "src", language)
    if make == "stdlib":
        data = StdlibFunctions(tmp_path / "made", source=file.parent, min_count=1, log=False)
    else:
        data = summaries(tmp_path, file, language)
    said = read_functions(file, data.settings, data.source_vocab)
    other = tmp_path / f"Other{file.suffix}"
    other.write_text(bare(file.read_text(encoding="utf-8")), encoding="utf-8")
    unsaid = read_functions(other, data.settings, data.source_vocab)
    assert [graph.name for graph in unsaid] == [graph.name for graph in said]
    # A function that has another inside of it also loses that one's docstring.
    assert [graph.x.tolist() for graph in unsaid][-1:] == [graph.x.tolist() for graph in said][-1:]
    assert unsaid[0].x.equal(said[0].x) and unsaid[0].parent_index.equal(said[0].parent_index)
    assert all(graph.origin.startswith(f"Other{file.suffix}:") for graph in unsaid)


def test_each_has_its_name_and_its_line(tmp_path):
    file = sources(tmp_path / "src", "java")
    data = summaries(tmp_path, file, "java")
    found = read_functions(file, data.settings, data.source_vocab)
    assert [(graph.name, graph.origin) for graph in found] == [
        ("Box", "Box.java:5"),
        ("getName", "Box.java:11"),
    ]
    file = sources(tmp_path / "other", "python")
    data = CodeSummaries(tmp_path / "more", file.parent, language="python", log=False)
    found = read_functions(file, data.settings, data.source_vocab)
    assert [(graph.name, graph.origin) for graph in found] == [
        ("get_value", "box.py:4"),
        ("size", "box.py:13"),
        ("inner", "box.py:15"),
    ]


@pytest.fixture
def learned(tmp_path):
    """The settings and the vocabulary of a data set of Python."""
    data = summaries(tmp_path, sources(tmp_path / "src", "python"), "python")
    return data.settings, data.source_vocab


def test_a_function_that_is_a_docstring_alone_and_one_with_faults_are_there(tmp_path, learned):
    file = tmp_path / "some.py"
    file.write_text('def f():\n    "Do it."\n\n\ndef g(:\n    return 1\n', encoding="utf-8")
    assert [graph.name for graph in read_functions(file, *learned)] == ["f", "g"]


@pytest.mark.parametrize("form", ["tree", "code", "brackets", "paths"])
def test_no_function_is_lost_that_the_data_set_dropped(tmp_path, form):
    file = sources(tmp_path / "src", "python")
    settings = {"form": form, "errors": "drop", "without_path": "drop"}
    data = summaries(tmp_path, file, "python", **settings)
    file.write_text("def f():\n    'Do it.'\n\n\ndef g(:\n    return 1\n", encoding="utf-8")
    found = read_functions(file, kept(data), data.source_vocab)
    assert [graph.name for graph in found] == ["f", "g"]
    assert form != "paths" or data.source_vocab.decode(found[0].x) == ["<path>"]


def test_the_docstring_is_left_out_where_there_is_nothing_else(tmp_path):
    file = sources(tmp_path / "src", "python")
    data = summaries(tmp_path, file, "python", form="code", strings="keep")
    file.write_text('def get_value():\n    "Add one."\n', encoding="utf-8")
    [found] = read_functions(file, data.settings, data.source_vocab)
    assert data.source_vocab.decode(found.x) == ["def", "get", "value", "(", ")", ":"]


@pytest.mark.parametrize(
    ("language", "content", "why"),
    [
        ("python", "a = 1\n", "file without function"),
        ("python", "a = (((\n", "file with syntax errors"),
        ("java", "class A { int a; }", "file without function"),
        ("java", "class A {{{ int", "file with syntax errors"),
        ("stdlib", "a = 1\n", "file without function"),
    ],
)
def test_a_file_without_a_function_is_refused_with_the_reason(tmp_path, language, content, why):
    file = sources(tmp_path / "src", language.replace("stdlib", "python"))
    if language == "stdlib":
        data = StdlibFunctions(tmp_path / "made", source=file.parent, min_count=1, log=False)
    else:
        data = summaries(tmp_path, file, language)
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"none is found in .ox\.\w+ \({why}.*\)\. Correct it"):
        read_functions(file, data.settings, data.source_vocab)


@pytest.mark.parametrize(
    "content",
    [
        PYTHON.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PYTHON.encode(),
        b"# coding: latin-1\n" + PYTHON.replace("none", "ni\xe9").encode("latin-1"),
    ],
    ids=["CRLF", "BOM", "latin-1"],
)
def test_line_ends_and_encodings_make_no_difference(tmp_path, learned, content):
    (tmp_path / "some.py").write_bytes(content)
    expected = read_functions(tmp_path / "src" / "box.py", *learned)
    found = read_functions(tmp_path / "some.py", *learned)
    assert [graph.x.tolist() for graph in found] == [graph.x.tolist() for graph in expected]


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_line_ends_of_java_make_no_difference(tmp_path, end):
    file = sources(tmp_path / "src", "java")
    data = summaries(tmp_path, file, "java")
    expected = contents(read_functions(file, data.settings, data.source_vocab))
    file.write_bytes(JAVA.replace("\n", end).encode())
    assert contents(read_functions(file, data.settings, data.source_vocab)) == expected


def test_syntax_errors_are_refused_where_no_function_had_one(tmp_path):
    file = sources(tmp_path / "src", "python")
    data = StdlibFunctions(tmp_path / "made", source=file.parent, min_count=1, log=False)
    file.write_text("def f(:\n    return\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"read_functions: path must be .* in line 1, column 7"):
        read_functions(file, data.settings, data.source_vocab)


def test_a_file_that_is_not_there_or_of_another_language_is_refused(tmp_path, learned):
    with pytest.raises(
        FileNotFoundError, match=r"read_functions: path must be a file, but .*no.py"
    ):
        read_functions(tmp_path / "no.py", *learned)
    (tmp_path / "Box.java").write_text(JAVA, encoding="utf-8")
    with pytest.raises(ValueError, match=r"path must end in .py, as .* python alone, .*'Box.java'"):
        read_functions(tmp_path / "Box.java", *learned)


@pytest.mark.parametrize("language", ["python", "java"])
def test_a_file_that_is_no_text_is_refused(tmp_path, language):
    file = sources(tmp_path / "src", language)
    data = summaries(tmp_path, file, language)
    file.write_bytes(b"\xff\xfe\x00 class")
    with pytest.raises(ValueError, match=r"read_functions: path must be a text in UTF-8.* Convert"):
        read_functions(file, data.settings, data.source_vocab)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tgraph_attn": "9.0.0"}, r"by {'tgraph_attn': '9.0.0', .* but here are .* Install those"),
        ({"tree_sitter": "0.1"}, r"trees must be made as those .* 'tree_sitter': '0.1'"),
        ({"language": "go"}, r"found for \['java', 'python'\], .* in 'go'. Make the graphs with"),
    ],
)
def test_trees_of_other_versions_or_languages_are_refused(tmp_path, learned, change, message):
    settings, vocab = learned
    with pytest.raises(ValueError, match=f"read_functions: .*{message}"):
        read_functions(tmp_path / "src" / "box.py", {**settings, **change}, vocab)


def test_trees_of_another_grammar_are_refused(tmp_path):
    file = sources(tmp_path / "src", "python")
    data = StdlibFunctions(tmp_path / "made", source=file.parent, min_count=1, log=False)
    with pytest.raises(ValueError, match=r"'tree_sitter_python': '0.1'}, but here are"):
        read_functions(file, {**data.settings, "tree_sitter_python": "0.1"}, data.source_vocab)


def test_other_settings_or_vocabularies_are_refused(tmp_path, learned):
    settings, vocab = learned
    file = tmp_path / "src" / "box.py"
    with pytest.raises(
        ValueError, match=r"settings must be those of Stdl.* but hold \['a'\]. Pass"
    ):
        read_functions(file, {"a": 1}, vocab)
    with pytest.raises(TypeError, match=r"settings must be a Mapping, but got NoneType"):
        read_functions(file, None, vocab)
    with pytest.raises(TypeError, match=r"vocab must be a Vocab, but got list. Pass model.source"):
        read_functions(file, settings, ["a"])
