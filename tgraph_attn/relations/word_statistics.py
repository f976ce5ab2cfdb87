"""How often the words of a corpus come, and come together."""

import hashlib
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from tgraph_attn._checks import check_integers, check_positive, check_within
from tgraph_attn._files import whole_file
from tgraph_attn.relations._text.count_pairs import count_windows, positive_pmi

_FORMAT = "tgraph_attn.WordStatistics 1"
_ARRAYS = ("document_frequency", "window_frequency")
_NUMBERS = ("num_documents", "num_windows", "window", "legacy_counts")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WordStatistics:
    """Counts over a corpus: what the weights of `pmi` and `tfidf` edges are made of.

    Make them with `WordStatistics.count(documents, num_words)`. A window is `window` words in a
    row, inside one document; a document that is not longer, even an empty one, is one window. With
    p a fraction of all windows::

        pmi[i, j] = ln(p(i, j) / (p(i) * p(j)))        only where it is > 0, and i != j
        idf[i]    = ln(num_documents / document_frequency[i])        0 for a word in no document

    p(i) counts the windows that hold i, and p(i, j) those that hold both, once each. With
    `legacy_counts`, p(i, j) adds one for each pair of places in each window, as Text-GCN's released
    code does, so that words that a window repeats get a greater PMI.

    Attributes:
        num_documents: The number of documents.
        num_windows: The number of windows.
        document_frequency: The number of documents that hold each word, `[V]` int64.
        window_frequency: The number of windows that hold each word, `[V]` int64.
        pmi: The positive PMI, a SciPy sparse array `[V, V]` float32, symmetric, without diagonal,
            the columns of each row in order.
        window: How many words a window has.
        legacy_counts: Whether pairs of places were counted.

    Examples:
        >>> from tgraph_attn.relations import WordStatistics
        >>> statistics = WordStatistics.count([[0, 1], [0, 1], [2, 3, 2], [3]], num_words=4)
        >>> statistics.num_windows, statistics.window_frequency.tolist()
        (4, [2, 2, 1, 2])
        >>> float(statistics.pmi[0, 1])  # p(0, 1) = p(0) = p(1) = 2/4
        0.6931471824645996
        >>> statistics.idf.round(2).tolist()
        [0.69, 0.69, 1.39, 0.69]

    Source:
        Text-GCN (Yao et al., AAAI 2019), equations 3 to 6; the paper counts windows.
    """

    num_documents: int
    num_windows: int
    document_frequency: NDArray[np.int64]
    window_frequency: NDArray[np.int64]
    pmi: csr_array
    window: int
    legacy_counts: bool

    @classmethod
    def count(
        cls,
        documents: Sequence[ArrayLike],
        num_words: int,
        *,
        window: int = 20,
        legacy_counts: bool = False,
    ) -> Self:
        """Count the words of a corpus, in time linear in its length, for a given window.

        Args:
            documents: The word ids of each document, in order.
            num_words: How many words there are, V.
            window: How many words a window has.
            legacy_counts: Count each pair of places in a window, as Text-GCN's released code does.

        Shapes:
            - **documents**: `[number of words]` integers each, in `[0, V)`

        Raises:
            ValueError: There is no document, an id is outside `[0, V)`, or window or num_words are
                below 1.
            TypeError: Ids, window or num_words are no whole numbers.
        """
        owner = "WordStatistics.count"
        check_positive(owner, num_words=num_words, window=window)
        if len(documents) == 0:
            raise ValueError(
                f"{owner}: documents must hold at least one document, but is empty. An empty "
                "document is []."
            )
        rows = [check_integers(owner, "each document", row, (None,)) for row in documents]
        tokens = np.concatenate(rows)
        check_within(owner, "each word id", tokens, num_words, "Is num_words len(vocab)?")
        bounds = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([row.size for row in rows], out=bounds[1:])
        num_windows, in_documents, in_windows = count_windows(tokens, bounds, num_words, window)
        starts, others, values = positive_pmi(
            tokens,
            bounds,
            in_windows,
            num_windows=num_windows,
            window=window,
            every_place=legacy_counts,
        )
        return cls(
            num_documents=len(rows),
            num_windows=num_windows,
            document_frequency=in_documents,
            window_frequency=in_windows,
            pmi=_symmetric(csr_array((values, others, starts), shape=(num_words, num_words))),
            window=window,
            legacy_counts=bool(legacy_counts),
        )

    @property
    def num_words(self) -> int:
        """How many words there are, V."""
        return len(self.document_frequency)

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        """ln(num_documents / document_frequency), `[V]` float64; 0 for a word in no document."""
        known = self.document_frequency > 0
        return np.log(self.num_documents / np.where(known, self.document_frequency, 1)) * known

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that differ for statistics that differ."""
        return hashlib.sha256(b"".join(map(_bytes, self._columns().values()))).hexdigest()[:16]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the statistics to one .npz file, whole or not at all.

        Raises:
            FileNotFoundError: Its folder is not there.
        """
        columns: dict[str, Any] = {"format": np.array(_FORMAT), **self._columns()}
        with whole_file("WordStatistics.save", path) as file:
            np.savez_compressed(file, **columns)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read statistics that `save` wrote.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: The file holds something else.
        """
        try:
            with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
                if str(file["format"]) != _FORMAT:
                    raise ValueError(f"its format is {file['format']}")
                settings = {name: file[name].item() for name in _NUMBERS}
                arrays = {name: file[name] for name in _ARRAYS}
                num_words = len(arrays["document_frequency"])
                parts = (file["pmi"], file["pmi_key"], file["pmi_start"])
                lower = csr_array(parts, shape=(num_words, num_words))
                lower.check_format()
        except FileNotFoundError:
            raise FileNotFoundError(
                f"WordStatistics.load: {os.fspath(path)} must be a file of statistics, but is not "
                "there. Write one with statistics.save(path)."
            ) from None
        except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"WordStatistics.load: {os.fspath(path)} must hold what WordStatistics.save wrote, "
                f"but does not ({type(error).__name__}: {error}). Save the statistics again."
            ) from error
        return cls(**settings, **arrays, pmi=_symmetric(lower))

    def _columns(self) -> dict[str, NDArray[Any]]:
        """All that there is to know, as arrays; of the symmetric PMI the lower triangle."""
        lower = _lower(self.pmi)
        return {
            **{name: np.array(getattr(self, name)) for name in (*_NUMBERS, *_ARRAYS)},
            "pmi": lower.data,
            "pmi_key": lower.indices.astype(np.int32),
            "pmi_start": lower.indptr.astype(np.int64),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordStatistics):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(num_documents={self.num_documents}, "
            f"num_words={self.num_words}, window={self.window}, "
            f"legacy_counts={self.legacy_counts}, fingerprint={self.fingerprint!r})"
        )


def _symmetric(lower: csr_array) -> csr_array:
    upper = lower.T.tocsr()  # which puts the columns of each row in order
    return upper + upper.T.tocsr()


def _lower(matrix: csr_array) -> csr_array:
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    below = matrix.indices < row
    starts = np.append(0, np.cumsum(below))[matrix.indptr]
    return csr_array((matrix.data[below], matrix.indices[below], starts), shape=matrix.shape)


def _bytes(array: NDArray[Any]) -> bytes:
    return f"{array.dtype.str}{array.shape}".encode() + array.tobytes()
