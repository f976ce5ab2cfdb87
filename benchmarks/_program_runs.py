"""What a row of the table of programs trains, and what comes out."""

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from tgraph_attn.datasets import POJ104
from tgraph_attn.metrics import map_at_r
from tgraph_attn.models import TreeClassifier
from tgraph_attn.training import TrainingSettings, fit_classifier, split_validation

SPLITS = ("train", "val", "test")


@dataclasses.dataclass
class Outcome:
    """What a run gives: fractions, core seconds, and which test programs are right."""

    validation_accuracy: float
    correct: NDArray[np.bool_] | None
    map_at_r: float | None
    epoch: int | None
    parameters: int
    cpu_s: float
    curve: list[float] = dataclasses.field(default_factory=list)


Splits = dict[str, POJ104]


def load(data: str, task: str, protocol: str) -> Splits:
    """Return the programs of all splits."""
    return {split: POJ104(data, task, split, protocol=protocol) for split in SPLITS}


def run_svm(
    splits: Splits, settings: dict[str, Any], seed: int, test: bool, checkpoint: Path
) -> Outcome:
    """Train scikit-learn's LinearSVC, as it comes, on TF-IDF of the words of trees."""
    start = time.process_time()
    tfidf = TfidfVectorizer(
        tokenizer=lambda data: chains(data, settings["reach"]),
        token_pattern=None,
        lowercase=False,
        ngram_range=(1, settings.get("in_a_row", 1)),
        sublinear_tf=settings.get("sublinear_tf", False),
    )
    x = {"train": tfidf.fit_transform(splits["train"])}
    for split in SPLITS[1 : 2 + test]:
        x[split] = tfidf.transform(splits[split])
    y = {split: labels(splits[split]) for split in SPLITS}
    machine = LinearSVC().fit(x["train"], y["train"])
    right = {split: machine.predict(x[split]) == y[split] for split in SPLITS[1 : 2 + test]}
    size = machine.coef_.size + machine.intercept_.size
    correct = right.get("test")
    spent = time.process_time() - start
    return Outcome(float(right["val"].mean()), correct, None, None, size, spent)


def run_nearest(
    splits: Splits, settings: dict[str, Any], seed: int, test: bool, checkpoint: Path
) -> Outcome:
    """Let each program find others by the cosine of their TF-IDF; nothing is trained."""
    start = time.process_time()
    reach = settings["reach"]
    tfidf = TfidfVectorizer(analyzer=lambda data: chains(data, reach)).fit(splits["train"])
    found = {}
    for split in SPLITS[1 : 2 + test]:
        x = tfidf.transform(splits[split]).toarray()
        found[split] = map_at_r(x, labels(splits[split]))
    spent = time.process_time() - start
    return Outcome(found["val"], None, found.get("test"), None, 0, spent)


def run_trees(
    splits: Splits, settings: dict[str, Any], seed: int, test: bool, checkpoint: Path
) -> Outcome:
    """Train a classifier of trees."""
    start = time.process_time()
    torch.manual_seed(seed)
    fields = {field.name for field in dataclasses.fields(TrainingSettings)}
    training = {name: value for name, value in settings.items() if name in fields}
    rest = {name: value for name, value in settings.items() if name not in fields}
    torch.set_float32_matmul_precision(rest.pop("matmul_precision"))
    retrieval = splits["test"].settings["protocol"] == "retrieval"
    names = splits["train"].classes[: 64 if retrieval else None]
    model = TreeClassifier(splits["train"].vocab, names, **rest)
    parts: dict[str, Any] = {split: splits[split].copy() for split in SPLITS}
    for part in parts.values():
        part.transform = model.transform
    if retrieval:  # the classes of "val" are no classes of the model
        train, held = split_validation(len(parts["train"]), fraction=0.05, seed=seed)
        train, held = parts["train"][train], parts["train"][held]
    else:
        train, held = parts["train"], parts["val"]
    train = [*train]  # with their edges, which are the same in each epoch
    history = fit_classifier(
        model, train, held, TrainingSettings(seed=seed, **training), checkpoint=checkpoint
    )
    accuracy, correct, score = history.validation_accuracy[history.best_epoch - 1], None, None
    if retrieval:
        of_val = map_at_r(*embedded(model, parts["val"]))
        accuracy, score = of_val, map_at_r(*embedded(model, parts["test"])) if test else None
    elif test:
        correct = right(model, parts["test"])
    return Outcome(
        accuracy,
        correct,
        score,
        history.best_epoch,
        sum(weight.numel() for weight in model.parameters()),
        time.process_time() - start,
        history.validation_accuracy,
    )


Run = Callable[[Splits, dict[str, Any], int, bool, Path], Outcome]


def chains(data: Data, reach: int) -> list[str]:
    """Return the label of each node, and with it those of up to reach nodes above it."""
    label, parent = list(map(str, data.x.tolist())), data.parent_index.tolist()
    above = [-1 if place == node else place for node, place in enumerate(parent)]
    words, chain, up = list(label), label, above
    for _ in range(reach):
        chain = [f"{label[a]}>{c}" if a >= 0 else "" for a, c in zip(up, chain, strict=True)]
        words += [word for word in chain if word]
        up = [-1 if a < 0 else above[a] for a in up]
    return words


def labels(programs: POJ104) -> NDArray[np.int64]:
    """Return the class of each program."""
    return programs._data.y.numpy()[list(programs.indices())]


@torch.no_grad()
def right(model: TreeClassifier, programs: Sequence[Data]) -> NDArray[np.bool_]:
    """Return for each program whether its class is found."""
    model.eval()
    found = [model(batch).argmax(1) == batch.y for batch in DataLoader(programs, 128)]
    return torch.cat(found).numpy()


def embedded(
    model: TreeClassifier, programs: Sequence[Data]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the vector of each program, and its class."""
    found = [(model.embed(batch), batch.y) for batch in DataLoader(programs, 128)]
    vectors, y = (torch.cat(part).numpy() for part in zip(*found, strict=True))
    return vectors, y
