"""The rows of the table of programs, and the settings of each."""

from collections.abc import Mapping
from typing import Any

from _program_runs import Run, run_nearest, run_svm, run_trees

_TREES: dict[str, Any] = {
    "channels": 96,
    "layers": 2,
    "hidden": 192,
    "relations": {"ancestor": [4, 7], "sibling": [4, 7]},
    "dropout": 0.0,
    "label_smoothing": 0.1,
    "epochs": 6,
    "lr": 4e-3,
    "batch_size": 64,
    "schedule": "linear",
    "monitor": "accuracy",
    "average": 0.99,
    "matmul_precision": "medium",
}
_PATHS = {"path_level": [8, 4]}

# name: (how it is written in the table, what runs it, its settings)
ROWS: Mapping[str, tuple[str, Run, dict[str, Any]]] = {
    "svm_labels": ("LinearSVC on labels", run_svm, {"reach": 0}),
    "svm_pairs": ("LinearSVC on labels and pairs", run_svm, {"reach": 1}),
    "svm_chains": ("LinearSVC on labels, pairs and chains of three", run_svm, {"reach": 2}),
    "svm_chains_log": (
        "the same, logarithms of counts",
        run_svm,
        {"reach": 2, "sublinear_tf": True},
    ),
    "svm_row_log": (
        "LinearSVC on labels, and on two in a row, logarithms of counts",
        run_svm,
        {"reach": 0, "in_a_row": 2, "sublinear_tf": True},
    ),
    "nearest": ("TF-IDF of labels and pairs, nothing trained", run_nearest, {"reach": 1}),
    "tree": ("tree attention", run_trees, {**_TREES, "encoder": "tree"}),
    "bias": (
        "attention with a bias for path and level",
        run_trees,
        {**_TREES, "encoder": "bias", "relations": _PATHS},
    ),
    "gat": ("graph attention", run_trees, {**_TREES, "encoder": "gat"}),
    "gcn": ("graph convolution", run_trees, {**_TREES, "encoder": "gcn"}),
    "self": ("self-attention", run_trees, {**_TREES, "encoder": "self"}),
}
OF_PROTOCOL = {
    "classification": [row for row in ROWS if row != "nearest"],
    "retrieval": [row for row in ROWS if not row.startswith("svm")],
}
ONE_SEED = {row for row in ROWS if row.startswith("svm") or row == "nearest"}
