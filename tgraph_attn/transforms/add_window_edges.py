"""Edges between the nodes that stand close to each other."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_distance
from tgraph_attn.relations.num_types import signed_num_types
from tgraph_attn.relations.window_edges import window_edges
from tgraph_attn.transforms._graphs import pointer_of
from tgraph_attn.transforms._write_relation import write_relation


@functional_transform("add_window_edges")
class AddWindowEdges(BaseTransform):
    """Add edges, both ways, between the nodes of a graph at most size positions apart.

    The edge from node j (the key) to node i (the query) has type j - i + size. The graph need not
    be a tree; no edge goes from one graph of a batch to another.

    Args:
        size: How many positions to reach, P.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **data.window_edge_index**: `[2, E]` int64, written, sorted by query, then key
        - **data.window_edge_type**: `[E]` int64 in `[0, 2P + 1)`, written

    Raises:
        ValueError: size is below 1, data does not say how many nodes it has, its nodes are not
            sorted by graph, or there would be more than 50 million edges.

    Examples:
        >>> from torch_geometric.data import Data
        >>> from tgraph_attn.transforms import AddWindowEdges
        >>> data = AddWindowEdges(size=1)(Data(num_nodes=2))
        >>> data.window_edge_index.tolist(), data.window_edge_type.tolist()
        ([[0, 1, 0, 1], [0, 0, 1, 1]], [1, 2, 0, 1])
    """

    def __init__(self, size: int, *, self_edges: bool = True) -> None:
        check_distance(type(self).__name__, size=size)
        self.size = size
        self.self_edges = self_edges

    @property
    def num_types(self) -> int:
        """How many edge types there can be, T."""
        return signed_num_types(self.size)

    def forward(self, data: Data) -> Data:
        """Return data with the window edges written."""
        pointer, device = pointer_of(type(self).__name__, data)
        edges = window_edges(pointer, self.size, self_edges=self.self_edges)
        write_relation(data, "window", edges, int(pointer[-1]), device)
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, self_edges={self.self_edges})"
