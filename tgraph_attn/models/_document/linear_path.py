"""A linear classifier of the words and sub-words of documents, to stand beside the layers."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from sklearn.svm import LinearSVC
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Batch, Data

from tgraph_attn.convert.text_to_data import FIRST_WORD_ID
from tgraph_attn.models._document.documents import Documents, check_documents
from tgraph_attn.vocab import Vocab

_SHORTEST, _LONGEST = 3, 5  # characters of a sub-word


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

    def __init__(self, vocab: Vocab, num_classes: int) -> None:
        super().__init__()
        self._sub_words = sub_words(vocab)
        size = sum(self._sub_words.shape)
        self.register_buffer("weight", torch.zeros(num_classes, size))
        self.register_buffer("bias", torch.zeros(num_classes))
        self.register_buffer("idf", torch.zeros(size))

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
        score = values @ self.weight.numpy(force=True).T + self.bias.numpy(force=True)
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
        idf = self.idf.numpy(force=True).astype(np.float64)
        data = (1 + np.log(counts.data)) * idf[counts.indices]
        row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        block = 2 * row + (counts.indices >= self._sub_words.shape[0])
        length = np.sqrt(np.bincount(block, data**2, minlength=2 * counts.shape[0]))
        return csr_array((data / length[block], counts.indices, counts.indptr), shape=counts.shape)


def fit_beside(
    path: LinearPath,
    logits: Tensor,
    train: Sequence[Data],
    validation: Sequence[Data],
    num_words: int,
) -> tuple[Tensor, float]:
    """Fit the path on all documents; return the shares of other logits and of it, `[2]`.

    The shares are those of a path that was fitted on the training documents alone, and so is the
    fraction of the validation documents that are right with them, which is returned too.

    Args:
        path: The path.
        logits: Those of something else, for the validation documents, `[B, K]`.
        train: The training documents.
        validation: Others.
        num_words: How many ids there are.
    """
    seen, held, whole = (
        _documents(part, num_words) for part in (train, validation, [*train, *validation])
    )
    path.fit(*seen)
    parts = torch.stack([logits.log_softmax(dim=1), path(held[0])])
    shares = fit_shares(parts, held[1])
    found = torch.einsum("p,pbk->bk", shares, parts).argmax(dim=1)
    path.fit(*whole)
    return shares, float((found == held[1]).float().mean())


def _documents(documents: Sequence[Data], num_words: int) -> tuple[Documents, Tensor]:
    """Return documents without their edges, and their classes."""
    keys = ("x", "token_index", "document_index", "y")
    bare = [
        Data(**{key: data[key] for key in keys}, num_nodes=data.num_nodes) for data in documents
    ]
    batch = Batch.from_data_list(bare)
    return check_documents("DocumentGNN.fit_linear_path", batch, num_words), batch.y


@torch.enable_grad()
def fit_shares(parts: Tensor, y: Tensor) -> Tensor:
    """Return the factors of scores, `[P]`, whose weighted sum has the smallest cross entropy.

    Shapes:
        - **parts**: `[P, B, K]` floating
        - **y**: `[B]` int64
    """
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
