from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from tgraph_attn.relations._text.count_pairs import count_windows, positive_pmi


def windows_of(documents, window):
    """Every window of every document, written out."""
    for words in documents:
        for start in range(max(len(words) - window, 0) + 1):
            yield words[start : start + window]


def counted_by_hand(documents, window, every_place):
    """Windows, the windows of each word, and the pairs in them, as Text-GCN's code lists them."""
    number, single, pair = 0, Counter(), Counter()
    for words in windows_of(documents, window):
        number += 1
        single.update(set(words))
        pairs = combinations(words if every_place else sorted(set(words)), 2)
        pair.update((max(two), min(two)) for two in pairs if two[0] != two[1])
    return number, single, pair


def columns(documents):
    tokens = np.array([word for words in documents for word in words], np.int64)
    return tokens, np.append(0, np.cumsum([len(words) for words in documents]))


def random_documents(num_words):
    """Texts that repeat words, some shorter than a window, some empty."""
    draw = np.random.default_rng(num_words)
    return [draw.integers(0, num_words, draw.integers(0, 30)).tolist() for _ in range(12)]


@pytest.mark.parametrize("every_place", [False, True], ids=["windows", "places"])
@pytest.mark.parametrize("window", [1, 2, 3, 7, 20, 100])
@pytest.mark.parametrize("num_words", [2, 5, 40])
def test_equals_a_count_of_every_window(num_words, window, every_place):
    documents = [*random_documents(num_words), []]
    number, single, pair = counted_by_hand(documents, window, every_place)
    tokens, bounds = columns(documents)
    num_windows, in_documents, in_windows = count_windows(tokens, bounds, num_words, window)
    assert num_windows == number
    assert in_windows.tolist() == [single[word] for word in range(num_words)]
    assert in_documents.tolist() == [
        sum(word in words for words in documents) for word in range(num_words)
    ]
    starts, others, values = positive_pmi(
        tokens,
        bounds,
        in_windows,
        num_windows=num_windows,
        window=window,
        every_place=every_place,
    )
    rows = np.repeat(np.arange(num_words), np.diff(starts)).tolist()
    found = dict(zip(zip(rows, others.tolist(), strict=True), values.tolist(), strict=True))
    expected = {
        (i, j): np.log(count * number / (single[i] * single[j]))
        for (i, j), count in pair.items()
        if count * number > single[i] * single[j]
    }
    assert found.keys() == expected.keys() and len(rows) == len(found)
    assert all(found[two] == pytest.approx(expected[two], rel=1e-6) for two in expected)


def test_repeated_words_count_more_only_for_every_place():
    tokens, bounds = columns([[0, 1, 0], [2], [2]])
    _, _, in_windows = count_windows(tokens, bounds, 3, 20)
    arguments = dict(num_windows=3, window=20)
    values = [
        positive_pmi(tokens, bounds, in_windows, every_place=every, **arguments)[2].tolist()
        for every in (False, True)
    ]
    assert values == [[pytest.approx(np.log(3))], [pytest.approx(np.log(6))]]


def test_pairs_that_come_together_as_often_as_by_chance_have_no_pmi():
    tokens, bounds = columns([[0, 1], [0], [1], []])  # 1/4 = 2/4 * 2/4
    number, _, in_windows = count_windows(tokens, bounds, 2, 20)
    starts, others, values = positive_pmi(
        tokens, bounds, in_windows, num_windows=number, window=20, every_place=False
    )
    assert starts.tolist() == [0, 0, 0] and others.size == values.size == 0


def test_more_pairs_than_there_was_room_for_at_first_are_all_kept():
    tokens, bounds = columns([list(range(60)), []])
    _, _, in_windows = count_windows(tokens, bounds, 60, 60)
    _, others, values = positive_pmi(
        tokens, bounds, in_windows, num_windows=2, window=60, every_place=False
    )
    assert sorted(others.tolist()) == sorted(j for i in range(60) for j in range(i))
    assert np.allclose(values, np.log(2))
