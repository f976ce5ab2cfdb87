"""How a model is trained."""

import math
from dataclasses import dataclass

from tgraph_attn._checks import check_choice, check_fraction, check_positive, check_type


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """Everything that `fit_classifier` and `fit_summarizer` go by, all of it plain JSON.

    Attributes:
        epochs: How many passes over the training documents to make at most.
        batch_size: How many documents a step sees.
        optimizer: "adam", or "adamw" for a weight decay apart from the gradient.
        lr: Its step size.
        word_lr: That of the vectors of words; lr if None. A rare word is seen in few steps.
        encoder_lr: That of what a model calls its encoder; lr if None, which is too great for most
            pre-trained ones.
        eps: What it adds to the root of the mean square of a gradient.
        weight_decay: The factor of the L2 penalty; of "adamw", which part of lr a weight loses.
        schedule: "constant", or "linear" for a rise in the first 100 steps and then a fall to a
            fiftieth of lr.
        monitor: What the epoch is chosen by, on the validation documents: the greatest "accuracy",
            or of what is written the greatest "bleu", of equal ones the smallest loss; the smallest
            "loss"; or nothing, for the "last" one.
        patience: After how many epochs without a better one to stop; None to make them all.
        clip: The greatest norm that a gradient may have; None for any.
        average: How much of their average over the steps before the weights that are validated
            keep at each step, such as 0.99; 0 for the last weights themselves.
        autocast: Whether products are in bfloat16, which is faster on processors that have it; in
            validation too: without it the model may say another class of a graph or two.
        seed: What dropout and the order of the documents are drawn by.

    Raises:
        TypeError: A value is of another type.
        ValueError: A number is out of range, or a word is not one of these.
    """

    epochs: int = 20
    batch_size: int = 32
    optimizer: str = "adam"
    lr: float = 1e-3
    word_lr: float | None = None
    encoder_lr: float | None = None
    eps: float = 1e-8
    weight_decay: float = 0.0
    schedule: str = "linear"
    monitor: str = "accuracy"
    patience: int | None = None
    clip: float | None = 1.0
    average: float = 0.0
    autocast: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_positive(owner, epochs=self.epochs, batch_size=self.batch_size)
        if self.patience is not None:
            check_positive(owner, patience=self.patience)
        check_choice(owner, "optimizer", self.optimizer, ("adam", "adamw"))
        check_choice(owner, "schedule", self.schedule, ("constant", "linear"))
        check_choice(owner, "monitor", self.monitor, ("accuracy", "bleu", "loss", "last"))
        check_type(owner, "seed", self.seed, int, "Pass 0, for example.")
        check_type(owner, "autocast", self.autocast, bool, "Pass True or False.")
        numbers = ("average", "weight_decay", "lr", "eps", "word_lr", "encoder_lr", "clip")
        for name in numbers:
            value = getattr(self, name)
            if value is not None or name not in numbers[4:]:  # which may be None
                check_type(owner, name, value, (float, int), "Pass a number.")
                if isinstance(value, float):  # one of numpy, too, which a checkpoint cannot hold
                    object.__setattr__(self, name, float(value))
        check_fraction(owner, average=self.average)
        for name in numbers[2:]:
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueError(
                    f"{owner}: {name} must be above 0, but got {value}. Pass a small number."
                )
        if not 0 <= self.weight_decay < math.inf:
            raise ValueError(
                f"{owner}: weight_decay must be at least 0, but got {self.weight_decay}. Pass 0 "
                "for none."
            )
