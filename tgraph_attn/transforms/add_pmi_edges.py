"""Weighted edges between the words of a text that come together more often than by chance."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_type
from tgraph_attn.relations.pmi_edges import pmi_edges
from tgraph_attn.relations.word_statistics import WordStatistics
from tgraph_attn.transforms._graphs import write_text_relation


@functional_transform("add_pmi_edges")
class AddPMIEdges(BaseTransform):
    """Add edges, both ways, between the nodes of a text whose words have a positive PMI.

    The weight of an edge is that PMI; each node, the document's too, has an edge of weight 1 to
    itself. Together with those of `AddTFIDFEdges` these are the entries of Text-GCN's matrix.

    Args:
        statistics: The PMI of a corpus.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **data.x**: `[N]` int64, the word of each node
        - **data.pmi_edge_index**: `[2, E]` int64, written, sorted by query, then key
        - **data.pmi_edge_weight**: `[E]` float32, written, > 0

    Raises:
        ValueError: data has no such x, a word is not among those of the statistics, or there would
            be more than 50 million edges.
        TypeError: statistics are no `WordStatistics`.

    Examples:
        >>> from tgraph_attn.convert import text_to_data
        >>> from tgraph_attn.relations import WordStatistics
        >>> from tgraph_attn.transforms import AddPMIEdges
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "price"], specials=["<document>"])
        >>> statistics = WordStatistics.count([[3, 4], [3, 4], []], num_words=5)
        >>> data = AddPMIEdges(statistics)(text_to_data(["oil", "price"], vocab))
        >>> data.pmi_edge_index.tolist()
        [[0, 1, 0, 1, 2], [0, 0, 1, 1, 2]]
        >>> [round(weight, 2) for weight in data.pmi_edge_weight.tolist()]
        [1.0, 0.41, 0.41, 1.0, 1.0]

    Source:
        Text-GCN (Yao et al., AAAI 2019), equation 3.
    """

    def __init__(self, statistics: WordStatistics, *, self_edges: bool = True) -> None:
        hint = "Make them with WordStatistics.count(documents, num_words)."
        check_type(type(self).__name__, "statistics", statistics, WordStatistics, hint)
        self.statistics = statistics
        self.self_edges = self_edges

    def forward(self, data: Data) -> Data:
        """Return data with the PMI edges written."""
        write_text_relation(
            type(self).__name__,
            data,
            "pmi",
            ["x"],
            lambda text: pmi_edges(text.x, self.statistics, self_edges=self.self_edges),
            value="weight",
        )
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.statistics}, self_edges={self.self_edges})"
