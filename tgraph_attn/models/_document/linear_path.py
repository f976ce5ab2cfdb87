"""A linear classifier of the words and sub-words of documents, to stand beside the layers."""

import copy
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from sklearn.svm import LinearSVC
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader

from tgraph_attn._checks_tensor import CLASS_HINT, check_labelled, check_range
from tgraph_attn.convert.text_to_data import FIRST_WORD_ID
from tgraph_attn.models._document.documents import Documents, check_documents
from tgraph_attn.vocab import Vocab

_SHORTEST, _LONGEST = 3, 5  # characters of a sub-word
_AT_ONCE = 128  # documents


class LinearPath(Module):
    """Score each class by a weighted sum of the words of a document, and of their sub-words.

    A sub-word is 3 to 5 characters in a row of a word that begins and ends with a space, if at
    least two words of the vocabulary have it. With n how often a document has a word, or sub-word::

        value = (1 + ln n) * idf        idf = 1 + ln((1 + D) / (1 + df)), over D training documents
        score = values of words / their length, and of sub-words / theirs, times weights, plus bias

    The weights are those of a linear support vector machine, one class against the rest: `fit`
    finds them, gradients do not touch them.

    Args:
        vocab: The numbering of words.
        num_classes: How many classes, K.

    Shapes:
        - **output**: `[B, K]` float32
    """

    weight: Tensor
    bias: Tensor
    idf: Tensor
    shares: Tensor  # of the layers, of this

    def __init__(self, vocab: Vocab, num_classes: int) -> None:
        super().__init__()
        self._sub_words = sub_words(vocab)
        size = sum(self._sub_words.shape)
        self.register_buffer("weight", torch.zeros(num_classes, size))
        self.register_buffer("bias", torch.zeros(num_classes))
        self.register_buffer("idf", torch.zeros(size))
        self.register_buffer("shares", torch.tensor([1.0, 0.0]))

    @property
    def is_fitted(self) -> bool:
        """Whether it takes part."""
        return bool(self.idf.any())

    def reset(self) -> None:
        """Forget what was fitted: it takes no part any more."""
        for buffer in self.buffers():
            buffer.zero_()
        self.shares[0] = 1

    def beside(self, logits: Tensor, documents: Documents) -> Tensor:
        """Return what the layers' logits, `[B, K]`, and the scores say together, once fitted."""
        if not self.is_fitted:
            return logits
        layers, linear = self.shares
        return layers * logits.log_softmax(dim=1) + linear * self(documents).to(logits)

    def fit(self, documents: Documents, y: Tensor) -> None:
        """Find idf and weights, from training documents and their classes, `[B]` int64."""
        counts = self._counts(documents)
        df = np.bincount(counts.indices, minlength=counts.shape[1])
        idf = 1 + np.log((1 + counts.shape[0]) / (1 + df))
        self.idf.copy_(torch.from_numpy(idf))
        machine = LinearSVC(random_state=0).fit(self._values(counts), y.numpy(force=True))
        weight, bias = machine.coef_, machine.intercept_
        if len(machine.classes_) == 2:
            weight, bias = np.concatenate([-weight, weight]), np.concatenate([-bias, bias])
        self.weight.zero_()
        self.bias.fill_(-1.0)  # a class that no document has
        self.weight[machine.classes_] = torch.from_numpy(weight).to(self.weight)
        self.bias[machine.classes_] = torch.from_numpy(bias).to(self.bias)

    def forward(self, documents: Documents) -> Tensor:
        """Return the score of each class, for each document."""
        values = self._values(self._counts(documents))
        weight, bias = (part.float().numpy(force=True) for part in (self.weight, self.bias))
        score = values @ weight.T + bias
        return torch.from_numpy(score.astype(np.float32)).to(self.weight.device)

    def _counts(self, documents: Documents) -> csr_array:
        """Return how often each document has each word and sub-word, `[B, V + G]`."""
        token, document = documents.token_edges.numpy(force=True)
        word = documents.x.numpy(force=True)[token]
        shape = (len(documents.document_index), self._sub_words.shape[0])
        words = csr_array((np.ones(len(word)), (document, word)), shape=shape)  # sums what repeats
        both = csr_array(hstack([words, words @ self._sub_words], format="csr"))
        both.indices, both.indptr = (part.astype(np.int32) for part in (both.indices, both.indptr))
        return both  # which is what scikit-learn takes

    def _values(self, counts: csr_array) -> csr_array:
        """Return the weighted counts, words and sub-words of a document each of length 1."""
        idf = self.idf.double().numpy(force=True)
        data = (1 + np.log(counts.data)) * idf[counts.indices]
        row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        block = 2 * row + (counts.indices >= self._sub_words.shape[0])
        length = np.sqrt(np.bincount(block, data**2, minlength=2 * counts.shape[0]))
        return csr_array((data / length[block], counts.indices, counts.indptr), shape=counts.shape)


def fit_beside(
    owner: str,
    path: LinearPath | None,
    logits: Callable[[Data], Tensor],
    train: Sequence[Data],
    validation: Sequence[Data],
    num_words: int,
    *,
    refit: bool,
) -> float:
    """Fit the path, and the shares of other logits and of it; it is as it was if that fails.

    The shares are those of a path that was fitted on the training documents alone, and so is the
    fraction of the validation documents that are right with them, which is returned.

    Args:
        owner: Who asks, for errors.
        path: The path; None, if the model has none, is an error.
        logits: Returns those of something else for a batch of documents, `[B, K]`.
        train: The training documents.
        validation: Others.
        num_words: How many ids there are.
        refit: Whether the path is then fitted again, on all of them.
    """
    if path is None:
        raise ValueError(
            f"{owner}: the model must have a linear path, but has none. Make it with "
            "linear_path=True."
        )
    if not len(train) or not len(validation):
        raise ValueError(
            f"{owner}: train and validation must have documents, but have {len(train)} and "
            f"{len(validation)}. split_validation holds some back."
        )
    y = check_labelled(owner, "train", train)
    of_held = check_labelled(owner, "validation", validation)
    both = torch.cat([y, of_held])
    check_range(owner, "y", both, len(path.bias), CLASS_HINT)
    if (y == y[0]).all():
        raise ValueError(
            f"{owner}: train must have documents of two classes at least, but all are of class "
            f"{int(y[0])}. Shuffle before you split."
        )
    seen, held = (_documents(owner, part, num_words) for part in (train, validation))
    fitted = copy.deepcopy(path)
    fitted.fit(seen, y)
    others = torch.cat([logits(part) for part in DataLoader(validation, _AT_ONCE)]).float()
    parts = torch.stack([others.log_softmax(dim=1), fitted(held)])
    shares = fit_shares(parts, of_held)
    found = torch.einsum("p,pbk->bk", shares, parts).argmax(dim=1)
    if refit:
        fitted.fit(_documents(owner, [*train, *validation], num_words), both)
    fitted.shares.copy_(shares)
    path.load_state_dict(fitted.state_dict())
    return float((found == of_held).float().mean())


def _documents(owner: str, documents: Sequence[Data], num_words: int) -> Documents:
    """Return documents without their edges."""
    keys = ("x", "token_index", "document_index")
    bare = [
        Data(**{key: data[key] for key in keys if key in data}, num_nodes=data.num_nodes)
        for data in documents
    ]
    return check_documents(owner, Batch.from_data_list(bare), num_words)


def fit_shares(parts: Tensor, y: Tensor) -> Tensor:
    """Return the factors of scores, `[P]`, whose weighted sum has the smallest cross entropy.

    None is negative: scores that are worse than nothing have 0, and the others are fitted anew.

    Shapes:
        - **parts**: `[P, B, K]` floating
        - **y**: `[B]` int64
    """
    shares = _any_shares(parts, y)
    if (shares >= 0).all():
        return shares
    kept = shares > 0
    rest = fit_shares(parts[kept], y) if kept.any() else shares[kept]
    return torch.zeros_like(shares).masked_scatter(kept, rest)


@torch.enable_grad()
def _any_shares(parts: Tensor, y: Tensor) -> Tensor:
    shares = torch.ones(len(parts), requires_grad=True)
    optimizer = torch.optim.LBFGS([shares], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = cross_entropy(torch.einsum("p,pbk->bk", shares, parts), y)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    return shares.detach()


def sub_words(vocab: Vocab) -> csr_array:
    """Return how often each word has each sub-word that at least two words have, `[V, G]`."""
    pieces = [_pieces(word) for word in vocab.tokens[FIRST_WORD_ID:]]
    held_by = Counter(piece for one in pieces for piece in set(one))
    number = {
        piece: place
        for place, piece in enumerate(sorted(p for p, count in held_by.items() if count > 1))
    }
    rows: list[int] = []
    columns: list[int] = []
    for word, one in enumerate(pieces, start=FIRST_WORD_ID):
        known = [number[piece] for piece in one if piece in number]
        rows += [word] * len(known)
        columns += known
    ones: NDArray[np.float64] = np.ones(len(rows))
    return csr_array((ones, (rows, columns)), shape=(len(vocab), len(number)))


def _pieces(word: str) -> Sequence[str]:
    """Return every sub-word of a word, as often as it has it."""
    whole = f" {word} "
    return [
        whole[start : start + size]
        for size in range(_SHORTEST, _LONGEST + 1)
        for start in range(len(whole) - size + 1)
    ]
