"""Time the counting of words and pairs of words of a corpus, for PMI and TF-IDF, on one core.

    python benchmarks/bench_word_statistics.py --data DATA --json results/word_statistics.json

Checks the counts against a plain count of every window on the first documents before it times.
DATA holds, or gets, raw/ with the published files of R8, R52 and Ohsumed.
"""

import time
from collections import Counter
from itertools import combinations

import numpy as np
from _timing import forget_peak, parser, peak_mib, resident_mib, summary, times_ms, write
from numpy.typing import NDArray

from tgraph_attn.datasets import TextCorpus
from tgraph_attn.relations import WordStatistics

WINDOW = 20


def plain(documents: list[NDArray[np.int64]]) -> dict[tuple[int, int], float]:
    """Return the positive PMI of each pair, from the set of words of every window."""
    windows = [
        set(words[start : start + WINDOW].tolist())
        for words in documents
        for start in range(max(1, len(words) - WINDOW + 1))
    ]
    single = Counter(word for window in windows for word in window)
    pairs = Counter(pair for window in windows for pair in combinations(sorted(window), 2))
    pmi = {
        pair: np.log(count * len(windows) / (single[pair[0]] * single[pair[1]]))
        for pair, count in pairs.items()
    }
    return {pair: value for pair, value in pmi.items() if value > 0}


def check(documents: list[NDArray[np.int64]], num_words: int) -> None:
    """Assert that the counts of some documents are those of the plain way."""
    pmi = WordStatistics.count(documents, num_words, window=WINDOW).pmi.tocoo()
    found = {(i, j): v for i, j, v in zip(*pmi.coords, pmi.data, strict=True) if i < j}
    expected = plain(documents)
    assert found.keys() == expected.keys()
    np.testing.assert_allclose([found[p] for p in expected], list(expected.values()), rtol=1e-5)


def main() -> None:
    """Check, then time, each corpus."""
    options = parser(__doc__)
    options.add_argument("--data", required=True, help="the folder of the corpora")
    args = options.parse_args()
    rows = []
    for name in ("R8", "R52", "Ohsumed"):
        splits = [TextCorpus(args.data, name, split) for split in ("train", "test")]
        documents = [data.x[data.token_index].numpy() for split in splits for data in split]
        num_words = len(splits[0].graph.vocab)
        check(documents[:300], num_words)
        forget_peak()
        before, start = resident_mib(), time.process_time()
        statistics = WordStatistics.count(documents, num_words, window=WINDOW)
        busy, added = time.process_time() - start, peak_mib() - before
        ways = {name: lambda d=documents, n=num_words: WordStatistics.count(d, n, window=WINDOW)}
        row = {
            "corpus": name,
            "documents": len(documents),
            "tokens": sum(map(len, documents)),
            "words": num_words - 3,
            "positive_pairs": statistics.pmi.nnz // 2,
            **summary(times_ms(ways, args.repeats)[name]),
            "core_s": round(busy, 2),
            "added_mib": round(added),
        }
        rows.append(row)
        print(row)
    write(rows, args.json)


if __name__ == "__main__":
    main()
