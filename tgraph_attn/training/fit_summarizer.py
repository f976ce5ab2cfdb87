"""Training of a model that writes words about trees."""

import os
from collections.abc import Sequence

import torch
from torch.nn import Module
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import check_summaries
from tgraph_attn.metrics.bleu import bleu
from tgraph_attn.training._run_epochs import run_epochs
from tgraph_attn.training.history import History
from tgraph_attn.training.training_settings import TrainingSettings
from tgraph_attn.vocab import Vocab


def fit_summarizer(
    model: Module,
    train: Sequence[Data],
    validation: Sequence[Data],
    settings: TrainingSettings | None = None,
    *,
    log: bool = True,
    checkpoint: str | os.PathLike[str] | None = None,
) -> History:
    """Train a model of sequences, and leave it with the weights of the epoch that writes best.

    The model has `loss(batch)` and `predict(batch)`, as `ASTTrans` has; each graph has y and
    target, as `CodeSummaries` makes them. After each epoch it writes the likeliest words about the
    validation graphs; the greatest BLEU ("sentence-add1", of the whole targets) chooses the epoch
    where settings.monitor is "bleu". The same seed gives the same bits. It trains on the CPU, and
    draws by torch's global generator.

    Args:
        model: The model; trained in place.
        train: The graphs to train on.
        validation: Others, to choose the epoch on. Never those of a test.
        settings: How to train, with a monitor; `TrainingSettings(monitor="bleu")` if None. Nearest
            to the code of AST-Trans are `optimizer="adamw"`, `eps=1e-6` and `weight_decay=0.01`.
        log: Show the progress.
        checkpoint: A file to write after each epoch: the weights, and what tells the run, with the
            arguments and vocabularies of the model, so `torch.load(file, weights_only=True)` reads
            it anywhere. If it is there, the run goes on from it, and ends with the same bits as one
            that was not stopped; if it is whole, nothing is left to do. The model must begin with
            the same weights, and the graphs be the same.

    Returns:
        The numbers of each epoch. validation_loss is the mean of a word, in nats.

    Raises:
        ValueError: There is nothing to train or to validate on; a graph has no y, or no word in its
            target; settings monitor an accuracy; the loss is no longer a number: then the model has
            the best weights before that; or checkpoint is no such file, or one of another run,
            vocabulary or version.
        FileNotFoundError: The folder of checkpoint is not there.
    """
    owner = "fit_summarizer"
    settings = TrainingSettings(monitor="bleu") if settings is None else settings
    hint = 'Pass TrainingSettings(monitor="bleu").'
    check_type(owner, "settings", settings, TrainingSettings, hint)
    if settings.monitor == "accuracy":
        raise ValueError(
            f'{owner}: settings must monitor "bleu", "loss" or "last", but monitor "accuracy". '
            f"{hint}"
        )
    if not len(train) or not len(validation):
        raise ValueError(
            f"{owner}: train and validation must have graphs, but have {len(train)} and "
            f"{len(validation)}. split_validation holds some back."
        )
    check_summaries(owner, "train", train)
    references = check_summaries(owner, "validation", validation)
    held = list(DataLoader(validation, 4 * settings.batch_size))

    def validate(candidate: Module) -> dict[str, float]:
        said, loss = write(candidate, held)
        return {"bleu": bleu(said, references, variant="sentence-add1"), "loss": loss}

    return run_epochs(
        owner, model, train, validation, validate, settings, log=log, checkpoint=checkpoint
    )


@torch.no_grad()
def write(model: Module, batches: Sequence[Data]) -> tuple[list[list[str]], float]:
    """Return the words that a model writes about each graph, and its mean loss of a word."""
    model.eval()
    said: list[list[str]] = []
    loss, count = 0.0, 0
    for batch in batches:
        said += model.predict(batch)  # type: ignore[operator]
        words = int((batch.y != Vocab.PAD).sum())
        loss += float(model.loss(batch)) * words  # type: ignore[operator]
        count += words
    return said, loss / count
