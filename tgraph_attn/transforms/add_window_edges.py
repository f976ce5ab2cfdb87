"""Edges between the nodes that stand close to each other."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn._checks import check_distance
from tgraph_attn.relations.num_types import signed_num_types
from tgraph_attn.relations.window_edges import window_edges
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
        pointer, device = _pointer(data)
        edges = window_edges(pointer, self.size, self_edges=self.self_edges)
        write_relation(data, "window", edges, int(pointer[-1]), device)
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, self_edges={self.self_edges})"


def _pointer(data: Data) -> tuple[NDArray[np.int64], torch.device]:
    """Return where each graph begins and the last one ends, and where data is kept."""
    tensors = (value for value in data.to_dict().values() if isinstance(value, Tensor))
    device = next((tensor.device for tensor in tensors), torch.device("cpu"))
    if "ptr" in data:
        return data.ptr.numpy(force=True), device
    if "batch" in data:
        graph = data.batch.numpy(force=True)
        if (np.diff(graph) < 0).any():
            raise ValueError(
                "AddWindowEdges: batch must be sorted, the nodes of each graph together, but is "
                "not. Make it with Batch.from_data_list."
            )
        return np.append(0, np.cumsum(np.bincount(graph))), device
    if not {"parent_index", "num_nodes", "x", "pos"} & set(data.keys()):
        raise ValueError(
            "AddWindowEdges: data must say how many nodes it has, but has only "
            f"{sorted(data.keys())}. Set data.num_nodes."
        )
    num_nodes = len(data.parent_index) if "parent_index" in data else data.num_nodes
    return np.array([0, num_nodes]), device
