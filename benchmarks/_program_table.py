"""The page of the table of programs, from the kept runs."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import _program_rows
import numpy as np
from _cells import PAGES, mean_cell, median_cell, trials_table, write_page
from numpy.typing import NDArray
from scipy.stats import ttest_rel

TASKS = ("structure", "full")
PUBLISHED = {  # accuracy in per cent on programs with names, as their authors state it
    "TBCNN (Mou et al., AAAI 2016)": "94.0",
    "ASTNN (Zhang et al., ICSE 2019)": "98.2",
}

Lines = list[dict[str, Any]]
Runs = dict[tuple[str, str, str], Lines]


def render(lines: Lines, trials: Lines, folder: Path = PAGES) -> None:
    """Write the page to a folder."""
    runs: Runs = defaultdict(list)
    for line in lines:
        if line["settings"] == _program_rows.ROWS[line["row"]][2]:  # not of earlier settings
            runs[line["protocol"], line["task"], line["row"]].append(line)
    last = max(lines, key=lambda line: line["machine"]["date"])
    text = [
        _HEAD,
        *_accuracies(runs),
        "",
        _TESTS,
        *_tests(runs),
        "",
        _RETRIEVAL,
        *_retrieval(runs),
        "",
        _TRIALS,
        *trials_table(trials, _given, "validation"),
        "",
        _MACHINE.format(**last["machine"]),
    ]
    write_page(folder, "program_classification", text)


def _accuracies(runs: Runs) -> list[str]:
    table = [
        "| row | structure only | full | parameters (structure only) | core seconds |",
        "|---|---:|---:|---:|---:|",
    ]
    for row, (title, _, _) in _program_rows.ROWS.items():
        found = [runs.get(("classification", task, row), []) for task in TASKS]
        if any(found):
            size = f"{found[0][0]['parameters']:,}" if found[0] else ""
            spent = ", ".join(median_cell(lines, "cpu_s") for lines in found)
            cells = [mean_cell(lines, "test_accuracy") for lines in found]
            table.append(f"| {' | '.join([title, *cells, size, spent])} |")
    return table + [f"| *published: {t}* | | *{value}* | | |" for t, value in PUBLISHED.items()]


def _retrieval(runs: Runs) -> list[str]:
    table = ["| row | structure only | full |", "|---|---:|---:|"]
    for row, (title, _, _) in _program_rows.ROWS.items():
        found = [runs.get(("retrieval", task, row), []) for task in TASKS]
        if any(found):
            cells = [mean_cell(lines, "test_map_at_r") for lines in found]
            table.append(f"| {' | '.join([title, *cells])} |")
    return table


def _tests(runs: Runs) -> list[str]:
    """Return how far tree attention is ahead of each other row, program by program."""
    table = [f"| tree attention minus | {' | '.join(TASKS)} |", "|---|---:|---:|"]
    for row, (title, _, _) in _program_rows.ROWS.items():
        cells = []
        for task in TASKS:
            both = [runs.get(("classification", task, name), []) for name in ("tree", row)]
            if row == "tree" or not all(both):
                cells.append("")
                continue
            one, other = (_correct(lines) for lines in both)
            gap, p = 100 * (one - other).mean(), ttest_rel(one, other).pvalue
            cells.append(f"{gap:+.2f} ({f'p = {p:.2g}' if p else 'p < 1e-300'})")
        if any(cells):
            table.append(f"| {title} | {' | '.join(cells)} |")
    return table


def _given(line: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    title, _, settings = _program_rows.ROWS[line["row"]]
    return title, settings, f"{line['task']}, {line['protocol']}"


def _correct(lines: Lines) -> NDArray[np.float64]:
    """Return for each test program in how many of the runs it is right, as a fraction."""
    bits = [np.frombuffer(line["correct"].encode(), np.uint8) - ord("0") for line in lines]
    return np.asarray(np.mean(bits, axis=0), np.float64)


_HEAD = """# Programs: what is structure worth?

POJ-104: programs in C and C++, by the problem they solve, one of 104. Accuracy on all test programs
in per cent, mean and standard deviation over seeds, their number in brackets. Made by
`benchmarks/program_classification.py`; each run is a line of
`benchmarks/results/program_classification.jsonl`. A cell without a number has not been run yet.

*Structure only* has the kinds of nodes, operators, keywords and primitive types; *full* has names
and values besides. The five layers sit in the same model (`TreeClassifier`, two layers of 96
channels) and are trained alike; the validation programs choose the epoch. Inputs of their matrix
products may be rounded to bfloat16. Copies of a program are left out, so no test program is in
train. The first rows are linear models on TF-IDF; that logarithms of counts and labels in a row do
better was seen on validation programs. Core seconds are those of the process that ended the run.
"""
_TESTS = """## Differences

Points of accuracy by which tree attention is ahead, and a paired t-test over the test programs,
each with the fraction of seeds that are right, two-sided.
"""
_RETRIEVAL = """## Retrieval

MAP@R in per cent on the classes 81 to 104, of which none is in train (CodeXGLUE's split): the
models learn to tell the first 64 classes apart, and what they read of a program is its vector.
"""
_TRIALS = """## Trials

On the validation programs; no test program was read.
"""
_MACHINE = """## Machine

{processor}, {cores} cores, {threads} thread(s) a run, Python {python}, torch {torch},
torch-geometric {torch-geometric}, tree-sitter {tree-sitter}; last run {date}.
"""
