"""Word vectors, in the order of a vocabulary."""

from typing import Self

import numpy as np
import torch
from sklearn.utils.extmath import randomized_svd
from torch import Tensor

from tgraph_attn._checks import check_positive
from tgraph_attn.relations.word_statistics import WordStatistics

_LEAST = 1e-6


class WordVectors(tuple[Tensor, Tensor]):
    """The vectors of the words of a vocabulary, as far as a file has them: a pair, and its counts.

    Attributes:
        vectors: The first of the pair, `[V, D]` float32, zeros for a word that has none.
        found: The second one, `[V]` bool, whether a word has a vector.
        num_words: How many words there are, without padding, unknown and other words in `<...>`.
        num_found: How many of them have a vector, read or guessed.
        num_lowercase: How many of those have that of a word that differs in capitals.

    Examples:
        >>> import torch
        >>> from tgraph_attn.datasets import WordVectors
        >>> loaded = WordVectors(torch.zeros(5, 50), torch.tensor([0, 0, 1, 1, 0]).bool(), 3, 2, 0)
        >>> vectors, found = loaded
        >>> loaded
        WordVectors(50 dimensions, 2 of 3 words, 66.7 %, 0 of them by other capitals)
    """

    num_words: int
    num_found: int
    num_lowercase: int

    def __new__(
        cls, vectors: Tensor, found: Tensor, num_words: int, num_found: int, num_lowercase: int
    ) -> Self:
        """Make the pair; `load_vectors` does it."""
        pair = super().__new__(cls, (vectors, found))
        pair.num_words, pair.num_found = num_words, num_found
        pair.num_lowercase = num_lowercase
        return pair

    def __getnewargs__(self) -> tuple[Tensor, Tensor, int, int, int]:
        return (*self, self.num_words, self.num_found, self.num_lowercase)

    @property
    def vectors(self) -> Tensor:
        """The vectors, `[V, D]`."""
        return self[0]

    @property
    def found(self) -> Tensor:
        """Whether each word has one, `[V]`."""
        return self[1]

    @property
    def coverage(self) -> float:
        """The fraction of the words that have a vector, in [0, 1]."""
        return self.num_found / self.num_words

    def with_corpus(self, statistics: WordStatistics, *, channels: int = 200) -> Self:
        """Return wider vectors, which also tell what each word comes with in a corpus.

        With U S V^T the largest singular values of the positive PMI of the corpus (scikit-learn's
        `randomized_svd`), row i of U S^(1/2), brought to length 1, says what word i comes with. It
        follows the vector of the word. A word that has none gets a guess, by a ridge regression of
        the vectors that are found on these rows. Rows and guesses are scaled to the standard
        deviation of the vectors found. A word that comes with no other gets neither.

        Args:
            statistics: The counts over the corpus, numbered by the same vocabulary.
            channels: How many numbers a row has, at most one less than there are words.

        Shapes:
            - **output**: `[V, D + channels]` float32 and `[V]` bool

        Raises:
            ValueError: The statistics are of another number of words, or channels is too large.
        """
        vectors, found = self[0].numpy(), self[1].numpy()
        check_positive("WordVectors.with_corpus", channels=channels)
        if statistics.num_words != len(found) or channels >= len(found):
            raise ValueError(
                f"WordVectors.with_corpus: statistics must be of the {len(found)} words of the "
                f"vocabulary, and channels fewer, but are of {statistics.num_words}, and "
                f"{channels}. Pass corpus.graph.statistics."
            )
        left, values, _ = randomized_svd(statistics.pmi, channels, random_state=0)
        comes = np.diff(statistics.pmi.indptr) > 0
        rows = np.where(comes[:, None], left * np.sqrt(values), 0)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _LEAST)
        known = rows[found]
        weight = np.linalg.solve(known.T @ known + np.eye(channels), known.T @ vectors[found])
        guess = np.where((comes & ~found)[:, None], rows @ weight, 0)
        deviation = vectors[found].std()
        guess, rows = (
            part * (deviation / max((part[kept].std() if kept.any() else 0), _LEAST))
            for part, kept in ((guess, comes & ~found), (rows, comes))
        )
        both = np.concatenate([vectors + guess, rows], axis=1).astype(np.float32)
        num_found = self.num_found + int((comes & ~found).sum())
        every = torch.from_numpy(found | comes)
        return type(self)(
            torch.from_numpy(both), every, self.num_words, num_found, self.num_lowercase
        )

    def __repr__(self) -> str:
        found = f"{self.num_found:,} of {self.num_words:,} words, {100 * self.coverage:.1f} %"
        size, other = self.vectors.size(1), f"{self.num_lowercase:,} of them by other capitals"
        return f"{type(self).__name__}({size} dimensions, {found}, {other})"
