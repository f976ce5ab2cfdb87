"""All documents of a corpus and all words as one graph."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import block_array, csr_array, eye_array
from torch_geometric.data import Data

from tgraph_attn._checks import check_type, check_within
from tgraph_attn.convert.text_to_data import FIRST_WORD_ID
from tgraph_attn.relations.word_statistics import WordStatistics


def corpus_graph(documents: Sequence[Data], statistics: WordStatistics) -> Data:
    """Return the graph of Text-GCN: a node for each document, then one for each word.

    The weight of an edge is the PMI of two words, if it is positive; the TF-IDF of a word and a
    document, that is how often the word stands in it times ln(num_documents /
    document_frequency); and 1 from each node to itself. Edges go both ways. With D documents, the
    node of the word with id w is D + w - 3.

    Args:
        documents: What `text_to_data` or `DocumentGraph` made of each of the D documents. Their own
            edges are not read.
        statistics: The counts over the corpus.

    Shapes:
        - **edge_index**: `[2, E]` int64, sorted by query (row 1), then key (row 0)
        - **edge_weight**: `[E]` float32; 0 only for a word that all documents hold
        - **y**: `[D]` int64, the class of each document; absent if no document has one
        - **word**: `[V - 3]` int64, the id of each word node: 3, 4, ...
        - **token_index**: the node of each token of all documents, one after the other
        - **num_tokens**: `[D]` int64, how many of them are of each document
        - **num_documents**, **num_nodes**: D, and D + V - 3

    Raises:
        ValueError: There is no document, some have a class and others have none, a document is a
            batch or was not made by `text_to_data`, or a word is not among those of the statistics.

    Examples:
        >>> from tgraph_attn.convert import corpus_graph, text_to_data
        >>> from tgraph_attn.relations import WordStatistics
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "price"], specials=["<document>"])
        >>> documents = [text_to_data(text.split(), vocab) for text in ("oil oil", "price")]
        >>> statistics = WordStatistics.count([[3, 3], [4]], num_words=len(vocab))
        >>> graph = corpus_graph(documents, statistics)
        >>> graph.edge_index.tolist()
        [[0, 2, 1, 3, 0, 2, 1, 3], [0, 0, 1, 1, 2, 2, 3, 3]]
        >>> [round(weight, 2) for weight in graph.edge_weight.tolist()]
        [1.0, 1.39, 1.0, 0.69, 1.39, 1.0, 0.69, 1.0]

    Source:
        Text-GCN (Yao et al., AAAI 2019), equation 3. Its code has the test documents after the
        words; here the order of the documents is the caller's.
    """
    hint = "Make them with WordStatistics.count(documents, num_words)."
    check_type("corpus_graph", "statistics", statistics, WordStatistics, hint)
    if len(documents) == 0:
        raise ValueError(
            "corpus_graph: documents must hold at least one graph, but is empty. Make them with "
            "text_to_data."
        )
    rows = [_word_ids(number, data) for number, data in enumerate(documents)]
    words = np.concatenate(rows)
    hint = "Were the statistics counted with this vocabulary?"
    check_within("corpus_graph", "each word id", words, statistics.num_words, hint)
    counts = np.array([row.size for row in rows], np.int64)
    num_documents, num_words = len(rows), max(statistics.num_words - FIRST_WORD_ID, 0)
    weight = _matrix(counts, words - FIRST_WORD_ID, statistics)
    key, starts = weight.indices.astype(np.int64), weight.indptr
    query = np.repeat(np.arange(weight.shape[0]), np.diff(starts))
    graph = Data(
        edge_index=torch.from_numpy(np.stack([key, query])),
        edge_weight=torch.from_numpy(weight.data),
        word=torch.arange(FIRST_WORD_ID, FIRST_WORD_ID + num_words),
        token_index=torch.from_numpy(words - FIRST_WORD_ID + num_documents),
        num_tokens=torch.from_numpy(counts),
        num_documents=num_documents,
        num_nodes=num_documents + num_words,
    )
    if any("y" in data for data in documents):
        graph.y = _classes(documents)
    return graph


def _matrix(
    counts: NDArray[np.int64], words: NDArray[np.int64], statistics: WordStatistics
) -> csr_array:
    """Return the symmetric matrix of weights: documents, then words, in rows and columns."""
    pmi = statistics.pmi[FIRST_WORD_ID:, FIRST_WORD_ID:]
    document = np.repeat(np.arange(counts.size), counts)
    shape = (counts.size, pmi.shape[0])
    count = csr_array((np.ones(words.size), (document, words)), shape=shape)  # sums what repeats
    value = (count.data * statistics.idf[FIRST_WORD_ID:][count.indices]).astype(np.float32)
    tfidf = csr_array((value, count.indices, count.indptr), shape=shape)
    ones = (eye_array(size, format="csr", dtype=np.float32) for size in shape)
    weight = block_array([[next(ones), tfidf], [tfidf.T, pmi + next(ones)]], format="csr")
    weight.sort_indices()
    return weight


def _word_ids(number: int, data: Data) -> NDArray[np.int64]:
    hint = "Make each of them with text_to_data."
    check_type("corpus_graph", f"document {number}", data, Data, hint)
    missing = {"x", "token_index", "document_index"} - set(data.keys())
    if missing or data.document_index.numel() != 1:
        raise ValueError(
            f"corpus_graph: document {number} must be one graph with x, token_index and "
            f"document_index, but has {sorted(data.keys())}. {hint}"
        )
    words = data.x[data.token_index].numpy(force=True)
    if words.size and words.min() < FIRST_WORD_ID:
        raise ValueError(
            f"corpus_graph: the tokens of document {number} must be words, with ids from "
            f"{FIRST_WORD_ID} on, but one has id {words.min()}. {hint}"
        )
    return words


def _classes(documents: Sequence[Data]) -> torch.Tensor:
    without = [number for number, data in enumerate(documents) if "y" not in data]
    if without:
        raise ValueError(
            f"corpus_graph: all documents must have a class y, or none, but {len(without)} of "
            f"{len(documents)} have none, such as document {without[0]}. Give each one, or -1."
        )
    return torch.cat([data.y.flatten() for data in documents])
