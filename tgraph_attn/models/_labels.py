"""The classes of documents, and the loss of what is said of them."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import CLASS_HINT, check_range


def check_classes(owner: str, classes: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the classes, or raise unless they are at least two different str."""
    hint = "Pass the names by number, such as TextCorpus.classes."
    check_type(owner, "classes", classes, (list, tuple), hint)
    for name in classes:
        check_type(owner, "each class", name, str, hint)
    if len(set(classes)) != len(classes) or len(classes) < 2:
        raise ValueError(
            f"{owner}: classes must be at least two different names, but are {list(classes)}. "
            f"{hint}"
        )
    return tuple(classes)


def check_prior(owner: str, prior: Sequence[float] | None, classes: Sequence[str]) -> Tensor | None:
    """Return the logarithms of what is expected of each class, `[K]`, or raise ValueError."""
    if prior is None:
        return None
    values = torch.as_tensor(prior, dtype=torch.float32)
    if values.shape != (len(classes),) or not (values > 0).all() or values.isinf().any():
        raise ValueError(
            f"{owner}: class_prior must be {len(classes)} positive numbers, one for each class, "
            f"but is {values.tolist()}. Count the training documents of each, and take the root, "
            "for example."
        )
    return values.log()


def classification_loss(
    owner: str, logits: Tensor, batch: Data, smoothing: float = 0.0, prior: Tensor | None = None
) -> Tensor:
    """Return the mean cross entropy of batch.y, with the logits shifted by a prior's logarithms."""
    y = check_labels(owner, batch, logits)
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))  # also under autocast
    if prior is not None:
        logits = logits + prior
    return cross_entropy(logits, y, label_smoothing=smoothing)


def check_labels(owner: str, batch: Data, logits: Tensor) -> Tensor:
    """Return batch.y, or raise ValueError unless it has a class of these for each document."""
    y = batch.y
    if y is None or y.dtype != torch.int64 or y.shape != logits.shape[:1]:
        found = "None" if y is None else f"{y.dtype} of shape {list(y.shape)}"
        raise ValueError(
            f"{owner}: y must be int64 of shape [{logits.size(0)}], a class for each document, but "
            f"got {found}. Set data.y before batching, or ask for predict."
        )
    if not torch.compiler.is_compiling():
        check_range(owner, "y", y, logits.size(1), CLASS_HINT)
    return y


def check_numbers(owner: str, num_documents: int, **documents: Tensor) -> None:
    """Raise ValueError unless these are numbers of documents, one at least."""
    for name, numbers in documents.items():
        if numbers.dtype != torch.int64 or numbers.dim() != 1 or not len(numbers):
            raise ValueError(
                f"{owner}: {name} must be int64 of shape [M], the numbers of one document or more, "
                f"but got {numbers.dtype} of shape {list(numbers.shape)}. split_validation returns "
                "such numbers."
            )
        hint = "Number the documents from 0 on, those of train first."
        check_range(owner, name, numbers, num_documents, hint)
