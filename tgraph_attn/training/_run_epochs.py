"""Epoch after epoch, and the weights of the best one."""

import copy
import dataclasses
import math
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from tqdm import tqdm

from tgraph_attn import __version__
from tgraph_attn.training._checkpoint import (
    about_model,
    fingerprint_graphs,
    load_checkpoint,
    save_checkpoint,
)
from tgraph_attn.training.history import History
from tgraph_attn.training.training_settings import TrainingSettings

_OPTIMIZERS = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
_RISE = 100  # steps
_LEAST = 0.02  # of the step size


def run_epochs(
    owner: str,
    model: Module,
    train: Sequence[Data],
    held: Sequence[Data],
    validate: Callable[[Module], dict[str, float]],
    settings: TrainingSettings,
    *,
    log: bool,
    checkpoint: str | os.PathLike[str] | None = None,
) -> History:
    """Train a model, and leave it with the weights of the epoch that validates best, or the last.

    Args:
        owner: Who trains, for errors.
        model: The model; it has `loss(batch)`.
        train: The graphs to train on.
        held: The validation graphs.
        validate: Returns the numbers of a model on these, by name: its "loss", and what else may be
            monitored.
        settings: How to train.
        log: Show the progress.
        checkpoint: A file that is written after each epoch. If it is there, the run goes on from
            it, and ends with the same bits as one that was not stopped.

    Raises:
        ValueError: The validation loss is no longer a number: then the model has the best weights
            before that; or checkpoint is of another run.
    """
    torch.manual_seed(settings.seed)
    history = History()
    loader = DataLoader(train, settings.batch_size, shuffle=True)
    optimizer = _OPTIMIZERS[settings.optimizer](
        _groups(model, settings),
        settings.lr,
        eps=settings.eps,
        weight_decay=settings.weight_decay,
        fused=True,
    )
    steps = settings.epochs * len(loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: _factor(step, steps) if settings.schedule == "linear" else 1.0
    )
    mean = None
    if settings.average:
        average = get_ema_multi_avg_fn(settings.average)  # type: ignore[no-untyped-call]
        mean = AveragedModel(model, multi_avg_fn=average)
    best, weights = (-math.inf, -math.inf), copy.deepcopy(model.state_dict())
    parts: dict[str, Any] = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    if mean is not None:
        parts["mean"] = mean
    run: dict[str, Any] = {}
    if checkpoint is not None:
        run = {
            "version of tgraph_attn": __version__,
            "settings": dataclasses.asdict(settings),
            "number of graphs": len(train),
            "graphs": fingerprint_graphs(train, settings.seed),
            "number of validation graphs": len(held),
            "validation graphs": fingerprint_graphs(held, settings.seed),
            **about_model(model),
        }
        if (state := load_checkpoint(owner, checkpoint, run)) is not None:
            for name, part in parts.items():
                part.load_state_dict(state[name])
            best, weights = tuple(state["best"]), state["weights"]
            history = History(**state["history"])
            torch.set_rng_state(state["random"])
    start = time.perf_counter() - history.seconds
    epochs = tqdm(
        range(1, settings.epochs + 1),
        "Training",
        unit=" epochs",
        disable=not log,
        initial=len(history.train_loss),
    )
    for epoch in range(len(history.train_loss) + 1, settings.epochs + 1):
        if settings.patience is not None and epoch - 1 - history.best_epoch >= settings.patience:
            break
        history.train_loss.append(_epoch(model, loader, optimizer, scheduler, mean, settings))
        candidate = model if mean is None else mean.module
        with torch.autocast("cpu", torch.bfloat16, enabled=settings.autocast):
            numbers = validate(candidate)
        for name, value in numbers.items():
            getattr(history, f"validation_{name}").append(value)
        if not math.isfinite(numbers["loss"]):
            model.load_state_dict(weights)
            raise ValueError(
                f"{owner}: the loss must stay a number, but is {numbers['loss']} after epoch "
                f"{epoch}. Take a smaller lr, or set clip."
            )
        score = _score(settings.monitor, numbers, epoch)
        if score > best:
            best, history.best_epoch = score, epoch
            weights = copy.deepcopy(candidate.state_dict())
        history.seconds = time.perf_counter() - start
        if checkpoint is not None:
            state = {name: part.state_dict() for name, part in parts.items()}
            state |= {"best": best, "weights": weights, "history": dataclasses.asdict(history)}
            save_checkpoint(owner, checkpoint, run, {**state, "random": torch.get_rng_state()})
        shown = {name: f"{value:.4f}" for name, value in numbers.items() if name != "loss"}
        epochs.set_postfix(loss=f"{history.train_loss[-1]:.3f}", **shown, refresh=False)
        epochs.update()
    epochs.close()
    model.load_state_dict(weights)
    model.eval()
    return history


def _epoch(
    model: Module,
    loader: DataLoader,
    optimizer: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler,
    mean: AveragedModel | None,
    settings: TrainingSettings,
) -> float:
    """Make one pass over the graphs, and return their mean loss."""
    model.train()
    total, count = 0.0, 0
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=settings.autocast):
            loss: Tensor = model.loss(batch)  # type: ignore[operator]
        loss.backward()  # type: ignore[no-untyped-call]
        if settings.clip is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        optimizer.step()
        scheduler.step()
        if mean is not None:
            mean.update_parameters(model)
        total += float(loss.detach()) * batch.num_graphs
        count += batch.num_graphs
    return total / count


def _score(monitor: str, numbers: dict[str, float], epoch: int) -> tuple[float, float]:
    """Return what is greater for a better epoch."""
    if monitor == "last":
        return (epoch, 0.0)
    if monitor == "loss":
        return (-numbers["loss"], 0.0)
    return (numbers[monitor], -numbers["loss"])


def _groups(model: Module, settings: TrainingSettings) -> list[dict[str, object]]:
    """Return the parts of a model that take steps of their own size, and the rest."""
    sizes = {"": settings.lr, "words.": settings.word_lr, "encoder.": settings.encoder_lr}
    groups: dict[str, list[Tensor]] = {prefix: [] for prefix in sizes}
    for name, weight in model.named_parameters():
        prefix = max((part for part in sizes if name.startswith(part)), key=len)
        groups[prefix].append(weight)
    return [
        {"params": weights, "lr": sizes[prefix] or settings.lr}
        for prefix, weights in groups.items()
        if weights
    ]


def _factor(step: int, steps: int) -> float:
    return min(1.0, (step + 1) / _RISE) * max(_LEAST, 1 - step / steps)
