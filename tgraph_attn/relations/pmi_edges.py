"""Weighted edges between words that come together more often than by chance."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers, check_num_edges, check_within
from tgraph_attn._kernel import kernel
from tgraph_attn.relations._forest import MAX_EDGES
from tgraph_attn.relations.word_statistics import WordStatistics


def pmi_edges(
    words: ArrayLike, statistics: WordStatistics, *, self_edges: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the edges, both ways, between the nodes of a text whose words have a positive PMI.

    The weight of an edge is that PMI; that of a node with itself is 1. Nodes with the same word
    have no PMI, and so no edge between them.

    Args:
        words: The word of each node.
        statistics: The PMI of a corpus.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **words**: `[N]` integers in `[0, V)`

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), and edge_weight,
        `[E]` float32.

    Raises:
        ValueError: A word is not among those of the statistics, or there would be more than 50
            million edges.
        TypeError: words are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import WordStatistics, pmi_edges
        >>> statistics = WordStatistics.count([[0, 1], [0, 1], [2], [2]], num_words=3)
        >>> edge_index, edge_weight = pmi_edges([1, 2, 0], statistics)
        >>> edge_index.tolist(), edge_weight.astype(float).round(2).tolist()
        ([[0, 2, 1, 0, 2], [0, 0, 1, 2, 2]], [1.0, 0.69, 1.0, 0.69, 1.0])

    Source:
        The word-word part of Text-GCN's matrix (Yao et al., AAAI 2019), equation 3.
    """
    word = check_integers("pmi_edges", "words", words, (None,))
    num_words = statistics.num_words
    hint = "Were the statistics counted with this vocabulary?"
    check_within("pmi_edges", "words", word, num_words, hint)
    pmi, room = statistics.pmi, MAX_EDGES // 2
    pairs = _find_pairs(word, pmi.indptr, pmi.indices, pmi.data, room)
    num_self = word.size if self_edges else 0
    instead = "Cut the text, or take one node for each different word."
    num_edges = check_num_edges("pmi_edges", int(pairs[0]), num_self, MAX_EDGES, instead)
    edge_index = np.empty((2, num_edges), np.int64)
    edge_weight = np.empty(num_edges, np.float32)
    _fill(*pairs[1:], word.size, self_edges, edge_index, edge_weight)
    return edge_index, edge_weight


@kernel()
def _find_pairs(word, starts, others, values, room):  # type: ignore[no-untyped-def]
    """Return the number of pairs of nodes with a PMI, and for each both nodes and the PMI.

    The first node is less than the second, and pairs are sorted by the second, then the first.
    Those for which there is no room are counted, but not kept.
    """
    first = np.empty(16 * word.size + 1, np.int64)
    second = np.empty(first.size, np.int64)
    value = np.empty(first.size, np.float32)
    num_pairs = 0
    for i in range(word.size):
        begin, end = starts[word[i]], starts[word[i] + 1]
        for j in range(i):
            wanted, low, size = word[j], begin, end - begin
            while size > 1:  # without a branch that would have to be guessed
                half = size // 2
                low += half if others[low + half] <= wanted else 0
                size -= half
            if size == 1 and others[low] == wanted:
                if num_pairs < room:
                    if num_pairs == first.size:
                        first = np.append(first, np.empty(num_pairs, np.int64))
                        second = np.append(second, np.empty(num_pairs, np.int64))
                        value = np.append(value, np.empty(num_pairs, np.float32))
                    first[num_pairs] = j
                    second[num_pairs] = i
                    value[num_pairs] = values[low]
                num_pairs += 1
    kept = min(num_pairs, room)
    return num_pairs, first[:kept], second[:kept], value[:kept]


@kernel()
def _fill(first, second, value, num_nodes, self_edges, edge_index, edge_weight):  # type: ignore[no-untyped-def]
    """Write each pair both ways: by query, then lesser keys, itself and greater ones, in order."""
    key, query = edge_index[0], edge_index[1]
    place = np.zeros(num_nodes + 1, np.int64)  # where the next edge into each node goes
    for e in range(first.size):
        place[first[e] + 1] += 1
        place[second[e] + 1] += 1
    for i in range(num_nodes):
        place[i + 1] += place[i] + self_edges
    e = 0
    for i in range(num_nodes):
        while e < second.size and second[e] == i:
            for j, k in ((first[e], i), (i, first[e])):
                key[place[k]], query[place[k]], edge_weight[place[k]] = j, k, value[e]
                place[k] += 1
            e += 1
        if self_edges:
            key[place[i]], query[place[i]], edge_weight[place[i]] = i, i, 1
            place[i] += 1
