"""The page of the text classification table, from the kept runs."""

import json
import statistics
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import _text_rows
import _text_runs
import _text_words
import numpy as np
from _cells import PAGES, mean_cell, median_cell, trials_table, write_page
from matplotlib import rc_context
from numpy.typing import NDArray
from scipy.stats import ttest_1samp, ttest_ind, ttest_rel

from tgraph_attn.viz import draw_accuracy_by_size

CORPORA = ("R8", "R52", "Ohsumed")
SIZES = Path(__file__).parent / "results/text_classification_sizes.json"

# Published accuracies in per cent, as their authors, or pages that list them, state them; under the
# row that runs the same model here, or under none.
PUBLISHED = {
    "text_gcn": {
        "Text-GCN (Yao et al., AAAI 2019)": ("97.07", "93.56", "68.36"),
        "the same without edges between words (its author, text_gcn issue 21)": (
            "95.61",
            "92.41",
            "66.41",
        ),
    },
    "text_level_gnn": {
        "text-level GNN (Huang et al., EMNLP 2019)": ("97.8", "94.6", "69.4"),
        "text-level GNN, rerun by DiMarzioBian": ("96.30", "92.72", "53.97"),
        "text-level GNN, rerun by Cynwell": ("96.2", "", ""),
        "text-level GNN, rerun by LindgeW": ("91.9", "83.3", ""),
        "a similar text-level GCN (VirtualRoyalty)": ("97.4", "93.8", "68.9"),
    },
    "refit": {  # the last of our rows without a language model
        "S2GC, text (Zhu and Koniusz, ICLR 2021)": ("97.5", "94.5", "68.5"),
        "TensorGCN (Liu et al., AAAI 2020)": ("98.04", "95.05", "70.11"),
        "TextING (Zhang et al., ACL 2020)": ("98.04", "95.48", "70.42"),
    },
}
PAIRS = [
    ("sa_plain", "gcn_plain"),
    ("sa", "gcn"),
    ("sa_refit", "gcn_refit"),
    ("sa_plain", "text_gcn"),
    ("sa", "text_gcn"),
    ("sa_refit", "text_gcn"),
    ("sa", "gat"),
    ("gat", "gcn"),
    ("sa", "svm"),
    ("sa_refit", "svm"),
    ("best", "linear"),
]
# What was asked before any run, and the rows that may answer, the first of them as it was planned.
ASKED = {
    "SA of the pair": ((97.5, 94.7, 68.5), ("sa", "sa_refit")),
    "best without a language model": ((98.1, 95.6, 70.5), ("best", "refit")),
    "best with a sentence encoder": (
        (98.3, 96.3, 73.0),
        ("encoder_frozen", "encoder_refit", "mean", "mean_refit"),
    ),
}
# What earlier lines say of themselves that changes nothing.
NOTHING = {"prior_power": 0.0, "sublinear_tf": False}

Runs = dict[tuple[str, str], list[dict[str, Any]]]


def render(lines: list[dict[str, Any]], trials: list[dict[str, Any]], folder: Path = PAGES) -> None:
    """Write the page, and the figure of each corpus that has one, to a folder."""
    [(vectors, _)] = Counter(line["vectors"] for line in lines).most_common(1)
    runs: Runs = defaultdict(list)
    for line in lines:
        row, corpus = line["row"], line["corpus"]
        # Not those of other vectors, or of earlier settings.
        if (vectors, _text_rows.settings_of(row, corpus)) == (line["vectors"], line["settings"]):
            runs[row, corpus].append(line)
    folder.mkdir(parents=True, exist_ok=True)
    figures = [name for name in CORPORA if _draw(runs, name, folder)]
    last = max(lines, key=lambda line: line["machine"]["date"])
    tried = [{**line, "settings": {**NOTHING, **line["settings"]}} for line in trials]
    text = [
        _text_words.HEAD.format(vectors=vectors),
        *_table(runs),
        "",
        _text_words.SHOWN,
        _text_words.ASKED,
        *_asked(runs),
        "",
        _text_words.SETTINGS.format(**_counts(trials)),
        _text_words.TESTS,
        *_tests(runs),
        "",
        _text_words.FIGURES if figures else "",
        *(f"![{name}](text_classification_{name}.svg)\n" for name in figures),
        _text_words.TRIALS,
        *trials_table(tried, _given, "validation_accuracy"),
        "",
        _text_words.MACHINE.format(**last["machine"]),
    ]
    write_page(folder, "text_classification", text)


def _table(runs: Runs) -> list[str]:
    each = f"({', '.join(CORPORA)})"
    last = "parameters (R8)", f"core seconds {each}", f"peak MiB {each}"
    table = [f"| {' | '.join(['row', *CORPORA, *last])} |", "|---|" + "---:|" * 6]
    for row, (title, run, _) in _text_rows.ROWS.items():
        found = [runs.get((row, name), []) for name in CORPORA]
        if not any(found):
            continue
        cells = [mean_cell(lines, "test_accuracy") for lines in found]
        size = f"{found[0][0]['parameters']:,}" if found[0] else ""
        seconds = ", ".join(median_cell(lines, "cpu_s") for lines in found)
        peaks = ", ".join(map(_peak, found)) if run is not _text_runs.run_mean else ""
        table.append(f"| {' | '.join([title, *cells, size, seconds, peaks])} |")
        table += _published(row)
    return table


def _asked(runs: Runs) -> list[str]:
    """Return a table of what was asked, and of the rows that may answer; bold where one does."""
    table = [f"| | {' | '.join(CORPORA)} |", "|---|" + "---:|" * len(CORPORA)]
    for title, (asked, rows) in ASKED.items():
        table.append(f"| *asked: {title}* | {' | '.join(f'*{value}*' for value in asked)} |")
        for row in rows:
            cells = []
            for name, least in zip(CORPORA, asked, strict=True):
                values = [100 * line["test_accuracy"] for line in runs.get((row, name), [])]
                mean = statistics.mean(values) if values else 0.0
                reached = f"**{mean:.2f}**" if round(mean, 2) >= least else f"{mean:.2f}"
                cells.append(reached if values else "")
            table.append(f"| {' | '.join([_text_rows.ROWS[row][0], *cells])} |")
    return table


def _counts(trials: list[dict[str, Any]]) -> dict[str, int]:
    """Return how many lines of trials are of graph convolution, and of all residual rows."""
    residual = [
        line for line in trials if _text_rows.ROWS[line["row"]][2].get("skeleton") == "residual"
    ]
    of_gcn = sum(line["settings"]["conv"] == "gcn" for line in residual)
    return {"of_gcn": of_gcn, "of_residual": len(residual)}


def _peak(lines: list[dict[str, Any]]) -> str:
    """Return the most memory that a run took, in MiB."""
    return str(max((line["peak_mib"] for line in lines), default="-"))


def _published(row: str) -> list[str]:
    """Return what others state of the model of a row."""
    return [
        f"| *published: {title}* | {' | '.join(cell and f'*{cell}*' for cell in cells)} | | | |"
        for title, cells in PUBLISHED.get(row, {}).items()
    ]


def _tests(runs: Runs) -> list[str]:
    table = [f"| difference | {' | '.join(CORPORA)} |", "|---|" + "---:|" * len(CORPORA)]
    for one, other in PAIRS:
        least = 1 if other in _text_rows.ONE_SEED else 3
        cells = [
            _gap(runs.get((one, name), []), runs.get((other, name), []), least) for name in CORPORA
        ]
        titles = (_text_rows.ROWS[row][0] for row in (one, other))
        table.append(f"| {' minus '.join(titles)} | {' | '.join(cells)} |")
    return table


def _gap(one: list[dict[str, Any]], other: list[dict[str, Any]], least: int) -> str:
    """Return a difference of means in points, and its p over seeds and over test documents."""
    if len(one) < 3 or len(other) < least:
        return ""
    values = [[100 * line["test_accuracy"] for line in lines] for lines in (one, other)]
    gap = statistics.mean(values[0]) - statistics.mean(values[1])
    if len(other) > 1:
        of_seeds = ttest_ind(*values, equal_var=False).pvalue
    else:  # it draws nothing, so it has no spread
        of_seeds = ttest_1samp(values[0], values[1][0]).pvalue
    of_documents = ttest_rel(*map(_mean_correct, (one, other))).pvalue
    return f"{gap:+.2f} ({of_seeds:.2g}; {of_documents:.2g})"


def _given(line: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    row, corpus = line["row"], line["corpus"]
    return _text_rows.ROWS[row][0], {**NOTHING, **_text_rows.settings_of(row, corpus)}, corpus


def _draw(runs: Runs, name: str, folder: Path) -> bool:
    """Draw accuracy against the number of nodes, of the residual pair; the mean over seeds."""
    found = {title: runs.get((row, name)) for title, row in (("SA", "sa"), ("GCN", "gcn"))}
    if not all(found.values()) or not SIZES.exists():
        return False
    sizes = np.array(json.loads(SIZES.read_text(encoding="utf-8"))[name])
    correct = {title: _mean_correct(lines or []) for title, lines in found.items()}
    figure = draw_accuracy_by_size(sizes, correct, title=f"{name}: accuracy by number of nodes")
    with rc_context({"svg.hashsalt": name}):  # the same file from the same numbers
        path = folder / f"text_classification_{name}.svg"
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    return True


def _mean_correct(lines: list[dict[str, Any]]) -> NDArray[np.float64]:
    return np.mean([[int(c) for c in line["correct"]] for line in lines], axis=0)
