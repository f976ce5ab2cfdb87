"""How a classifier is trained."""

from dataclasses import dataclass

from tgraph_attn._checks import check_choice, check_fraction, check_positive


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """Everything that `fit_classifier` goes by, all of it plain JSON.

    Attributes:
        epochs: How many passes over the training documents to make at most.
        batch_size: How many documents a step sees.
        lr: The step size of Adam.
        word_lr: That of the vectors of words; lr if None. A rare word is seen in few steps.
        encoder_lr: That of a pre-trained encoder; lr if None, which is too great for most.
        weight_decay: The factor of the L2 penalty.
        schedule: "constant", or "linear" for a rise in the first 100 steps and then a fall to a
            fiftieth of lr.
        monitor: What the epoch is chosen by, on the validation documents: the greatest "accuracy",
            of equal ones the smallest loss, or the smallest "loss".
        patience: After how many epochs without a better one to stop; None to make them all.
        clip: The greatest norm that a gradient may have; None for any.
        average: How much of their average over the steps before the weights that are validated
            keep at each step, such as 0.99; 0 for the last weights themselves.
        autocast: Whether products are in bfloat16, which is faster on processors that have it.
        seed: What dropout and the order of the documents are drawn by.

    Raises:
        ValueError: A number is out of range, or a word is not one of these.
    """

    epochs: int = 20
    batch_size: int = 32
    lr: float = 1e-3
    word_lr: float | None = None
    encoder_lr: float | None = None
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
        check_choice(owner, "schedule", self.schedule, ("constant", "linear"))
        check_choice(owner, "monitor", self.monitor, ("accuracy", "loss"))
        check_fraction(owner, average=self.average)
        for name in ("lr", "word_lr", "encoder_lr", "clip"):
            value = getattr(self, name)
            if value is None and name != "lr":
                continue
            if value is None or not value > 0:
                raise ValueError(
                    f"{owner}: {name} must be above 0, but got {value}. Pass a small number."
                )
        if not self.weight_decay >= 0:
            raise ValueError(
                f"{owner}: weight_decay must be at least 0, but got {self.weight_decay}. Pass 0 "
                "for none."
            )
