"""Which words of a corpus are kept, and an account of those that are not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from tgraph_attn.convert.text_to_data import DOCUMENT
from tgraph_attn.vocab import Vocab


@dataclass(frozen=True)
class WordCount:
    """The vocabulary of a corpus, and what was left out of it.

    Attributes:
        vocab: The words that are kept, the most frequent first; "<document>" is before them.
        words: How many different words were found, kept, and left out, by reason.
        splits: The same of each split, in tokens, and its documents that lost all words.
    """

    vocab: Vocab
    words: dict[str, int]
    splits: dict[str, dict[str, int]]


def count_words(
    words: Mapping[str, Sequence[Sequence[str]]],
    *,
    counted: Sequence[str],
    min_count: int,
    stop: frozenset[str],
) -> WordCount:
    """Return the vocabulary of the words that come often enough and are no stop words.

    Args:
        words: The words of each document of each split.
        counted: The splits whose words are counted.
        min_count: How often a word must come in them. Stop words are taken out afterwards.
        stop: The stop words.
    """
    counts: Counter[str] = Counter()
    for split in counted:
        counts.update(chain.from_iterable(words[split]))
    left_out = stop.union(("<pad>", "<unk>", DOCUMENT))
    frequent = {word: n for word, n in counts.items() if n >= min_count and word not in left_out}
    vocab = Vocab.build(Counter(frequent).elements(), specials=[DOCUMENT])
    found = set(counts).union(*chain.from_iterable(words.values()))
    stopped = found & stop
    total = {"found": len(found), "kept": len(frequent), "stop_words": len(stopped)}
    return WordCount(
        vocab,
        total | {"rare": len(found) - len(frequent) - len(stopped)},
        {split: _count_tokens(documents, frequent, stop) for split, documents in words.items()},
    )


def _count_tokens(
    documents: Sequence[Sequence[str]], kept: dict[str, Any], stop: frozenset[str]
) -> dict[str, int]:
    tokens = Counter(chain.from_iterable(documents))
    of = {
        "tokens": tokens.total(),
        "kept_tokens": sum(n for word, n in tokens.items() if word in kept),
        "stop_tokens": sum(n for word, n in tokens.items() if word in stop),
        "unknown_words": sum(word not in kept and word not in stop for word in tokens),
    }
    empty = sum(not any(word in kept for word in document) for document in documents)
    return {"documents": len(documents), "empty_documents": empty} | of
