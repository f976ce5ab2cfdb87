import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks/results"


@pytest.fixture
def table(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield __import__("_text_table")
    for name in ("_text_table", "_text_rows", "_text_runs"):
        sys.modules.pop(name, None)


def runs(name="text_classification"):
    text = (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_page_of_text_classification_says_what_the_runs_say(table, tmp_path):
    table.render(runs(), runs("text_classification_trials"), tmp_path)
    page = "text_classification.md"
    kept = (ROOT / "docs/pages/results" / page).read_text(encoding="utf-8")
    assert (tmp_path / page).read_text(encoding="utf-8") == kept


def test_each_run_is_there_once_and_its_accuracy_is_that_of_its_documents():
    lines = runs()
    assert len({line["key"] for line in lines}) == len(lines) > 0
    sizes = json.loads((RESULTS / "text_classification_sizes.json").read_text(encoding="utf-8"))
    for line in lines:
        right = [character == "1" for character in line["correct"]]
        assert len(right) == len(sizes[line["corpus"]])
        assert line["test_accuracy"] == pytest.approx(sum(right) / len(right))


def test_no_trial_read_a_test_document():
    assert all("correct" not in line for line in runs("text_classification_trials"))
