"""Edges between the nodes of a tree that a short path connects."""

from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_distance, check_not_negative, check_positive
from tgraph_attn.convert.parent_of import parent_of
from tgraph_attn.relations.num_types import path_level_num_types
from tgraph_attn.relations.path_level_edges import path_level_edges
from tgraph_attn.transforms._write_relation import write_relation


@functional_transform("add_path_level_edges")
class AddPathLevelEdges(BaseTransform):
    """Add edges between all nodes of a tree at most max_path tree edges apart.

    For the edge from node j (the key) to node i (the query), level is depth(j) - depth(i), and
    path is the number of tree edges between them: positive if j comes later in pre-order, negative
    if it comes earlier. With P = max_path, its type is (path + P) * (2P + 1) + level + P.

    Args:
        max_path: How long a path may be, P, in tree edges.
        max_level: How far apart two levels may be; None for no limit but the path's.
        self_edges: Whether each node also has an edge to itself.
        max_edges: How many edges may be written.

    Shapes:
        - **data.parent_index**: `[N]` int64; a root is its own parent
        - **data.path_level_edge_index**: `[2, E]` int64, written, sorted by query, then key
        - **data.path_level_edge_type**: `[E]` int64 in `[0, (2P + 1)^2)`, written

    Raises:
        ValueError: max_path or max_edges is below 1, max_level below 0, data has no parent_index,
            or there would be more than max_edges edges.

    Examples:
        >>> from tgraph_attn.convert import tree_to_data
        >>> from tgraph_attn.transforms import AddPathLevelEdges
        >>> from tgraph_attn.tree import Tree
        >>> data = AddPathLevelEdges(max_path=1)(tree_to_data(Tree([-1, 0])))
        >>> data.path_level_edge_index.tolist(), data.path_level_edge_type.tolist()
        ([[0, 1, 0, 1], [0, 0, 1, 1]], [4, 8, 0, 4])

    Source:
        The path length and level difference of HIBRIDS (Cao and Wang, ACL 2022).
    """

    def __init__(
        self,
        max_path: int = 19,
        max_level: int | None = None,
        *,
        self_edges: bool = True,
        max_edges: int = 50_000_000,
    ) -> None:
        owner = type(self).__name__
        check_distance(owner, max_path=max_path)
        check_positive(owner, max_edges=max_edges)
        check_not_negative(owner, max_level=0 if max_level is None else max_level)
        self.max_path = max_path
        self.max_level = max_level
        self.self_edges = self_edges
        self.max_edges = max_edges

    @property
    def num_types(self) -> int:
        """How many edge types there can be, T."""
        return path_level_num_types(self.max_path)

    def forward(self, data: Data) -> Data:
        """Return data with the path-level edges written."""
        parent = parent_of(data)
        edges = path_level_edges(
            parent,
            self.max_path,
            self.max_level,
            self_edges=self.self_edges,
            max_edges=self.max_edges,
        )
        write_relation(data, "path_level", edges, len(parent), data.parent_index.device)
        return data

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(max_path={self.max_path}, max_level={self.max_level}, "
            f"self_edges={self.self_edges}, max_edges={self.max_edges})"
        )
