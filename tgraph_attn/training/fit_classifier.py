"""Training of a classifier of graphs."""

import os
from collections.abc import Sequence

import torch
from torch.nn import Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import CLASS_HINT, check_labelled, check_range
from tgraph_attn.training._run_epochs import run_epochs
from tgraph_attn.training.history import History
from tgraph_attn.training.training_settings import TrainingSettings


def fit_classifier(
    model: Module,
    train: Sequence[Data],
    validation: Sequence[Data],
    settings: TrainingSettings | None = None,
    *,
    log: bool = True,
    checkpoint: str | os.PathLike[str] | None = None,
) -> History:
    """Train a model, and leave it with the weights of the epoch that validates best, or the last.

    The model has `loss(batch)`, and gives the logits of each graph. Where it has `words`, its
    vectors of words, or `encoder`, a pre-trained one, these take steps of their own size. The same
    seed gives the same bits. It trains on the CPU, and draws by torch's global generator.

    Args:
        model: The model; trained in place.
        train: The graphs to train on, each with its class y.
        validation: Others, to choose the epoch on. Never those of a test.
        settings: How to train; `TrainingSettings()` if None.
        log: Show the progress.
        checkpoint: A file to write after each epoch. If it is there, the run goes on from it, and
            ends with the same bits as one that was not stopped; if it is whole, nothing is left to
            do. The model must begin with the same weights, and the graphs be the same.

    Returns:
        The numbers of each epoch.

    Raises:
        ValueError: There is nothing to train or to validate on; a graph has no class y, or one that
            the model has no logit for; the loss is no longer a number: then the model has the best
            weights before that; settings monitor a BLEU; or checkpoint is no such file, or one of
            another run, model or version.
        FileNotFoundError: The folder of checkpoint is not there.
    """
    owner, settings = "fit_classifier", TrainingSettings() if settings is None else settings
    check_type(owner, "settings", settings, TrainingSettings, "Pass TrainingSettings(epochs=10).")
    if settings.monitor == "bleu":
        raise ValueError(
            f'{owner}: settings must monitor "accuracy", "loss" or "last", but monitor "bleu". '
            'Pass TrainingSettings(monitor="accuracy").'
        )
    if not len(train) or not len(validation):
        raise ValueError(
            f"{owner}: train and validation must have graphs, but have {len(train)} and "
            f"{len(validation)}. split_validation holds some back."
        )
    _check_labels(owner, model, settings, train=train, validation=validation)
    held = list(DataLoader(validation, 4 * settings.batch_size))

    def validate(candidate: Module) -> dict[str, float]:
        accuracy, loss = evaluate(candidate, held)
        return {"accuracy": accuracy, "loss": loss}

    return run_epochs(
        owner, model, train, validation, validate, settings, log=log, checkpoint=checkpoint
    )


@torch.no_grad()
def evaluate(model: Module, batches: Sequence[Data]) -> tuple[float, float]:
    """Return the fraction of graphs whose class is found, and the mean cross entropy in nats."""
    model.eval()
    found, loss, count = 0, 0.0, 0
    for batch in batches:
        logits = model(batch)
        found += int((logits.argmax(dim=1) == batch.y).sum())
        loss += float(cross_entropy(logits.float(), batch.y, reduction="sum"))
        count += len(batch.y)
    return found / count, loss / count


@torch.no_grad()
def _check_labels(
    owner: str, model: Module, settings: TrainingSettings, **parts: Sequence[Data]
) -> None:
    """Raise ValueError unless each graph has a class that the model gives a logit for."""
    labels = {name: check_labelled(owner, name, graphs) for name, graphs in parts.items()}
    model.eval()
    with torch.autocast("cpu", torch.bfloat16, enabled=settings.autocast):
        num_classes = model(next(iter(DataLoader(parts["validation"], 1)))).size(1)
    for name, y in labels.items():
        check_range(owner, f"y of {name}", y, num_classes, CLASS_HINT)
