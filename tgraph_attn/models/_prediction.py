"""What a classifier says of one graph."""

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor


class Prediction(NamedTuple):
    """What a model says of a graph.

    Attributes:
        label: The likeliest class.
        probabilities: The probability of each class, the likeliest first.
    """

    label: str
    probabilities: dict[str, float]


def prediction(probability: Tensor, classes: Sequence[str]) -> Prediction:
    """Return the probabilities of one graph's classes, `[K]`, with their names."""
    order = probability.argsort(descending=True, stable=True).tolist()
    named = {classes[number]: float(probability[number]) for number in order}
    return Prediction(classes[order[0]], named)
