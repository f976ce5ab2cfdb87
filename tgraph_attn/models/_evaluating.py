"""Asking a model that may be in training."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch.nn import Module


@contextmanager
def evaluating(model: Module) -> Iterator[None]:
    """Put the model in evaluation mode, and each of its parts back to its own afterwards."""
    trained = [part for part in model.modules() if part.training]
    model.eval()
    try:
        yield
    finally:
        for part in trained:
            part.training = True
