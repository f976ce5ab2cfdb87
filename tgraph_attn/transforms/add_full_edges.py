"""The complete graph over the nodes of each graph, without writing its edges."""

import torch
from torch_geometric.data import Batch, Data
from torch_geometric.data.datapipes import functional_transform
from torch_geometric.transforms import BaseTransform

from tgraph_attn.transforms._write_relation import write_slices


@functional_transform("add_full_edges")
class AddFullEdges(BaseTransform):
    """Mark that each node is to attend to every node of its graph, and to itself.

    No edge is written: N nodes would need N^2 of them. The relation `full` has one edge type.

    Shapes:
        - **data.full**: True, written; of a batch, `[B]` bool, as PyG's batching makes of it

    Examples:
        >>> from torch_geometric.data import Data
        >>> from tgraph_attn.transforms import AddFullEdges
        >>> AddFullEdges()(Data(num_nodes=2)).full
        True
    """

    @property
    def num_types(self) -> int:
        """How many edge types there are, T."""
        return 1

    def forward(self, data: Data) -> Data:
        """Return data with the mark written."""
        if isinstance(data, Batch):
            data.full = torch.ones(data.num_graphs, dtype=torch.bool)
            write_slices(
                data,
                "full",
                torch.arange(data.num_graphs + 1),
                torch.zeros(data.num_graphs, dtype=torch.int64),
            )
        else:
            data.full = True
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
