import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks/results"


PAGES = {
    "text_classification": "_text_table",
    "program_classification": "_program_table",
}
WRITTEN = {"code_summarization": "_summary_table"}


def runs(name):
    text = (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", [*PAGES, *WRITTEN])
def test_the_page_of_an_experiment_says_what_its_runs_say(bench, name, tmp_path):
    if name == "text_classification":
        pytest.importorskip("matplotlib")
    bench((PAGES | WRITTEN)[name]).render(runs(name), runs(f"{name}_trials"), tmp_path)
    kept = (ROOT / f"docs/pages/results/{name}.md").read_text(encoding="utf-8")
    assert (tmp_path / f"{name}.md").read_text(encoding="utf-8") == kept


def test_the_page_of_attention_says_what_was_measured(bench, tmp_path):
    measured = (RESULTS / f"attention_{part}.json" for part in ("ways", "share"))
    rows = [json.loads(file.read_text(encoding="utf-8")) for file in measured]
    bench("_attention_page").render(*rows, tmp_path)
    kept = (ROOT / "docs/pages/results/attention.md").read_text(encoding="utf-8")
    assert (tmp_path / "attention.md").read_text(encoding="utf-8") == kept


def test_the_page_of_blocks_says_what_was_measured(bench, tmp_path):
    measured = json.loads((RESULTS / "block_attention.json").read_text(encoding="utf-8"))
    bench("_block_page").render(measured, tmp_path)
    kept = (ROOT / "docs/pages/results/block_attention.md").read_text(encoding="utf-8")
    assert (tmp_path / "block_attention.md").read_text(encoding="utf-8") == kept


@pytest.mark.parametrize("name", PAGES)
def test_each_run_is_there_once_and_its_accuracy_is_that_of_its_items(name):
    lines = runs(name)
    assert len({line["key"] for line in lines}) == len(lines) > 0
    for line in lines:
        if "correct" in line:
            right = [character == "1" for character in line["correct"]]
            assert line["test_accuracy"] == pytest.approx(sum(right) / len(right))


def test_each_run_on_texts_has_all_documents():
    sizes = json.loads((RESULTS / "text_classification_sizes.json").read_text(encoding="utf-8"))
    for line in runs("text_classification"):
        assert len(line["correct"]) == len(sizes[line["corpus"]])


def test_each_run_on_programs_has_all_of_them():
    for line in runs("program_classification"):
        if line["protocol"] == "classification":
            assert len(line["correct"]) == 10_399  # the whole split; datasets/poj104/README.md


@pytest.mark.parametrize("name", [path.stem for path in RESULTS.glob("*_trials.jsonl")])
def test_no_trial_read_a_test_item(name):
    assert runs(name)
    for line in runs(name):
        assert not [key for key in line if key == "correct" or key.startswith("test_")]
