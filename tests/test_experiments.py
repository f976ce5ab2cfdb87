"""The long experiments, at a small size: what is run is kept once, and rendered."""

import json

import pytest

from tgraph_attn.datasets import POJ104, CodeSummaries, write_toy_programs

SMALL = {"channels": 16, "hidden": 16, "layers": 1, "epochs": 1}


@pytest.fixture
def programs(bench, monkeypatch, tmp_path):
    """Run the script of programs on toy programs; its rows are there to be changed."""
    script, runs, rows = map(bench, ("program_classification", "_program_runs", "_program_rows"))
    write_toy_programs(tmp_path / "toy", 10)

    def load(data, task, protocol):
        source = {"source": tmp_path / "toy", "log": False}
        return {split: POJ104(data, task, split, **source) for split in runs.SPLITS}

    monkeypatch.setattr(runs, "load", load)
    return Experiment(script, rows, monkeypatch, tmp_path)


@pytest.fixture
def summaries(bench, monkeypatch, tmp_path):
    """Run the script of summaries on some functions of ours."""
    script, runs, rows = map(bench, ("code_summarization", "_summary_runs", "_summary_rows"))
    verbs = ("add", "take", "move", "drop", "find", "send", "read", "sort", "hide", "show")
    for split, count in {"train": 10, "val": 2, "test": 4}.items():
        lines = [
            {"code": f"def f_{verb}(x):\n    return {verb}(x)", "docstring": f"{verb} the {split}"}
            for verb in verbs[:count]
        ]
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / f"{split}.jsonl").write_text(text, encoding="utf-8")

    def load(data, split, **shape):
        shape |= {"language": "python", "min_count": 1, "log": False}
        return CodeSummaries(data, tmp_path, split, **shape)

    monkeypatch.setattr(runs, "load", load)
    monkeypatch.setattr(runs, "meteor", lambda said, references: 0.125)  # which needs Java
    return Experiment(script, rows, monkeypatch, tmp_path)


class Experiment:
    """A script that writes to a folder of its own."""

    def __init__(self, script, rows, monkeypatch, folder):
        self.rows, self.folder, self._script, self._patch = rows, folder, script, monkeypatch
        monkeypatch.setattr(script, "RESULTS", folder)
        small = {
            row: (title, run, {k: SMALL.get(k, v) for k, v in settings.items()})
            for row, (title, run, settings) in rows.ROWS.items()
        }
        monkeypatch.setattr(rows, "ROWS", small)

    def __call__(self, *options):
        """Run the script; return the lines of results and of trials."""
        argv = ["script.py", "--data", str(self.folder / "data"), "--threads", "1", *options]
        self._patch.setattr("sys.argv", argv)
        self._script.main()
        files = (self.folder / f"{name}.jsonl" for name in self._script.FILES)
        return [
            [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            if file.exists()
            else []
            for file in files
        ]

    def page(self, table, lines):
        """Return the lines of the page of some runs."""
        table.render(lines, [], self.folder / "pages")
        [page] = (self.folder / "pages").glob("*.md")
        return page.read_text(encoding="utf-8").splitlines()


def test_each_row_of_programs_is_trained_once_and_told(programs, bench):
    rows = [*programs.rows.OF_PROTOCOL["classification"]]
    seeds = ["--tasks", "structure", "--seeds", "0", "1"]
    first = ["--rows", "svm_pairs", "tree", *seeds]
    lines, trials = programs(*first)
    told = [(line["row"], line["seed"]) for line in lines]
    assert told == [("svm_pairs", 0), ("tree", 0), ("tree", 1)] and not trials
    assert programs(*first)[0] == lines  # nothing is run again
    lines, _ = programs(*seeds)
    assert {line["row"] for line in lines} == {*rows}
    for line in lines:
        right = [bit == "1" for bit in line["correct"]]
        assert line["test_accuracy"] == pytest.approx(sum(right) / len(right))
    assert not [*(programs.folder / "data").glob("run-*.pt")]
    page = programs.page(bench("_program_table"), lines)
    [cells] = [line for line in page if line.startswith("| tree attention | ")]
    [one, two] = [100 * line["test_accuracy"] for line in lines if line["row"] == "tree"]
    assert f"| {(one + two) / 2:.2f} ± {abs(one - two) / 2**0.5:.2f} (2) |" in cells
    [cells] = [line for line in page if "LinearSVC on labels and pairs |" in line][:1]
    assert " (1) |" in cells


def test_a_trial_of_programs_reads_no_test_program(programs):
    lines, trials = programs(
        "--rows", "gcn", "--tasks", "structure", "--seeds", "0", "--trial", "lr=0.01"
    )
    assert not lines and trials[0]["settings"]["lr"] == 0.01
    assert "correct" not in trials[0] and "test_accuracy" not in trials[0]


def test_each_row_of_summaries_is_trained_once_and_told(summaries, bench):
    rows = ["--rows", *summaries.rows.ROWS, "--seeds"]
    lines, _ = summaries(*rows, "0")
    assert [line["row"] for line in lines] == [*summaries.rows.ROWS]
    assert summaries(*rows, "0")[0] == lines  # nothing is run again
    lines, _ = summaries(*rows, "0", "1")
    assert len(lines) == 2 * len(summaries.rows.ROWS) - 1  # the nearest neighbour has one seed
    for line in lines:
        said = summaries.folder / "data/said" / f"{line['key']}.txt"
        assert len(said.read_text(encoding="utf-8").splitlines()) == 4
    nearest = lines[0]
    assert nearest["row"] == "nearest" and nearest["test_exact_match"] == 0
    assert nearest["test_bleu"] > 0.3  # the verb and "the" are right, the split's name is wrong
    page = summaries.page(bench("_summary_table"), lines)
    [cells] = [line for line in page if line.startswith("| nearest neighbour")][:1]
    assert f"| {100 * nearest['test_bleu']:.2f} (1) | " in cells and "| 12.50 (1) |" in cells


def test_a_trial_of_summaries_reads_no_test_function(summaries):
    lines, trials = summaries("--rows", "gcn", "--seeds", "0", "--trial", "lr=0.01")
    assert not lines and trials[0]["settings"]["lr"] == 0.01
    assert not [name for name in trials[0] if name.startswith("test_")]


def test_a_row_is_kept_without_meteor_where_there_is_no_java(summaries, bench, monkeypatch):
    def none(said, references):
        raise ImportError("meteor: Java not found")

    monkeypatch.setattr(bench("_summary_runs"), "meteor", none)
    [line], _ = summaries("--rows", "nearest")
    assert line["test_meteor"] is None and line["test_bleu"] > 0.3


@pytest.fixture
def cells(bench):
    return bench("_cells")


def test_cells_tell_mean_spread_and_how_many(cells):
    lines = [{"a": 0.5, "s": 3}, {"a": 0.52, "s": 5}, {"a": None, "s": 9}]
    assert cells.mean_cell(lines, "a") == "51.00 ± 1.41 (2)"
    assert cells.mean_cell(lines[:1], "a") == "50.00 (1)"
    assert cells.mean_cell(lines[2:], "a") == cells.mean_cell([], "a") == ""
    assert cells.median_cell(lines, "s") == "5" and cells.median_cell(lines, "none") == "-"


def test_a_gap_has_welchs_p_where_something_varies(cells):
    one, other, same = (
        [{"a": value} for value in values]
        for values in ([0.5, 0.52, 0.54], [0.4, 0.44, 0.42], [0.3] * 3)
    )
    assert cells.gap_cell(one, other, "a", least=3) == "+10.00 (p = 0.0036)"
    assert cells.gap_cell(same, same, "a", least=3) == "+0.00"
    assert cells.gap_cell(one, other[:2], "a", least=3) == ""
    assert cells.gap_cell(one, [*other[:2], {"a": None}], "a", least=3) == ""


def test_trials_are_told_by_what_they_change_and_averaged_over_seeds(cells):
    def given(line):
        return "Row", {"lr": 1, "dropout": 0}, "here"

    trials = [
        {"settings": {"lr": 2, "dropout": 0}, "v": 0.5},
        {"settings": {"lr": 1, "dropout": 0}, "v": 0.25},
        {"settings": {"lr": 2, "dropout": 0}, "v": 0.6},
        {"settings": {"lr": 1, "dropout": 0, "wide": True}, "v": 0.1},
    ]
    assert cells.trials_table(trials, given, "v")[2:] == [
        "| Row | lr=2 | here | 55.00 (2) |",
        "| Row | as in the table | here | 25.00 (1) |",
        "| Row | wide=True | here | 10.00 (1) |",
    ]
