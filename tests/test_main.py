import os
import subprocess
import sys

import pytest

from tgraph_attn.__main__ import main

PYTHON = "def f(a):\n    return a + 1\n"


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def counts(printed):
    """The numbers below the outline."""
    rows = (line.rsplit(maxsplit=1) for line in printed.split("\n\n")[1].strip().split("\n"))
    return {name: int(number.replace(",", "")) for name, number in rows}


def test_it_prints_the_outline_and_the_counts_of_a_small_tree_by_hand(tmp_path, capsys):
    # list over "a" and a list over 1:   0 - 1, 0 - 2 - 3
    assert main([write(tmp_path, "x.json", '["a", [1]]')]) == 0
    printed = capsys.readouterr().out
    assert "list\n  str 'a'\n  list\n    int '1'\n" in printed
    assert counts(printed) == {
        "nodes": 4,
        "depth": 2,
        "errors": 0,
        "missing tokens": 0,
        "ancestor edges (P=7)": 4 + 2 * 4,
        "sibling edges (P=7)": 4 + 2,
        "path_level edges (P=19)": 16,
    }


@pytest.mark.parametrize(
    ("name", "content", "first"),
    [
        ("a.py", PYTHON, "module"),
        ("A.JAVA", "class A {}", "program"),
        ("a.xml", "<doc/>", "doc"),
        ("a.svg", "<svg/>", "svg"),
        ("my data é/sub dir/a.json", "{}", "dict"),
    ],
)
def test_the_language_follows_from_the_suffix(tmp_path, capsys, name, content, first):
    assert main([write(tmp_path, name, content)]) == 0
    assert capsys.readouterr().out.split("\n")[1] == first


def test_the_language_can_be_named_and_the_outline_cut(tmp_path, capsys):
    path = write(tmp_path, "script", PYTHON)
    assert main([path, "--language", "Python", "--lines", "2"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[1:4] == ["module", "  function_definition", "... and 11 more nodes"]


def test_errors_in_the_source_are_counted(tmp_path, capsys):
    assert main([write(tmp_path, "a.py", "x = (1\ny = (")]) == 0
    assert counts(capsys.readouterr().out)["errors"] > 0


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("none.py", None, [], "No such file"),
        (
            "x.txt",
            "",
            [],
            "the language must follow from the suffix, but there is none for 'x.txt'",
        ),
        ("x.py", b"\xff", [], "bytes must be UTF-8, but hold 0xff"),
        ("x.json", "{", [], "parse_json: there must be a key"),
        ("x.xml", "<a>", [], "parse_xml: the document must be well-formed"),
        ("x.py", "", ["--language", "cobol"], "language must be one of"),
        ("x.py", "", ["--lines", "0"], "max_nodes must be at least 1"),
    ],
)
def test_what_cannot_be_shown_is_one_line_and_status_2(
    tmp_path, capsys, name, content, options, message
):
    path = str(tmp_path / name) if content is None else write(tmp_path, name, content)
    assert main([path, *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert printed.err.startswith("python -m tgraph_attn: ") and message in printed.err


def test_it_runs_as_a_module_in_a_terminal_that_knows_ascii_only(tmp_path):
    path = write(tmp_path, "my é/x.py", "naïve = 1\n")
    asked = {
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tgraph_attn", path],
        capture_output=True,
        env=os.environ | asked,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"subtoken 'na\\xefve'" in done.stdout


def test_a_reader_that_has_enough_is_no_error(tmp_path):
    file = write(tmp_path, "wide.py", "x = [" + "1, " * 50_000 + "]")
    command = [sys.executable, "-m", "tgraph_attn", file, "--lines", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait(timeout=120) == 0
