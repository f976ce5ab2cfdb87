"""Training of a model of one graph of a whole corpus."""

import copy
import math
import time

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from tqdm import tqdm

from tgraph_attn._checks import check_positive
from tgraph_attn.models._labels import check_numbers
from tgraph_attn.models.text_gcn import TextGCN
from tgraph_attn.training.history import History

_BEFORE = 10  # epochs


def fit_text_gcn(
    model: TextGCN,
    corpus: Data,
    train: Tensor,
    validation: Tensor,
    *,
    lr: float = 0.02,
    epochs: int = 200,
    log: bool = True,
) -> History:
    """Train a model on all training documents at once, and leave it with its last weights.

    It stops when the validation loss is above the mean of those of the 10 epochs before.

    Args:
        model: The model; trained in place.
        corpus: The graph of all documents and words.
        train: The numbers of the documents to train on.
        validation: Those of others, to stop by. Never those of a test.
        lr: The step size of Adam.
        epochs: How many epochs to make at most.
        log: Show the progress.

    Shapes:
        - **train**, **validation**: int64, each in `[0, num_documents)`

    Returns:
        The numbers of each epoch; best_epoch is the last one.

    Raises:
        ValueError: epochs is below 1; corpus is not the one of the model; train or validation are
            no numbers of documents; or the loss is no longer a number: then the model has the
            last weights before that.

    Source:
        The released code of Text-GCN (Yao et al., AAAI 2019).
    """
    owner = "fit_text_gcn"
    check_positive(owner, epochs=epochs)
    check_numbers(owner, model.num_documents, train=train, validation=validation)
    start, history = time.perf_counter(), History()
    optimizer = torch.optim.Adam(model.parameters(), lr, fused=True)
    bar = tqdm(range(1, epochs + 1), "Training", unit=" epochs", disable=not log)
    for epoch in bar:
        weights = copy.deepcopy(model.state_dict())
        model.train()
        optimizer.zero_grad()
        loss = model.loss(corpus, train)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        model.eval()
        with torch.no_grad():
            logits, y = model(corpus)[validation], corpus.y[validation]
        held_loss = float(cross_entropy(logits, y))
        if not math.isfinite(held_loss):
            model.load_state_dict(weights)
            raise ValueError(
                f"{owner}: the loss must stay a number, but is {held_loss} after epoch {epoch}. "
                "Take a smaller lr."
            )
        history.train_loss.append(float(loss.detach()))
        history.validation_loss.append(held_loss)
        history.validation_accuracy.append(float((logits.argmax(dim=1) == y).float().mean()))
        history.best_epoch = epoch
        bar.set_postfix(accuracy=f"{history.validation_accuracy[-1]:.4f}")
        before = history.validation_loss[-_BEFORE - 1 : -1]
        if len(before) == _BEFORE and history.validation_loss[-1] > sum(before) / _BEFORE:
            break
    history.seconds = time.perf_counter() - start
    return history
