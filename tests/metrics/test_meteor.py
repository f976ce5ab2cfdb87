import os
import shutil
import sys
import time

import pytest

from tgraph_attn._optional import is_available
from tgraph_attn.metrics import meteor, rouge_l

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Java not found")


@pytest.fixture
def fake_java(tmp_path, monkeypatch):
    """Put a program named java, of these lines, on a PATH that has no other."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def write(*lines):
        program = tmp_path / "java"
        program.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
        program.chmod(0o755)

    return write


# pycocoevalcap 1.2, called directly: the first result of its Meteor().compute_score on the same 300
# texts is this, and the mean of its second, one for each text, is 0.344277.
@needs_java
def test_it_is_the_first_result_of_the_coco_caption_evaluation(data_folder):
    pytest.importorskip("pycocoevalcap.meteor.meteor")
    folder = data_folder / "codesum_outputs/TLC"
    hypotheses, references = (
        (folder / name).read_text(encoding="utf-8").split("\n")[:300]
        for name in ("codenn/test.pred", "test.gold")
    )
    hypotheses[7] = ""
    score = meteor([text.split() for text in hypotheses], references)
    assert score == pytest.approx(0.21123986390074942, abs=1e-12)


@needs_java
def test_perfect_examples_score_one_in_any_case_and_locale(monkeypatch):
    pytest.importorskip("pycocoevalcap.meteor.meteor")
    monkeypatch.setenv("LC_ALL", "C")  # in which Java reads no accents by itself
    perfect = ["a", "Get x .", "le né ||| b"]
    assert meteor(perfect, [text.lower() for text in perfect]) == 1.0


@needs_java
def test_a_letter_that_is_none_is_like_any_other_wrong_one():
    pytest.importorskip("pycocoevalcap")
    wrong, other = (
        meteor([f"get the {letter} name"], ["get the file name"]) for letter in "\ud800?"
    )
    assert 0 < wrong == other < 1


def test_without_java_it_is_left_out_at_once_and_the_rest_goes_on(fake_java):
    start, scores = time.monotonic(), {}
    for metric in (meteor, rouge_l):
        try:
            scores[metric.__name__] = metric(["a"], ["a"])
        except ImportError as error:
            scores[metric.__name__] = str(error)
    assert scores == {"meteor": scores["meteor"], "rouge_l": 1.0}
    assert scores["meteor"].startswith("meteor: Java not found: ")
    assert time.monotonic() - start < 60  # a guard against hanging


@pytest.mark.skipif(os.name == "nt", reason="the fake is a shell script")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["exit 0"], r"code 0\. See that"),
        (["echo 'no Java runtime' >&2", "exit 1"], r"code 1: no Java runtime\. See that"),
        (["echo 'Segment 1 score: 1.0'", "kill -9 $$"], r"code -9: Segment 1 score: 1\.0\. See"),
    ],
)
def test_a_java_that_dies_is_an_error_and_no_hang(fake_java, lines, said):
    pytest.importorskip("pycocoevalcap.meteor.meteor")
    fake_java(*lines)
    with pytest.raises(
        ImportError, match=rf"^meteor: \S+java must run METEOR to its end, .*{said}"
    ):
        meteor(["a"] * 10_000, ["a"] * 10_000)


def test_a_missing_package_is_named(fake_java, monkeypatch):
    fake_java("exit 1")
    monkeypatch.setitem(sys.modules, "pycocoevalcap.meteor.meteor", None)
    is_available.cache_clear()
    with pytest.raises(ImportError, match=r"^meteor needs pycocoevalcap, .*tgraph_attn\[metrics\]"):
        meteor(["a"], ["a"])
    is_available.cache_clear()
