import pytest

from tgraph_attn.datasets._functions.collect import collect
from tgraph_attn.datasets._functions.find_functions import MASK
from tgraph_attn.datasets._raw.source_files import source_files, stdlib_folder
from tgraph_attn.parse import split_identifier


def collected(folder, files, target="name", max_nodes=10_000):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return collect(folder, source_files(folder), target=target, max_nodes=max_nodes, progress=False)


def identifiers(tree):
    """The words of each identifier of a tree."""
    for row in range(tree.num_nodes):
        if tree.kind[row].endswith("identifier"):
            yield [tree.text[child] for child in tree.children(row)]


def test_no_tree_of_the_whole_library_holds_its_name_or_the_text_of_a_string():
    folder = stdlib_folder()
    found = collect(
        folder, source_files(folder), target="name", max_nodes=10_000_000, progress=False
    )
    assert len(found.examples) > 5_000
    for example in found.examples:
        where = f"{example.file}:{example.line}"
        assert MASK in example.tree.kind, where
        assert example.words not in list(identifiers(example.tree)), where
        for kind, text in zip(example.tree.kind, example.tree.text, strict=True):
            speechless = "string" in kind or "comment" in kind
            assert text is None or not speechless, where
            assert text is None or kind != MASK, where
            one_piece = (
                kind.endswith("identifier") and split_identifier(text or "") != example.words
            )
            assert text is None or not one_piece, where


def test_summary_comes_from_the_docstring_and_the_tree_is_that_of_the_name(tmp_path):
    files = {"a.py": 'def max_size(a):\n    """Return the Size. Of a."""\n    return a[0]\n'}
    (summary,) = collected(tmp_path, files, "summary").examples
    (name,) = collected(tmp_path, files, "name").examples
    assert (summary.words, name.words) == (["return", "the", "size"], ["max", "size"])
    assert summary.tree == name.tree
    assert not {"string", "string_content", "subtoken size"} & set(summary.tree.labels)


def test_each_dropped_file_and_function_has_its_reason(tmp_path):
    files = {
        "bytes.py": b"a = '\xff'",
        "empty.py": "",
        "good.py": "def f(): 1\ndef g(x): return x\ndef h(y): return y\ndef i(x): return x\n",
        "syntax.py": "def f(:\n  pass\n",
        "missing.py": "def f(): return (1\n",
    }
    report = collected(tmp_path, files).report()
    assert report["files"] == {
        "found": 5,
        "kept": 1,
        "dropped": {
            "no function": ["empty.py"],
            "not decodable": ["bytes.py"],
            "syntax errors": ["missing.py", "syntax.py"],
        },
    }
    assert report["functions"] == {
        "found": 4,
        "kept": 3,
        "dropped": {"duplicate": 1},
        "truncated": 0,
    }


def test_summaries_without_a_word_are_dropped_with_their_reason(tmp_path):
    docs = ['""', '"."', '"Sets x."', "1"]
    source = "\n".join(f"def f{n}(a{n}): {doc}" for n, doc in enumerate(docs))
    found = collected(tmp_path, {"a.py": source}, "summary")
    assert [e.words for e in found.examples] == [["sets", "x"]]
    assert found.report()["functions"]["dropped"] == {
        "no docstring": 1,
        "no word in the docstring": 2,
    }


def test_first_of_equal_trees_stays_whatever_its_name_and_its_file(tmp_path):
    files = {
        "b.py": "def load(x): return load(x)",
        "a.py": "def save(x):\n    'Save.'\n    # so\n    return save(x)",
        "c.py": "def save(x): return load(x)\ndef store(X): return STORE(X)\n",
    }
    found = collected(tmp_path, files)
    assert [(e.file, e.line, e.words) for e in found.examples] == [
        ("a.py", 1, ["save"]),
        ("c.py", 1, ["save"]),
    ]


def test_trees_that_are_equal_once_they_are_cut_are_duplicates(tmp_path):
    files = {"a.py": "def f(a): return a + 1\ndef g(a): return a + 2\n"}
    whole, cut = collected(tmp_path, files), collected(tmp_path, files, max_nodes=6)
    assert (len(whole.examples), whole.truncated) == (2, 0)
    assert (len(cut.examples), cut.truncated) == (1, 1)
    assert cut.examples[0].tree == whole.examples[0].tree.truncate(6)


@pytest.mark.parametrize("name", ["_", "inf", "nan", "__", "_1"])
def test_each_name_has_a_word(tmp_path, name):
    (example,) = collected(tmp_path, {"a.py": f"def {name}(): return 'a|b,c;d'"}).examples
    assert example.words == split_identifier(name) != []
