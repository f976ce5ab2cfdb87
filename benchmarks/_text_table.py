"""The page of the text classification table, from the kept runs."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import _text_rows
import numpy as np
from _cells import gap_cell, mean_cell, median_cell, trials_table
from matplotlib import rc_context
from numpy.typing import NDArray

from tgraph_attn.viz import draw_accuracy_by_size

CORPORA = ("R8", "R52", "Ohsumed")
PAGES = Path(__file__).parents[1] / "docs/pages/results"
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
        "a similar text-level GCN (VirtualRoyalty)": ("97.4", "93.8", "68.9"),
    },
    "": {
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
]

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
    text = [
        _HEAD.format(vectors=vectors),
        *_table(runs),
        "",
        _TESTS,
        *_tests(runs),
        "",
        _FIGURES if figures else "",
        *(f"![{name}](text_classification_{name}.svg)\n" for name in figures),
        _TRIALS,
        *trials_table(trials, _given, "validation_accuracy"),
        "",
        _MACHINE.format(**last["machine"]),
    ]
    page = "\n".join(text).rstrip() + "\n"
    (folder / "text_classification.md").write_text(page, encoding="utf-8")


def _table(runs: Runs) -> list[str]:
    head = " | ".join(["row", *CORPORA, "parameters (R8)", "core seconds (R8, R52, Ohsumed)"])
    table = [f"| {head} |", "|---|" + "---:|" * (len(CORPORA) + 2)]
    for row, (title, _, _) in _text_rows.ROWS.items():
        found = [runs.get((row, name), []) for name in CORPORA]
        if not any(found):
            continue
        cells = [mean_cell(lines, "test_accuracy") for lines in found]
        size = f"{found[0][0]['parameters']:,}" if found[0] else ""
        seconds = ", ".join(median_cell(lines, "cpu_s") for lines in found)
        table.append(f"| {' | '.join([title, *cells, size, seconds])} |")
        table += _published(row)
    return table + _published("")


def _published(row: str) -> list[str]:
    """Return what others state of the model of a row; "" for models that have none here."""
    return [
        f"| *published: {title}* | {' | '.join(f'*{cell}*' for cell in cells)} | | |"
        for title, cells in PUBLISHED.get(row, {}).items()
    ]


def _tests(runs: Runs) -> list[str]:
    table = [f"| difference | {' | '.join(CORPORA)} |", "|---|" + "---:|" * len(CORPORA)]
    for one, other in PAIRS:
        cells = []
        for name in CORPORA:
            both = (runs.get((row, name), []) for row in (one, other))
            cells.append(gap_cell(*both, "test_accuracy", least=3))
        titles = (_text_rows.ROWS[row][0] for row in (one, other))
        table.append(f"| {' minus '.join(titles)} | {' | '.join(cells)} |")
    return table


def _given(line: dict[str, Any]) -> tuple[str, dict[str, Any], str]:
    row, corpus = line["row"], line["corpus"]
    return _text_rows.ROWS[row][0], _text_rows.settings_of(row, corpus), corpus


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


_HEAD = """# Text classification: graph convolution against self-attention

Accuracy on the test documents in per cent, mean and standard deviation over seeds, their number in
brackets. Made by `benchmarks/text_classification.py`; each run is a line of
`benchmarks/results/text_classification.jsonl`. A cell without a number has not been run yet.

Statistics of words are counted over train and test texts, without labels, as the literature does
(transductive). A tenth of the training documents, drawn by the seed, chooses the epoch; TextGCN
stops by it, and keeps its last weights, as its released code does. The first row, and each linear
path once it is weighed on that tenth, are fitted on all training documents. So that the layers are
on an equal footing with these, rows called "trained anew on all" begin again with the same
settings, train on all training documents, and keep the weights of the last epoch: R52 has classes
with one or two documents to learn from. Rows called "mean" average the log-probabilities of two
runs of the same seed. Word vectors: `{vectors}`.

Rows called plain, TextGCN and TextLevelGNN have the settings that their papers tell, and where
these are silent (width, heads, what is read, patience) those of Text-GCN and ours. The settings of
the others were first sought by hand on documents held back from Ohsumed's training documents, which
is not logged, and then chosen from the trials below, on a fifth of the training documents. They are
the same for all corpora, but that no label is smoothed on R52. Not all rows had as many trials.
The words of these rows have wider vectors, which also tell what a word comes with in the corpus
(`WordVectors.with_corpus`).

Lines in italics are published numbers, as their authors, or those who reran them, state them. Of
the comparison paper itself we know no number: it says that self-attention is ahead of graph
convolution on all three, by more from R8 to R52 to Ohsumed.
"""
_TESTS = """## Differences

Difference of the means in points, and Welch's t-test over seeds, two-sided.
"""
_FIGURES = """## Accuracy by number of nodes

The residual pair, in eight groups of test documents by number of nodes, the mean over seeds.
"""
_TRIALS = """## Trials

Accuracy in per cent on a fifth of the training documents, held back, the mean over seeds; no
test document was read, and no linear path was fitted on that fifth.
"""
_MACHINE = """## Machine

{processor}, {cores} cores, {threads} thread(s) a run, Python {python}, torch {torch},
torch-geometric {torch-geometric}; last run {date}.
"""
