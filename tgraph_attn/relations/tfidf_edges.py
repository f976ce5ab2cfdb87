"""Weighted edges between the words of a text and the node of the text itself."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tgraph_attn._checks import check_integers, check_within
from tgraph_attn.relations._text.unique_edges import unique_edges
from tgraph_attn.relations.word_statistics import WordStatistics


def tfidf_edges(
    words: ArrayLike, token_index: ArrayLike, document: int, statistics: WordStatistics
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the edges, both ways, between each word node of a text and its document node.

    Their weight is TF-IDF: how often the node's word stands in the text, times
    ln(num_documents / document_frequency). It is 0 for a word that all documents hold. Where each
    token has a node of its own, each counts once. There are no self edges.

    Args:
        words: The word of each node.
        token_index: The node of each token of the text.
        document: The document node.
        statistics: The document frequencies of a corpus.

    Shapes:
        - **words**: `[N]` integers; those of tokens in `[0, V)`
        - **token_index**: `[L]` integers in `[0, N)`, none of them document

    Returns:
        edge_index, `[2, E]` int64, sorted by query (row 1), then key (row 0), and edge_weight,
        `[E]` float32.

    Raises:
        ValueError: A token's node or word, or the document, is not there, or a token's node is the
            document's.
        TypeError: Words or nodes are no whole numbers.

    Examples:
        >>> from tgraph_attn.relations import WordStatistics, tfidf_edges
        >>> statistics = WordStatistics.count([[0, 1], [1, 0], [1], [1]], num_words=3)
        >>> edge_index, edge_weight = tfidf_edges([0, 1, 2], [0, 1, 0], 2, statistics)
        >>> edge_index.tolist(), edge_weight.astype(float).round(2).tolist()
        ([[2, 2, 0, 1], [0, 1, 2, 2]], [1.39, 0.0, 1.39, 0.0])

    Source:
        The document-word part of Text-GCN's matrix (Yao et al., AAAI 2019), equation 3.
    """
    owner = "tfidf_edges"
    word = check_integers(owner, "words", words, (None,))
    token = check_integers(owner, "token_index", token_index, (None,))
    hint = "Number the nodes from 0."
    check_within(owner, "token_index", token, word.size, hint)
    check_within(owner, "document", np.array([document]), word.size, hint)
    if (token == document).any():
        raise ValueError(
            f"{owner}: document must be a node without a word, but tokens stand at node "
            f"{document}. Give the document a node of its own."
        )
    node, count = np.unique(token, return_counts=True)
    hint = "Were the statistics counted with this vocabulary?"
    check_within(owner, "the word of each token", word[node], statistics.num_words, hint)
    weight = (count * statistics.idf[word[node]]).astype(np.float32)
    there = np.full(node.size, document)
    key, query = np.concatenate([node, there]), np.concatenate([there, node])
    edge_index, place = unique_edges(key, query, word.size)
    return edge_index, np.concatenate([weight, weight])[place]
