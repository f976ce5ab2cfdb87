"""The rows of the table of summaries, and the settings of each."""

from collections.abc import Mapping
from typing import Any

from _summary_runs import Run, run_model, run_nearest

_MODEL: dict[str, Any] = {
    "form": "tree",
    "max_nodes": 200,
    "min_count": 2,
    "channels": 128,
    "layers": 2,
    "hidden": 256,
    "relations": {"ancestor": [1, 7], "sibling": [7, 7]},
    "dropout": 0.0,
    "label_smoothing": 0.1,
    "epochs": 8,
    "optimizer": "adamw",
    "eps": 1e-6,
    "weight_decay": 0.01,
    "lr": 2e-3,
    "batch_size": 32,
    "schedule": "linear",
    "monitor": "bleu",
    "matmul_precision": "medium",
}
_SEQUENCE = {**_MODEL, "encoder": "self", "positions": True}
_TREE = {**_MODEL, "encoder": "tree"}


def _both(reach: int) -> dict[str, Any]:
    return {**_TREE, "relations": {"ancestor": [1, reach], "sibling": [7, reach]}}


# name: (how it is written in the table, what runs it, its settings)
ROWS: Mapping[str, tuple[str, Run, dict[str, Any]]] = {
    "nearest": (
        "nearest neighbour by TF-IDF of tokens",
        run_nearest,
        {"form": "code", "max_nodes": 200, "min_count": 1},
    ),
    "code": ("Transformer on code", run_model, {**_SEQUENCE, "form": "code"}),
    "brackets": (  # four of them are a node; 400 is what fits into the time of the others
        "Transformer on brackets (SBT)",
        run_model,
        {**_SEQUENCE, "form": "brackets", "max_nodes": 400},
    ),
    "paths": ("Transformer on paths (PD)", run_model, {**_SEQUENCE, "form": "paths"}),
    "preorder": (
        "Transformer on nodes in pre-order (POT), relative positions",
        run_model,
        {**_TREE, "relations": {"place": [8, 32]}},
    ),
    "gcn": ("graph convolution", run_model, {**_MODEL, "encoder": "gcn"}),
    "gat": ("graph attention", run_model, {**_MODEL, "encoder": "gat"}),
    "tree_lstm": ("Tree-LSTM", run_model, {**_MODEL, "encoder": "tree_lstm"}),
    "ast_trans": ("tree attention (AST-Trans)", run_model, _TREE),
    "ancestor": (
        "tree attention, ancestors alone",
        run_model,
        {**_TREE, "relations": {"ancestor": [8, 7]}},
    ),
    "sibling": (
        "tree attention, siblings alone",
        run_model,
        {**_TREE, "relations": {"sibling": [8, 7]}},
    ),
    **{
        f"reach_{reach}": (f"tree attention, distances up to {reach}", run_model, _both(reach))
        for reach in (1, 3, 5, 10)
    },
}
MAIN = [*ROWS][: [*ROWS].index("ancestor")]
PARTS = ["ast_trans", *[*ROWS][len(MAIN) :]]
ONE_SEED = {"nearest"}
