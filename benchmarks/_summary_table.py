"""The page of the table of summaries, from the kept runs."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import _summary_rows
from _cells import PAGES, gap_cell, mean_cell, median_cell, table, trials_table, write_page

MEASURES = {
    "test_bleu": "BLEU, sentence-add1",
    "test_corpus_bleu": "BLEU, corpus",
    "test_rouge_l": "ROUGE-L",
    "test_meteor": "METEOR",
    "test_exact_match": "exact match",
}

Lines = list[dict[str, Any]]


def render(lines: Lines, trials: Lines, folder: Path = PAGES) -> None:
    """Write the page to a folder."""
    runs: dict[str, Lines] = defaultdict(list)
    for line in lines:
        if line["settings"] == _summary_rows.ROWS[line["row"]][2]:  # not of earlier settings
            runs[line["row"]].append(line)
    last = max(lines, key=lambda line: line["machine"]["date"])
    text = [
        _HEAD,
        *_measures(runs, _summary_rows.MAIN),
        "",
        _TESTS,
        *_tests(runs),
        "",
        _PARTS,
        *_measures(runs, _summary_rows.PARTS),
        "",
        _TRIALS,
        *trials_table(trials, _given, "validation"),
        "",
        _MACHINE.format(**last["machine"]),
    ]
    write_page(folder, "code_summarization", text)


def _measures(runs: dict[str, Lines], rows: list[str]) -> list[str]:
    found = [
        [
            _summary_rows.ROWS[row][0],
            *(mean_cell(runs[row], measure) for measure in MEASURES),
            f"{runs[row][0]['parameters']:,}",
            median_cell(runs[row], "cpu_s"),
        ]
        for row in rows
        if runs[row]
    ]
    return table(["row", *MEASURES.values(), "parameters", "core seconds"], found)


def _tests(runs: dict[str, Lines]) -> list[str]:
    """Return how far tree attention is ahead of each other row, over seeds."""
    found = []
    for row in _summary_rows.MAIN:
        title = _summary_rows.ROWS[row][0]
        cells = [gap_cell(runs["ast_trans"], runs[row], measure, least=2) for measure in MEASURES]
        if row != "ast_trans" and any(cells):
            found.append([title, *cells])
    return table(["tree attention minus", *MEASURES.values()], found)


def _given(line: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    title, _, settings = _summary_rows.ROWS[line["row"]]
    return title, settings, "TL-CodeSum"


_HEAD = """# Summaries of Java methods: tree attention against sequences and graphs

TL-CodeSum, its validation file to train on (8,714 methods; the training file is not to be had),
its test file to test on, without the methods that the former has too. In per cent, mean and
standard deviation over seeds, their number in brackets. Made by `benchmarks/code_summarization.py`;
each run is a line of `benchmarks/results/code_summarization.jsonl`. A row without numbers has not
been run yet.

All trained rows are `ASTTrans`, two layers of 128 channels, trained alike, and differ in what they
read and in how its parts see each other. A tenth of the training methods, drawn by the seed,
chooses the epoch. Words that come once are in no vocabulary, and inputs of matrix products may
be rounded to bfloat16. Brackets are cut at 400, those of about 100 nodes. Summaries are written
word by word, the likeliest one each time; references are whole, and none of their words is
replaced. Core seconds are those of the process that ended the run.
Published numbers come from models that were trained on eight times as many methods, and with copies
in the test file: they do not compare.
"""
_TESTS = """## Differences

Points by which tree attention is ahead, and Welch's t-test over seeds, two-sided.
"""
_PARTS = """## Which relations, and how far

Eight heads in all rows; where both relations are there, one follows ancestors and seven siblings,
up to a distance of 7 if nothing else is said.
"""
_TRIALS = """## Trials

BLEU (sentence-add1) on the tenth of the training methods; no test method was read.
"""
_MACHINE = """## Machine

{processor}, {cores} cores, {threads} thread(s) a run, Python {python}, torch {torch},
torch-geometric {torch-geometric}, tree-sitter {tree-sitter}; last run {date}.
"""
