"""Training of a classifier of graphs."""

import copy
import math
import time
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import cross_entropy
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from tqdm import tqdm

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import CLASS_HINT, check_labelled, check_range
from tgraph_attn.training.history import History
from tgraph_attn.training.training_settings import TrainingSettings

_RISE = 100  # steps
_LEAST = 0.02  # of the step size


def fit_classifier(
    model: Module,
    train: Sequence[Data],
    validation: Sequence[Data],
    settings: TrainingSettings | None = None,
    *,
    log: bool = True,
) -> History:
    """Train a model, and leave it with the weights of the epoch that validates best, or the last.

    The model has `loss(batch)`, and gives the logits of each graph. Where it has `words`, its
    vectors of words, or `encoder`, a pre-trained one, these take steps of their own size. A run is
    not taken up again where it stopped: it takes minutes, and the same seed gives the same bits.
    Start it anew. It trains on the CPU, and draws by torch's global generator.

    Args:
        model: The model; trained in place.
        train: The graphs to train on, each with its class y.
        validation: Others, to choose the epoch on. Never those of a test.
        settings: How to train; `TrainingSettings()` if None.
        log: Show the progress.

    Returns:
        The numbers of each epoch.

    Raises:
        ValueError: There is nothing to train or to validate on; a graph has no class y, or one that
            the model has no logit for; or the loss is no longer a number: then the model has the
            best weights before that.
    """
    owner, settings = "fit_classifier", TrainingSettings() if settings is None else settings
    check_type(owner, "settings", settings, TrainingSettings, "Pass TrainingSettings(epochs=10).")
    if not len(train) or not len(validation):
        raise ValueError(
            f"{owner}: train and validation must have graphs, but have {len(train)} and "
            f"{len(validation)}. split_validation holds some back."
        )
    _check_labels(owner, model, settings, train=train, validation=validation)
    held = list(DataLoader(validation, 4 * settings.batch_size))
    torch.manual_seed(settings.seed)
    start, history = time.perf_counter(), History()
    loader = DataLoader(train, settings.batch_size, shuffle=True)
    optimizer = torch.optim.Adam(
        _groups(model, settings), settings.lr, weight_decay=settings.weight_decay, fused=True
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
    epochs = tqdm(range(1, settings.epochs + 1), "Training", unit=" epochs", disable=not log)
    for epoch in epochs:
        model.train()
        total = 0.0
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
        history.train_loss.append(total / len(train))
        candidate = model if mean is None else mean.module
        with torch.autocast("cpu", torch.bfloat16, enabled=settings.autocast):
            accuracy, held_loss = evaluate(candidate, held)
        history.validation_accuracy.append(accuracy)
        history.validation_loss.append(held_loss)
        if not math.isfinite(held_loss):
            model.load_state_dict(weights)
            raise ValueError(
                f"{owner}: the loss must stay a number, but is {held_loss} after epoch "
                f"{epoch}. Take a smaller lr, or set clip."
            )
        scores = {"accuracy": (accuracy, -held_loss), "loss": (-held_loss, 0.0), "last": (epoch, 0)}
        score = scores[settings.monitor]
        if score > best:
            best, history.best_epoch = score, epoch
            weights = copy.deepcopy(candidate.state_dict())
        epochs.set_postfix(loss=f"{history.train_loss[-1]:.3f}", accuracy=f"{accuracy:.4f}")
        if settings.patience is not None and epoch - history.best_epoch >= settings.patience:
            break
    model.load_state_dict(weights)
    model.eval()
    history.seconds = time.perf_counter() - start
    return history


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
