"""Weighted edges between the words of a text and its document node."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_type
from tgraph_attn.relations.tfidf_edges import tfidf_edges
from tgraph_attn.relations.word_statistics import WordStatistics
from tgraph_attn.transforms._graphs import write_text_relation


@functional_transform("add_tfidf_edges")
class AddTFIDFEdges(BaseTransform):
    """Add edges, both ways, between each word node of a text and its document node.

    Their weight is TF-IDF: how often the node's word stands in the text, times
    ln(num_documents / document_frequency). It is 0 for a word that all documents hold. Where each
    token has a node of its own, each counts once. There are no self edges.

    Args:
        statistics: The document frequencies of a corpus.

    Shapes:
        - **data.x**: `[N]` int64, the word of each node
        - **data.token_index**: `[L]` int64, the node of each token
        - **data.document_index**: `[1]` int64, the document node; `[B]` in a batch
        - **data.tfidf_edge_index**: `[2, E]` int64, written, sorted by query, then key
        - **data.tfidf_edge_weight**: `[E]` float32, written, not negative

    Raises:
        ValueError: data has no such attributes, or a word is not among those of the statistics.
        TypeError: statistics are no `WordStatistics`.

    Examples:
        >>> from tgraph_attn.convert import text_to_data
        >>> from tgraph_attn.relations import WordStatistics
        >>> from tgraph_attn.transforms import AddTFIDFEdges
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "price"], specials=["<document>"])
        >>> statistics = WordStatistics.count([[3, 4], [4], [4]], num_words=5)
        >>> data = AddTFIDFEdges(statistics)(text_to_data(["oil", "price", "oil"], vocab))
        >>> data.tfidf_edge_index.tolist()
        [[2, 2, 0, 1], [0, 1, 2, 2]]
        >>> [round(weight, 2) for weight in data.tfidf_edge_weight.tolist()]  # 2 ln 3, and ln 1
        [2.2, 0.0, 2.2, 0.0]

    Source:
        Text-GCN (Yao et al., AAAI 2019), equation 3.
    """

    def __init__(self, statistics: WordStatistics) -> None:
        hint = "Make them with WordStatistics.count(documents, num_words)."
        check_type(type(self).__name__, "statistics", statistics, WordStatistics, hint)
        self.statistics = statistics

    def forward(self, data: Data) -> Data:
        """Return data with the TF-IDF edges written."""
        write_text_relation(
            type(self).__name__,
            data,
            "tfidf",
            ["x", "token_index", "document_index"],
            lambda text: tfidf_edges(text.x, text.token_index, text.document, self.statistics),
            value="weight",
        )
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.statistics})"
