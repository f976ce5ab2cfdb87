"""From a graph of PyG back to a tree."""

import torch
from torch_geometric.data import Batch, Data

from tgraph_attn._checks import check_type
from tgraph_attn.convert.parent_of import parent_of
from tgraph_attn.tree import Tree


def data_to_tree(data: Data) -> Tree:
    """Return the tree that a `Data` was made from.

    Only parent_index has to be there; a column that is not there gets the default of `Tree`.

    Args:
        data: One graph, as `tree_to_data` makes it; its relations and features are not read.

    Raises:
        ValueError: data is a batch, has no parent_index, or that is no tree in pre-order.

    Examples:
        >>> from tgraph_attn.convert import data_to_tree, tree_to_data
        >>> from tgraph_attn.tree import Tree
        >>> tree = Tree([-1, 0, 0], text=["a", "b", "c"])
        >>> data_to_tree(tree_to_data(tree)) == tree
        True
    """
    check_type("data_to_tree", "data", data, Data, "Make it with tree_to_data(tree).")
    if isinstance(data, Batch):
        raise ValueError(
            f"data_to_tree: data must be one graph, but is a batch of {data.num_graphs}. "
            "Pass batch[i], or each of batch.to_data_list()."
        )
    faults = None
    if "fault_index" in data and "fault_type" in data:
        faults = torch.stack([data.fault_index, data.fault_type], dim=1).numpy(force=True)
    return Tree(
        parent_of(data),
        kind=data.kind if "kind" in data else None,
        text=data.text if "text" in data else None,
        span=data.span.numpy(force=True) if "span" in data else None,
        source=data.source.numpy(force=True) if "source" in data else None,
        faults=faults,
    )
