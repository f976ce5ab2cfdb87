"""What happened in training."""

from dataclasses import dataclass, field


@dataclass
class History:
    """The numbers of each epoch, from the first on, and which one was chosen.

    Attributes:
        train_loss: The mean loss of the training documents, in nats, while training.
        validation_loss: The mean cross entropy of the validation documents, in nats.
        validation_accuracy: For a classifier, the fraction of them whose class is found.
        validation_bleu: For a model that writes, "sentence-add1" BLEU of that, a fraction.
        best_epoch: The number of the epoch whose weights the model has, from 1 on.
        seconds: How long all of it took, validation included.
    """

    train_loss: list[float] = field(default_factory=list)
    validation_loss: list[float] = field(default_factory=list)
    validation_accuracy: list[float] = field(default_factory=list)
    validation_bleu: list[float] = field(default_factory=list)
    best_epoch: int = 0
    seconds: float = 0.0
