import ast
from collections import Counter

import pytest

from tgraph_attn.datasets._text.read_docstrings import (
    docstrings,
    grouped_files,
    pick_test_files,
    read_docstrings,
)

SOURCE = '''
"""The module."""
if True:
    class A:
        """A class."""

        async def f(self):
            """A method.

            Of two lines.
            """
            def inner():
                "Inside."
else:
    def g(): "Otherwise."
try:
    pass
except OSError:
    def h(): """In a handler."""
match 1:
    case 1:
        def k(): """In a case."""
def none(): return """No docstring."""
'''


def write(folder, files):
    for name, texts in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        code = "".join(f"def f{n}():\n    '''{text}'''\n" for n, text in enumerate(texts))
        (folder / name).write_text(code, encoding="utf-8")
    return folder


def texts_of(documents):
    return [(document.label, document.text) for document in documents]


def test_docstrings_come_from_modules_classes_and_functions_in_order():
    assert list(docstrings(ast.parse(SOURCE))) == [
        "The module.",
        "A class.",
        "A method.\n\nOf two lines.",
        "Inside.",
        "Otherwise.",
        "In a handler.",
        "In a case.",
    ]


def test_files_go_to_the_group_of_their_package():
    files = ["email/mime/text.py", "email.py", "this.py", "tkinter/email.py"]
    groups = grouped_files(files)
    assert groups["mail"] == ["email/mime/text.py", "email.py"] and len(groups) == 8
    assert groups["gui"] == ["tkinter/email.py"]


def test_equal_and_short_docstrings_are_dropped_and_counted(tmp_path):
    said = "the first one of these docstrings"
    spaced = said.replace(" of ", "\n\n    of  ")
    folder = write(tmp_path, {"b.py": [spaced, "now four words left"], "a.py": [said]})
    (folder / "c.py").write_text("def f(:", encoding="utf-8")
    (folder / "d.py").write_bytes(b"# \xff\n")
    groups = {"one": ["b.py"], "two": ["a.py", "c.py", "d.py"]}
    splits, dropped = read_docstrings(folder, groups, progress=False)
    assert texts_of(splits["train"]) == [("two", said)] and splits["test"] == []
    assert dropped == {"duplicate": 1, "short": 1, "file not readable": 2}


def test_files_are_whole_in_one_split_and_a_fifth_is_for_the_test(tmp_path):
    files = {
        f"{name}.py": [f"{name} says number {n} of his" for n in range(5)] for name in "abcdefghij"
    }
    splits, _ = read_docstrings(write(tmp_path, files), {"one": [*files]}, progress=False)
    names = {s: Counter(d.text[0] for d in splits[s]) for s in splits}
    assert len(names["train"]) == 8 and len(names["test"]) == 2
    assert set(names["train"].values()) == set(names["test"].values()) == {5}
    assert not names["train"].keys() & names["test"].keys()


@pytest.mark.parametrize("order", [1, -1])
def test_split_depends_on_names_and_sizes_only(order):
    sizes = {f"f{n}.py": 10 for n in range(10)} | {"huge.py": 900}
    chosen = pick_test_files(dict(list(sizes.items())[::order]))
    assert chosen == {f"f{n}.py" for n in range(10)}
    few = pick_test_files(dict(list({f"f{n}.py": 10 for n in range(10)}.items())[::order]))
    assert few == {"f2.py", "f5.py"}
    assert pick_test_files({"only.py": 3}) == set()
