"""Word vectors from the files in which they are published."""

import os
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from tgraph_attn._checks import check_type
from tgraph_attn.datasets._text.vector_lines import VectorLine, vector_lines
from tgraph_attn.datasets.word_vectors import WordVectors
from tgraph_attn.vocab import Vocab


def load_vectors(path: str | os.PathLike[str], vocab: Vocab, *, log: bool = True) -> WordVectors:
    r"""Read the vectors of the words of a vocabulary from a file of GloVe, word2vec or fastText.

    Each line is a word and its numbers, with single spaces between; the first one may be the two
    numbers "words dimensions" instead. Words with spaces, which GloVe's 840B file has, are read
    right. Only the numbers of words in the vocabulary are read and kept.

    A word that the file does not have takes the vector of the first word there that differs from
    it in capitals only: so "paris" takes that of "Paris" from a file with capitals. Of a word that
    is there twice, the first one counts. Words that are not in UTF-8 are passed over.

    Args:
        path: A plain file, one that ends in `.gz`, or a `.zip` with one file. For one of several
            files of a zip: `glove.6B.zip/glove.6B.300d.txt`.
        vocab: The numbering of words.
        log: Show the progress.

    Shapes:
        - **vectors**: `[V, D]` float32, row r for the word with id r; zeros if it has none
        - **found**: `[V]` bool

    Returns:
        The vectors; their `coverage` is the fraction of the words that have one.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line has another number of numbers, one of them is none or not finite, no word
            of the vocabulary is there, or the file is no text, is damaged, or a zip of several.
        TypeError: vocab is no `Vocab`.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from tgraph_attn.datasets import load_vectors
        >>> from tgraph_attn.vocab import Vocab
        >>> path = Path(tempfile.mkdtemp()) / "vectors.txt"
        >>> _ = path.write_text("the 1 2\nOil 3 4\n. . . 5 6\n")
        >>> loaded = load_vectors(path, Vocab.build(["oil", "gas"]), log=False)
        >>> loaded
        WordVectors(2 dimensions, 1 of 2 words, 50.0 %, 1 of them by other capitals)
        >>> loaded.vectors[loaded.found].tolist()
        [[3.0, 4.0]]
    """
    check_type("load_vectors", "vocab", vocab, Vocab, "Build it first: Vocab.build(words).")
    path, alike = Path(path), defaultdict[str, list[int]](list)
    for number, token in enumerate(vocab.tokens):
        alike[token.lower()].append(number)
    vectors: NDArray[np.float32] | None = None
    exact, similar = np.zeros((2, len(vocab)), bool)
    for line in vector_lines(path, progress=log):
        for number in alike.get(line.word.lower(), ()):
            same = vocab.tokens[number] == line.word
            if exact[number] or (similar[number] and not same):
                continue
            if vectors is None:
                vectors = np.zeros((len(vocab), len(line.values)), np.float32)
            vectors[number] = _numbers(path, line)
            exact[number], similar[number] = same, not same
    words = np.array([not (token[:1] == "<" and token[-1:] == ">") for token in vocab.tokens])
    found = exact | similar
    if vectors is None or not found[words].any():
        raise ValueError(
            f"load_vectors: {path} must have some of the {words.sum()} words of the vocabulary, "
            "but has none. Are both in the same language?"
        )
    return WordVectors(
        torch.from_numpy(vectors),
        torch.from_numpy(found),
        num_words=int(words.sum()),
        num_found=int((words & found).sum()),
        num_lowercase=int((words & similar).sum()),
    )


def _numbers(path: Path, line: VectorLine) -> NDArray[np.float32]:
    numbers = np.array([np.nan], np.float32)
    if b"_" not in b"".join(line.values):  # Python takes 1_0 for 10
        with suppress(ValueError):
            numbers = np.array(list(map(float, line.values)), np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(
            f"load_vectors: each line of {path} must have finite numbers after its word, but line "
            f"{line.number} ({line.word!r}) has others. Mend or remove that line."
        )
    return numbers
