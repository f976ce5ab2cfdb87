"""How often two words share a window, counted without listing the windows.

Call a window by the position e that it ends at. It holds position p if p <= e < p + window. Of the
windows that hold a word, each is given to the last place of that word in it: the place p has those
with p <= e < until[p], where until[p] is the least of p + window, the next place of the same word,
and the end of the document. So each window that holds two words belongs to one place of either,
and the places p < q of two words share the windows max(q, first) <= e < min(until[p], until[q]),
where first is the end of the document's first window. One look at each pair of near places, in the
time of a single window that slides over the text, counts all windows exactly.

Text-GCN's released code adds one for every pair of *places* in each window. That is the same sum
with an until that does not stop at the next place of the word.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tgraph_attn._kernel import kernel


def count_windows(
    tokens: NDArray[np.int64], bounds: NDArray[np.int64], num_words: int, window: int
) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of windows, and of documents and of windows that hold each word.

    Args:
        tokens: The words of all documents, one after the other.
        bounds: Where each document begins, and where the last one ends.
        num_words: How many words there are, V.
        window: How many places a window has; a document with fewer is one window.

    Returns:
        num_windows, document_frequency `[V]` and window_frequency `[V]` int64.
    """
    num_windows = int(np.maximum(np.diff(bounds) - window + 1, 1).sum())
    document_frequency, window_frequency = _count_words(tokens, bounds, num_words, window)
    return num_windows, document_frequency, window_frequency


def positive_pmi(
    tokens: NDArray[np.int64],
    bounds: NDArray[np.int64],
    window_frequency: NDArray[np.int64],
    *,
    num_windows: int,
    window: int,
    every_place: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    """Return the pairs of words with a positive PMI, as the rows of a lower triangle.

    Args:
        tokens: The words of all documents, one after the other.
        bounds: Where each document begins, and where the last one ends.
        window_frequency: The number of windows that hold each word, `[V]`.
        num_windows: The number of windows.
        window: How many places a window has.
        every_place: Count each pair of places in each window, and not each pair of words.

    Returns:
        The columns of a compressed sparse row matrix: where each row begins, `[V + 1]` int64, the
        other word of each pair, less than the row and in no order, int32, and its PMI, float32.
    """
    place, first = _places(tokens, len(window_frequency))
    arguments = (tokens, bounds, place, first, window_frequency)
    found: Any = _pmi_rows(*arguments, num_windows, window, every_place)
    return found


@kernel()
def _until(tokens, bounds, num_words, window, every_place):  # type: ignore[no-untyped-def]
    """Return the end of the windows that each place has to itself."""
    until = np.empty(tokens.size, np.int64)
    next_place = np.full(num_words, tokens.size, np.int64)
    for document in range(bounds.size - 2, -1, -1):
        low, high = bounds[document], bounds[document + 1]
        reach = min(window, high - low)
        for p in range(high - 1, low - 1, -1):
            until[p] = min(p + reach, high)
            if not every_place:  # a place in a later document is beyond high
                until[p] = min(until[p], next_place[tokens[p]])
            next_place[tokens[p]] = p
    return until


@kernel()
def _count_words(tokens, bounds, num_words, window):  # type: ignore[no-untyped-def]
    documents = np.zeros(num_words, np.int64)
    windows = np.zeros(num_words, np.int64)
    seen_in = np.full(num_words, -1, np.int64)
    until = _until(tokens, bounds, num_words, window, False)
    for document in range(bounds.size - 1):
        low, high = bounds[document], bounds[document + 1]
        first = low + min(window, high - low) - 1
        for p in range(low, high):
            word = tokens[p]
            windows[word] += max(0, until[p] - max(p, first))
            if seen_in[word] != document:
                seen_in[word] = document
                documents[word] += 1
    return documents, windows


@kernel()
def _places(tokens, num_words):  # type: ignore[no-untyped-def]
    """Return the places of all words, word by word, and where those of each word begin."""
    first = np.zeros(num_words + 1, np.int64)
    for word in tokens:
        first[word + 1] += 1
    for word in range(num_words):
        first[word + 1] += first[word]
    free = first[:-1].copy()
    place = np.empty(tokens.size, np.int64)
    for p in range(tokens.size):
        place[free[tokens[p]]] = p
        free[tokens[p]] += 1
    return place, first


@kernel()
def _pmi_rows(  # type: ignore[no-untyped-def]
    tokens, bounds, place, first_place, window_frequency, num_windows, window, every_place
):
    num_words = window_frequency.size
    until = _until(tokens, bounds, num_words, window, every_place)
    document_of = np.empty(tokens.size, np.int64)
    for document in range(bounds.size - 1):
        document_of[bounds[document] : bounds[document + 1]] = document
    count = np.zeros(num_words, np.int64)
    touched = np.empty(num_words, np.int64)
    starts = np.zeros(num_words + 1, np.int64)
    others = np.empty(1024, np.int32)
    values = np.empty(1024, np.float32)
    e = 0
    for word in range(num_words):
        num_touched = 0
        for p in place[first_place[word] : first_place[word + 1]]:
            low, high = bounds[document_of[p]], bounds[document_of[p] + 1]
            reach = min(window, high - low)
            for q in range(max(low, p - reach + 1), min(high, p + reach)):
                other = tokens[q]
                if other < word:
                    shared = min(until[p], until[q]) - max(p, q, low + reach - 1)
                    if shared > 0:
                        if count[other] == 0:
                            touched[num_touched] = other
                            num_touched += 1
                        count[other] += shared
        for t in range(num_touched):
            other = touched[t]
            together = count[other] * num_windows
            by_chance = window_frequency[word] * window_frequency[other]
            count[other] = 0
            if together > by_chance:
                if e == others.size:
                    others = np.append(others, np.empty(e, np.int32))
                    values = np.append(values, np.empty(e, np.float32))
                others[e] = other
                values[e] = np.log(together / by_chance)
                e += 1
        starts[word + 1] = e
    return starts, others[:e].copy(), values[:e].copy()
