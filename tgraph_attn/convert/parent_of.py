"""The parent of each node of a graph or batch, as the relations want it."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch_geometric.data import Data

from tgraph_attn._checks import check_type


def parent_of(data: Data) -> NDArray[np.int64]:
    """Return the parent of each node of a `Data` or `Batch`, with -1 for each root.

    In `data.parent_index`, where PyG shifts the numbers when it makes a batch, a root is its own
    parent.

    Args:
        data: One tree, or a batch of trees.

    Returns:
        `[N]` int64, a new array.

    Raises:
        ValueError: data has no parent_index, or not one int64 for each node.

    Examples:
        >>> from tgraph_attn.convert import parent_of, tree_to_data
        >>> from tgraph_attn.tree import Tree
        >>> parent_of(tree_to_data(Tree([-1, 0, 1]))).tolist()
        [-1, 0, 1]
    """
    check_type("parent_of", "data", data, Data, "Make it with tree_to_data(tree).")
    if "parent_index" not in data:
        raise ValueError(
            f"parent_of: data must have parent_index, but has only {sorted(data.keys())}. "
            "Make it with tree_to_data(tree)."
        )
    index = data.parent_index
    if not isinstance(index, torch.Tensor) or index.dtype != torch.int64 or index.dim() != 1:
        got = (
            f"{index.dtype} {list(index.shape)}"
            if hasattr(index, "dtype")
            else type(index).__name__
        )
        raise ValueError(
            f"parent_of: parent_index must be an int64 tensor of shape [N], but is {got}. "
            "Make it with tree_to_data(tree)."
        )
    if ("num_nodes" in data or "x" in data) and len(index) != data.num_nodes:
        raise ValueError(
            f"parent_of: parent_index must have one row for each of the {data.num_nodes} nodes, "
            f"but has {len(index)}. Cut a tree with tree.truncate(n), before tree_to_data."
        )
    parent = index.numpy(force=True)
    return np.where(parent == np.arange(len(parent)), -1, parent)
