"""Typed edges between the words that stand close to each other in a text."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_distance
from tgraph_attn.relations.neighbour_edges import neighbour_edges
from tgraph_attn.transforms._graphs import write_text_relation


@functional_transform("add_neighbour_edges")
class AddNeighbourEdges(BaseTransform):
    """Add edges, both ways, between nodes whose words come near each other in a text.

    An edge goes from the key j to the query i if a token of j and one of i are at most size
    positions apart. Its type is 0 where j comes earlier, 2 where it comes later, and 1 from a node
    to itself. If their tokens are near each other several times, the nearest two say which; if
    those of both orders are as near, j counts as earlier. The document node has no neighbours.

    Args:
        size: How many positions to reach, P.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **data.token_index**: `[L]` int64, the node of each token
        - **data.neighbour_edge_index**: `[2, E]` int64, written, sorted by query, then key
        - **data.neighbour_edge_type**: `[E]` int64 in `[0, 3)`, written

    Raises:
        ValueError: size is below 1, data has no token_index or does not say how many nodes it has,
            or more than 25 million pairs of tokens are near each other.

    Examples:
        >>> from tgraph_attn.convert import text_to_data
        >>> from tgraph_attn.transforms import AddNeighbourEdges
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "price"], specials=["<document>"])
        >>> data = AddNeighbourEdges(size=1)(text_to_data(["oil", "price"], vocab))
        >>> data.neighbour_edge_index.tolist(), data.neighbour_edge_type.tolist()
        ([[0, 1, 0, 1, 2], [0, 0, 1, 1, 2]], [1, 2, 0, 1, 1])

    Source:
        The neighbours of the text-level GNN (Huang et al., EMNLP 2019), with an order.
    """

    def __init__(self, size: int = 3, *, self_edges: bool = True) -> None:
        check_distance(type(self).__name__, size=size)
        self.size = size
        self.self_edges = self_edges

    @property
    def num_types(self) -> int:
        """How many edge types there are, T."""
        return 3

    def forward(self, data: Data) -> Data:
        """Return data with the neighbour edges written."""
        write_text_relation(
            type(self).__name__,
            data,
            "neighbour",
            ["token_index"],
            lambda text: neighbour_edges(
                text.token_index, text.num_nodes, self.size, self_edges=self.self_edges
            ),
        )
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, self_edges={self.self_edges})"
