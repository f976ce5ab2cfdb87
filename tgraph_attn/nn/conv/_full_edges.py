"""The edges of complete graphs, for those who want to see them."""

import torch
from torch import Tensor

_MOST_NODES = 4096


def full_edges(owner: str, x: Tensor, batch: Tensor | None) -> Tensor:
    """Return all edges within each graph, `[2, E]`, sorted by query, then key.

    Raises:
        ValueError: There are as many edges as 4,096 nodes would have, or more.
    """
    num_nodes = x.size(0)
    if batch is None:
        batch = torch.zeros(num_nodes, dtype=torch.int64, device=x.device)
    sizes = batch.bincount()
    num_edges = int((sizes * sizes).sum())
    if num_edges >= _MOST_NODES**2:
        raise ValueError(
            f"{owner}: weights of all pairs must be asked for below {_MOST_NODES:,} nodes, but the "
            f"{num_nodes:,} nodes here make {num_edges:,} pairs. Ask for those of a smaller graph."
        )
    degree, start = sizes[batch], (sizes.cumsum(0) - sizes)[batch]  # [N]
    query = torch.arange(num_nodes, device=x.device).repeat_interleave(degree)
    first_edge = degree.cumsum(0) - degree
    key = torch.arange(num_edges, device=x.device) - (first_edge - start)[query]
    return torch.stack([key, query])
