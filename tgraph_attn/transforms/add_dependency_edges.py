"""Typed edges between the words of a text and their heads."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_positive
from tgraph_attn.relations.dependency_edges import dependency_edges
from tgraph_attn.transforms._graphs import write_text_relation


@functional_transform("add_dependency_edges")
class AddDependencyEdges(BaseTransform):
    """Add edges, both ways, between the node of each token of a text and that of its head.

    With K labels, the edge from the head to the dependent has the dependent's label, 0 .. K - 1, as
    its type; the edge from the dependent to the head has K plus that; the edge of a node to itself
    has type 2K. Without labels K is 1. Where several tokens share a node, two nodes may be joined
    by edges of several types.

    Args:
        num_labels: How many labels `data.dependency` has, K; None does not read it.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **data.token_index**: `[L]` int64, the node of each token
        - **data.head_index**: `[L]` int64, the node of each token's head, its own for a root
        - **data.dependency**: `[L]` int64 in `[0, K)`, the label of each token's edge to its head
        - **data.dependency_edge_index**: `[2, E]` int64, written, sorted by query, key, then type
        - **data.dependency_edge_type**: `[E]` int64 in `[0, 2K + 1)`, written

    Raises:
        ValueError: num_labels is below 1, or data has no such attributes.

    Examples:
        >>> from tgraph_attn.convert import text_to_data
        >>> from tgraph_attn.transforms import AddDependencyEdges
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "rises"], specials=["<document>"])
        >>> data = AddDependencyEdges()(text_to_data(["oil", "rises"], vocab, heads=[1, 1]))
        >>> data.dependency_edge_index.tolist(), data.dependency_edge_type.tolist()
        ([[0, 1, 0, 1, 2], [0, 0, 1, 1, 2]], [2, 0, 1, 2, 2])

    Source:
        The directions and labels of Marcheggiani and Titov (EMNLP 2017): along, opposite, self.
    """

    def __init__(self, num_labels: int | None = None, *, self_edges: bool = True) -> None:
        owner = type(self).__name__
        check_positive(owner, num_labels=1 if num_labels is None else num_labels)
        self.num_labels = num_labels
        self.self_edges = self_edges

    @property
    def num_types(self) -> int:
        """How many edge types there can be, T."""
        return 2 * (self.num_labels or 1) + 1

    def forward(self, data: Data) -> Data:
        """Return data with the dependency edges written."""
        labels = [] if self.num_labels is None else ["dependency"]
        write_text_relation(
            type(self).__name__,
            data,
            "dependency",
            ["token_index", "head_index", *labels],
            lambda text: dependency_edges(
                text.head_index,
                text.token_index,
                text.num_nodes,
                text.dependency,
                num_labels=self.num_labels or 1,
                self_edges=self.self_edges,
            ),
        )
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(num_labels={self.num_labels}, self_edges={self.self_edges})"
