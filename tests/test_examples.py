import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
import time
import types
import warnings
from pathlib import Path
from unittest import mock

import pytest
import torch

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# What the docstring of each example promises of the number on its last line, and its picture.
PROMISES = {
    "01_quickstart.py": (lambda number: number > 1, "demo.png"),
    "02_text_classification.py": (lambda number: number > 1, "text_classification.png"),
    "03_code_summarization.py": (lambda number: number > 1, "code_summarization.png"),
    "04_program_classification.py": (lambda number: number > 1, "program_classification.png"),
}
TEXTS = ROOT / "examples" / "02_text_classification.py"
SUMMARIES = ROOT / "examples" / "03_code_summarization.py"
PROGRAMS = ROOT / "examples" / "04_program_classification.py"


def start(path, folder, *options):
    """Begin an example in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "MPLBACKEND")}
    return subprocess.Popen(
        [sys.executable, "-W", "error::UserWarning", str(path), *options],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process):
    """Wait for it, and return what it said."""
    stdout, stderr = process.communicate(timeout=600)
    return types.SimpleNamespace(returncode=process.returncode, stdout=stdout, stderr=stderr)


def run(path, folder, *options):
    """Run an example in this process, which saves the seconds in which a new one imports."""
    stdout, stderr, code = io.StringIO(), io.StringIO(), 0
    threads = torch.get_num_threads()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        warnings.catch_warnings(),
        mock.patch.object(sys, "argv", [str(path), *options]),
        mock.patch.object(sys, "excepthook", sys.excepthook),
    ):
        warnings.simplefilter("error", UserWarning)
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as error:
            code = error.code or 0
        except Exception:
            sys.excepthook(*sys.exc_info())
            code = 1
        finally:
            torch.set_num_threads(threads)
    said = {"stdout": stdout.getvalue(), "stderr": stderr.getvalue()}
    return types.SimpleNamespace(returncode=code, **said)


def test_each_example_is_numbered_short_and_has_a_promise():
    assert [path.name for path in EXAMPLES] == sorted(PROMISES)
    for number, path in enumerate(EXAMPLES, start=1):
        text = path.read_text(encoding="utf-8")
        assert path.name.startswith(f"{number:02d}_")
        assert len(text.splitlines()) <= 120
        assert "The last line is the promised number" in text and '"--small"' in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_keeps_its_promise_and_says_the_same_again(path, tmp_path):
    pytest.importorskip("matplotlib")
    promise, picture = PROMISES[path.name]
    folders, said = [tmp_path / "one", tmp_path / "other"], []
    for folder in folders:
        folder.mkdir()
    for process in [start(path, folder, "--small") for folder in folders]:  # beside each other
        ran = end(process)
        assert ran.returncode == 0, ran.stderr
        assert promise(float(ran.stdout.splitlines()[-1])), ran.stdout
        said.append(re.sub(r"( +\S+) +\d+\.\d( +[\d,]+ +\d+)$", r"\1\2", ran.stdout, flags=re.M))
    assert said[0] == said[1]  # but for the seconds
    for folder in folders:
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """A folder with a small corpus of one's own."""
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("texts")
    lines = ["crude\toil barrels rise\n", "grain\tcorn harvest, wheat\n"]
    for split, count in (("train", 40), ("test", 4)):
        (folder / f"{split}.txt").write_text("".join(lines * count))
    return folder


def test_a_saved_model_says_the_class_of_any_text(texts):
    ran = run(TEXTS, texts, "--dataset", ".", "--epochs", "8")
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout.splitlines()[-1]) == 2.0  # all are right; of two classes, half
    said = {}
    for text in ("More barrels of oil", "zebra", ""):
        (texts / "text_prediction.png").unlink(missing_ok=True)
        options = ("--predict", text)  # once in a new process
        ran = run(TEXTS, texts, *options) if said else end(start(TEXTS, texts, *options))
        assert ran.returncode == 0, ran.stderr
        model, first, note, *rows = ran.stdout.splitlines()
        assert model == "text_model: self_attention"
        chances = {name: float(chance) for name, chance in map(str.split, rows)}
        assert sorted(chances) == ["crude", "grain"] and sum(chances.values()) == pytest.approx(1)
        assert list(chances.values()) == sorted(chances.values(), reverse=True)
        said[text] = first.split(";")[0], note, chances
        assert (texts / "text_prediction.png").exists() == (text == "More barrels of oil")
    first, note, chances = said["More barrels of oil"]
    assert (first, note) == ("Known: 2 of 4 different words", "") and chances["crude"] > 0.6
    for text, count in (("zebra", 1), ("", 0)):
        assert said[text][0] == f"Known: 0 of {count} different words"
        assert said[text][1] == "No word is known: this is said of an empty text."
    assert said["zebra"][2] == said[""][2]


@pytest.mark.parametrize("model", ["text_gcn", "text_level_gnn"])
def test_models_without_attention_are_trained_too(texts, model):
    options = ("--dataset", ".", "--model", model, "--save", model)
    ran = run(TEXTS, texts, *options, "--epochs", "8")
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout.splitlines()[-1]) > 1
    ran = run(TEXTS, texts, "--save", model, "--predict", "oil")
    if model == "text_gcn":
        assert ran.returncode == 1 and "must be the folder of a saved model" in ran.stderr
    else:
        assert ran.returncode == 0 and "Known: 1 of 1 different words" in ran.stdout
        assert ran.stdout.startswith("text_level_gnn: text_level_gnn\n")


def test_a_text_that_is_too_long_for_a_picture_has_an_answer(tmp_path):
    pytest.importorskip("matplotlib")
    words = [f"w{number}" for number in range(2001)]
    for split in ("train", "test"):
        lines = [f"{label}\t{' '.join(words)} {label}\n" for label in ("one", "two")]
        (tmp_path / f"{split}.txt").write_text("".join(lines))
    options = ("--dataset", ".", "--model", "gcn", "--epochs", "1", "--min-count", "1")
    ran = run(TEXTS, tmp_path, *options)
    assert ran.returncode == 0, ran.stderr
    ran = run(TEXTS, tmp_path, "--predict", " ".join(words))
    assert ran.returncode == 0, ran.stderr
    assert "Known: 2001 of 2001" in ran.stdout and not (tmp_path / "text_prediction.png").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--predict", "oil", "--save", "nowhere"], "DocumentGNN.load: nowhere must be the folder"),
        (["--dataset", "nowhere"], "but 'nowhere' is none. Pass a folder"),
        (["--dataset", ".", "--min-count", "99"], "min_count"),
        (["--dataset", ".", "--vectors", "other.txt"], "but has none. Are both in the same"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(texts, options, says):
    (texts / "other.txt").write_text("öl 1 2\n", encoding="utf-8")
    ran = run(TEXTS, texts, *options)
    assert ran.returncode == 1 and not ran.stdout
    assert says in ran.stderr.splitlines()[-1] and "Traceback" not in ran.stderr


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A folder of one's own, with files of Python: what a function does is in its first verb."""
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("sources é")
    (folder / "src").mkdir()
    for number in range(12):
        text = "".join(
            f'def get_{name}(box):\n    """Return the {name}."""\n    return box.{name}\n\n'
            f'def put_{name}(box, a):\n    """Set the {name}. It stays."""\n    box.{name} = a\n\n'
            for name in ("size", "name", "file")
        )
        (folder / "src" / f"file{number}.py").write_text(text, encoding="utf-8")
    code = "class Box:\n    def get_size(self):\n        return self.size\n\n\ndef f():\n    'Do.'"
    (folder / "box.py").write_text(code, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def summarized(sources):
    """What the run on that folder says, whole."""
    ran = run(SUMMARIES, sources, "--dataset", "src", "--epochs", "60")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_saved_model_says_a_line_of_each_function_in_a_new_process(sources, summarized):
    assert "BLEU sentence-add1" in summarized and float(summarized.splitlines()[-1]) > 1
    model = sources / "summary_model"
    assert not (model / "training.pt").exists()
    kept = json.loads((model / "run.json").read_text(encoding="utf-8"))
    assert kept["training"]["epochs"] == 60 == len(kept["history"]["validation_bleu"])
    assert kept["data"]["language"] == "python" and "ROUGE-L" in kept["scores"]["tree"]
    for options in ((), ("--beams", "3")):
        if options:
            pytest.importorskip("transformers")
        ran = end(start(SUMMARIES, sources, "--summarize", "box.py", *options))
        assert ran.returncode == 0, ran.stderr
        one, other = ran.stdout.splitlines()
        assert one.startswith("box.py:2 get_size: ") and other.startswith("box.py:6 f: ")
        assert "return the size" in one and "transformers" not in ran.stderr


def test_a_file_of_java_has_a_line_for_each_method(sources):
    (sources / "java").mkdir()
    for number in range(4):
        method = f"/** Returns the size {number}. */ int size{number}() {{ return size; }}"
        text = f"class A{number} {{ {method} }}\n"
        (sources / "java" / f"A{number}.java").write_text(text, encoding="utf-8")
    options = ("--dataset", "java", "--language", "java", "--epochs", "1", "--save", "of_java")
    ran = run(SUMMARIES, sources, *options)
    assert ran.returncode == 0, ran.stderr
    (sources / "Box.java").write_text("class Box {\n  Box() {}\n  int get() { return 1; }\n}\n")
    ran = run(SUMMARIES, sources, "--save", "of_java", "--summarize", "Box.java")
    assert ran.returncode == 0, ran.stderr
    told = [line.split(": ")[0] for line in ran.stdout.splitlines()]
    assert told == ["Box.java:2 Box", "Box.java:3 get"]


def test_training_that_was_killed_goes_on_and_says_the_same(sources, summarized):
    options = ("--dataset", "src", "--epochs", "60", "--save", "killed")
    killed = start(SUMMARIES, sources, *options)
    deadline = time.monotonic() + 300
    while not (sources / "killed" / "training.pt").exists() and killed.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    killed.kill()
    ran = end(killed)
    assert ran.returncode != 0 and "BLEU" not in ran.stdout
    ran = run(SUMMARIES, sources, *options)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == summarized and " 0/60" not in ran.stderr
    for name in ("weights.safetensors", "config.json"):
        whole = (sources / "summary_model" / name).read_bytes()
        assert (sources / "killed" / name).read_bytes() == whole


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder with a folder of programs of one's own, and a model of these."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("tree_sitter_cpp")
    folder = tmp_path_factory.mktemp("programs é")
    for name, sign in (("sum", "+"), ("product", "*")):
        (folder / "my own" / name).mkdir(parents=True)
        for number in range(20):
            text = f"int f(int a) {{ return {number} {sign} a; }}"
            (folder / "my own" / name / f"{number}.c").write_text(text)
    ran = run(PROGRAMS, folder, "--source", "my own", "--task", "structure", "--epochs", "20")
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout.splitlines()[-1]) == 2.0  # all are right; of two classes, half
    assert "24 programs to learn from, 8 to test on, 2 classes" in ran.stdout
    return folder


@pytest.mark.parametrize(
    ("source", "says", "label"),
    [
        ("int g(int other) { return other * 1234; }", "0", "product"),
        ("def f(a):\n    return a\n", "1; is it C or C++?", None),
        ("", "0", None),
    ],
)
def test_a_saved_model_says_the_class_of_a_program(programs, source, says, label):
    (programs / "new.c").write_text(source)
    (programs / "program_prediction.png").unlink(missing_ok=True)
    options = ("--predict", "new.c")  # once in a new process
    ran = end(start(PROGRAMS, programs, *options)) if label else run(PROGRAMS, programs, *options)
    assert ran.returncode == 0, ran.stderr
    model, known, errors, *rows = ran.stdout.splitlines()
    assert model == "program_model: tree, structure"
    assert re.fullmatch(r"Known: (\d+) of (\d+) nodes", known)
    assert errors == f"Syntax errors: {says}"
    chances = {name: float(chance) for name, chance in map(str.split, rows)}
    assert sorted(chances) == ["product", "sum"] and sum(chances.values()) == pytest.approx(1)
    assert label is None or next(iter(chances)) == label
    assert (programs / "program_prediction.png").read_bytes().startswith(b"\x89PNG")


def test_several_encoders_are_trained_and_the_last_one_is_saved(programs):
    options = ("--source", "my own", "--epochs", "1", "--save", "other")
    ran = run(PROGRAMS, programs, *options, "--encoder", "bias", "gat", "self", "gcn")
    assert ran.returncode == 0, ran.stderr
    rows = [line.split()[0] for line in ran.stdout.splitlines() if line.endswith("are right")]
    assert rows == ["most", "chains", "bias", "gat", "self", "gcn"]
    (programs / "new.c").write_text("int a;")
    ran = run(PROGRAMS, programs, "--save", "other", "--predict", "new.c")
    assert ran.returncode == 0 and ran.stdout.startswith("other: gcn, full\n"), ran.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--summarize", "box.py", "--save", "nowhere"], "ASTTrans.load: nowhere must be the fold"),
        (["--summarize", "none.py"], "read_functions: path must be a file, but none.py is none"),
        (["--summarize", "summary_model/run.json"], "path must end in .py"),
        (["--dataset", "nowhere"], "CodeSummaries: name must be one of"),
        (["--dataset", "src", "--encoder", "gru"], "ASTTrans: encoder must be one of"),
        (["--dataset", "src", "--beams", "0"], "DecodingSettings: beams must be at least 1"),
    ],
)
def test_what_is_wrong_with_summaries_is_said_in_one_line(sources, summarized, options, says):
    ran = run(SUMMARIES, sources, *options)
    assert ran.returncode == 1 and not ran.stdout
    assert says in ran.stderr.splitlines()[-1] and "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--predict", "a.c", "--save", "nowhere"], "TreeClassifier.load: nowhere must be the"),
        (["--source", "my own/sum"], "POJ104: my own/sum must have two sub-folders with programs"),
    ],
)
def test_what_is_wrong_with_programs_is_said_in_one_line(programs, options, says):
    ran = run(PROGRAMS, programs, *options)
    assert ran.returncode == 1 and not ran.stdout
    assert says in ran.stderr.splitlines()[-1] and "Traceback" not in ran.stderr
