"""Which words of a vocabulary attend to which, counted in a pre-trained model."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array
from torch import Tensor
from tqdm import tqdm

from tgraph_attn._checks import check_fraction
from tgraph_attn._files import whole_file
from tgraph_attn.relations.blocks.pair_block_counts import pair_block_counts

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_MOST_PAIRS = 1 << 24  # that wait to be added up


class PairCounts:
    """How often each word of a vocabulary attended to each other one.

    A pair of tokens counts once for each layer and head in which the weight is above a threshold;
    tokens that the tokenizer adds, and padding, do not count. Counts of several corpora, or of
    parts of one, are added: `one + other`.

    Args:
        count: `[V, V]` sparse; the row attends to the column.
        vocabulary: What tells the vocabulary from others; `vocabulary_of(tokenizer)`.

    Raises:
        ValueError: count is not square.

    Examples:
        >>> from scipy.sparse import csr_array
        >>> from tgraph_attn.models.pretrained import PairCounts
        >>> one = PairCounts(csr_array([[0, 2], [1, 0]]), "a")
        >>> (one + one).count.toarray().tolist()
        [[0, 4], [2, 0]]
        >>> one.of_blocks([0, 1], block_size=1).tolist()
        [[0.0, 2.0], [1.0, 0.0]]

    Source:
        The frequency matrix of SASA (Liu et al., SIGIR 2022), which is dense
        there.
    """

    def __init__(self, count: csr_array, vocabulary: str) -> None:
        if count.ndim != 2 or count.shape[0] != count.shape[1]:
            raise ValueError(
                f"PairCounts: count must have shape [V, V], but has {list(count.shape)}. It has a "
                "row and a column for each word of the vocabulary."
            )
        self.count = csr_array(count, dtype=np.int64)
        self.vocabulary = vocabulary

    @classmethod
    def measure(
        cls,
        model: "PreTrainedModel",
        tokenizer: "PreTrainedTokenizerBase",
        texts: Iterable[str],
        *,
        max_length: int = 512,
        threshold: float = 0.1,
        progress: bool = True,
    ) -> Self:
        """Return the counts of a model that reads texts, long ones part by part.

        Args:
            model: An encoder of transformers; its weights and its way to attend stay.
            tokenizer: Its tokenizer.
            texts: What it reads; they may come one by one.
            max_length: How many tokens it reads at once.
            threshold: A weight above it counts.
            progress: Whether to show a bar.

        Raises:
            ValueError: max_length is below 3, threshold is not in [0, 1), or the model has fewer
                words than the tokenizer.
        """
        owner = f"{cls.__name__}.measure"
        if max_length < 3:
            raise ValueError(
                f"{owner}: max_length must be at least 3, two of which are the ends, but got "
                f"{max_length}. Pass 512, for example."
            )
        check_fraction(owner, threshold=threshold)
        size = len(tokenizer)
        if model.config.vocab_size < size:
            raise ValueError(
                f"{owner}: model must have a vector for each word of the tokenizer, {size:,}, but "
                f"has {model.config.vocab_size:,}. Pass the tokenizer that it learned with."
            )
        total = csr_array((size, size), dtype=np.int64)
        was_training, before = model.training, model.config._attn_implementation
        model.eval().set_attn_implementation("eager")  # which gives weights
        try:
            waiting: list[NDArray[np.int64]] = []
            for text in tqdm(texts, "Counting pairs", unit=" texts", disable=not progress):
                for ids, weights in _read(model, tokenizer, text, max_length):
                    waiting.append(_pairs(ids, weights, threshold, size))
                if sum(map(len, waiting)) > _MOST_PAIRS:
                    total, waiting = total + _added_up(waiting, size), []
            total = total + _added_up(waiting, size)
        finally:
            model.set_attn_implementation(before)
            model.train(was_training)
        return cls(total, vocabulary_of(tokenizer))

    def of_blocks(self, token_id: ArrayLike, block_size: int) -> NDArray[np.float64]:
        """Return the sums over the pairs of tokens of two blocks, as `pair_block_counts` does."""
        return pair_block_counts(token_id, self.count, block_size)

    def check(self, tokenizer: "PreTrainedTokenizerBase") -> None:
        """Raise ValueError unless the counts are of this tokenizer's vocabulary."""
        self._check(vocabulary_of(tokenizer), len(tokenizer))

    def __add__(self, other: "PairCounts") -> Self:
        self._check(other.vocabulary, other.count.shape[0])
        return type(self)(self.count + other.count, self.vocabulary)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the counts to a file, whole or not at all."""
        parts = {name: getattr(self.count, name) for name in ("data", "indices", "indptr")}
        with whole_file("PairCounts.save", path) as file:
            np.savez_compressed(file, vocabulary=np.array(self.vocabulary), **parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the counts in a file.

        Raises:
            ValueError: The file holds something else.
            FileNotFoundError: It is not there.
        """
        if not Path(path).is_file():
            raise FileNotFoundError(
                f"PairCounts.load: path must be a file, but {os.fspath(path)} is none. Write one "
                "with PairCounts.measure(...).save(path)."
            )
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as kept:
                parts = tuple(kept[name] for name in ("data", "indices", "indptr"))
                vocabulary, size = str(kept["vocabulary"]), len(kept["indptr"]) - 1
            count = csr_array(parts, shape=(size, size))
            count.check_format()
        except Exception as error:  # of a damaged file, reading fails in any way
            raise ValueError(
                f"PairCounts.load: {os.fspath(path)} must be what PairCounts.save wrote, but is "
                f"not ({type(error).__name__}). Measure it anew."
            ) from error
        return cls(count, vocabulary)

    def _check(self, vocabulary: str, size: int) -> None:
        if (vocabulary, size) != (self.vocabulary, self.count.shape[0]):
            raise ValueError(
                f"PairCounts: counts must be of one vocabulary, but are of {self.count.shape[0]:,} "
                f"words ({self.vocabulary}) here, and of {size:,} ({vocabulary}) there. Measure "
                "them with the tokenizer that is used."
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.count.shape[0]:,} words, {self.count.nnz:,} pairs)"


def vocabulary_of(tokenizer: "PreTrainedTokenizerBase") -> str:
    """Return a few letters that tell the vocabulary of a tokenizer from others."""
    words = json.dumps(sorted(tokenizer.get_vocab().items(), key=lambda item: item[1]))
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _read(
    model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", text: str, max_length: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the ids `[L]` of each part of a text, -1 for what is added, and the weights."""
    parts = tokenizer(
        text,
        truncation=True,
        max_length=max_length,
        return_overflowing_tokens=True,
        return_special_tokens_mask=True,
    )
    for row, added in zip(parts["input_ids"], parts["special_tokens_mask"], strict=True):
        ids = torch.tensor(row, device=model.device)
        with torch.no_grad():
            said: Any = model(ids.unsqueeze(0), output_attentions=True)
        yield (
            ids.masked_fill(torch.tensor(added, device=ids.device).bool(), -1),
            torch.stack([layer[0] for layer in said.attentions]),
        )


def _pairs(ids: Tensor, weights: Tensor, threshold: float, size: int) -> NDArray[np.int64]:
    """Return `row * size + column` of each weight `[layers, H, L, L]` that counts."""
    query, key = (weights > threshold).nonzero().t()[2:]
    query, key = ids[query], ids[key]
    counts = (query >= 0) & (key >= 0)
    found: NDArray[np.int64] = (query * size + key)[counts].cpu().numpy()
    return found


def _added_up(pairs: list[NDArray[np.int64]], size: int) -> csr_array:
    together = np.concatenate([np.empty(0, np.int64), *pairs])
    pair, count = np.unique(together, return_counts=True)
    return csr_array(coo_array((count, (pair // size, pair % size)), shape=(size, size)))
