"""Edges between each node of a tree and its ancestors."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_distance
from tgraph_attn.convert.parent_of import parent_of
from tgraph_attn.relations.ancestor_edges import ancestor_edges
from tgraph_attn.relations.num_types import signed_num_types
from tgraph_attn.transforms._write_relation import write_relation


@functional_transform("add_ancestor_edges")
class AddAncestorEdges(BaseTransform):
    """Add edges between each node and, both ways, its nearest ancestors, and to itself.

    The edge from node j (the key) to node i (the query) has type R + P, where R is
    depth(j) - depth(i): P - d from an ancestor d levels up, P for a node with itself, and P + d
    from a descendant d levels down. The reversed edge has type 2P minus that.

    Args:
        max_distance: How many levels to reach, P.
        self_edges: Whether each node also has an edge to itself.

    Shapes:
        - **data.parent_index**: `[N]` int64; a root is its own parent
        - **data.ancestor_edge_index**: `[2, E]` int64, written, sorted by query, then key
        - **data.ancestor_edge_type**: `[E]` int64 in `[0, 2P + 1)`, written

    Raises:
        ValueError: max_distance is below 1, data has no parent_index, or there would be more than
            50 million edges.

    Examples:
        >>> from tgraph_attn.convert import tree_to_data
        >>> from tgraph_attn.transforms import AddAncestorEdges
        >>> from tgraph_attn.tree import Tree
        >>> data = AddAncestorEdges(max_distance=1)(tree_to_data(Tree([-1, 0])))
        >>> data.ancestor_edge_index.tolist(), data.ancestor_edge_type.tolist()
        ([[0, 1, 0, 1], [0, 0, 1, 1]], [1, 2, 0, 1])

    Source:
        The ancestor relation of AST-Trans (Tang et al., ICSE 2022), equation 1.
    """

    def __init__(self, max_distance: int = 7, *, self_edges: bool = True) -> None:
        check_distance(type(self).__name__, max_distance=max_distance)
        self.max_distance = max_distance
        self.self_edges = self_edges

    @property
    def num_types(self) -> int:
        """How many edge types there can be, T."""
        return signed_num_types(self.max_distance)

    def forward(self, data: Data) -> Data:
        """Return data with the ancestor edges written."""
        parent = parent_of(data)
        edges = ancestor_edges(parent, self.max_distance, self_edges=self.self_edges)
        write_relation(data, "ancestor", edges, len(parent), data.parent_index.device)
        return data

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(max_distance={self.max_distance}, self_edges={self.self_edges})"
        )
