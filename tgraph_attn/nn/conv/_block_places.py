"""Nodes in blocks that no two graphs share."""

from typing import NamedTuple

import torch
from torch import Tensor

from tgraph_attn._checks_tensor import check_edges, check_range


class BlockPlaces(NamedTuple):
    """Where nodes stand if each graph is filled up to whole blocks.

    Shapes:
        - **place**: `[N]` int64, of each node
        - **is_node**: `[M]` bool, M a multiple of the block size: whether a node stands there
        - **block_index**: `[2, E]` int64: the key block, row 0, and the query block of each edge
    """

    place: Tensor
    is_node: Tensor
    block_index: Tensor

    def spread(self, nodes: Tensor) -> Tensor:
        """Return the rows of nodes where they stand, zeros where there is none, `[M, ...]`."""
        filled = nodes.new_zeros(self.is_node.numel(), *nodes.shape[1:])
        return filled.index_copy(0, self.place, nodes)


def block_places(owner: str, edge_index: Tensor, batch: Tensor, block_size: int) -> BlockPlaces:
    """Return the places of nodes, and the blocks that edges between first nodes join.

    Args:
        owner: Who asks, for messages.
        edge_index: `[2, E]` int64; each end is the first node of a block.
        batch: `[N]` int64, sorted: the graph of each node.
        block_size: How many nodes a block has.

    Raises:
        ValueError: An end of an edge is no node, or not the first one of its block.
    """
    check_edges(owner, edge_index)
    num_nodes = batch.numel()
    check_range(owner, "edge_index", edge_index, num_nodes)
    sizes = batch.bincount()
    filled = (sizes + block_size - 1) // block_size * block_size
    start, first = sizes.cumsum(0) - sizes, filled.cumsum(0) - filled
    within = torch.arange(num_nodes, device=batch.device) - start[batch]
    place = first[batch] + within
    is_node = torch.zeros(int(filled.sum()), dtype=torch.bool, device=batch.device)
    is_node[place] = True
    if edge_index.device.type == "cpu" and (wrong := within[edge_index] % block_size).any():
        node = int(edge_index[wrong > 0][0])
        raise ValueError(
            f"{owner}: edge_index must join the first nodes of blocks, every {block_size}th of a "
            f"graph, but node {node} is number {int(within[node])} of its graph. Was the data made "
            "with another block_size? Call each block by its first node."
        )
    return BlockPlaces(place, is_node, place[edge_index] // block_size)


def node_edges(places: BlockPlaces, block_size: int) -> Tensor:
    """Return all edges between nodes of joined blocks, each once, `[2, E']`, sorted by query."""
    node = torch.full(places.is_node.shape, -1, device=places.place.device)
    node[places.place] = torch.arange(places.place.numel(), device=node.device)
    key, query = node.view(-1, block_size)[torch.unique(places.block_index, dim=1)]  # [E, b] each
    pairs = torch.stack(
        [
            key.unsqueeze(1).expand(-1, block_size, -1).flatten(),
            query.unsqueeze(2).expand(-1, -1, block_size).flatten(),
        ]
    )
    pairs = pairs[:, (pairs >= 0).all(0)]
    return pairs[:, (pairs[1] * max(places.place.numel(), 1) + pairs[0]).argsort()]
