"""From a tree to a graph of PyG."""

import numpy as np
import torch
from torch_geometric.data import Data

from tgraph_attn._checks import check_type
from tgraph_attn.relations.ancestor_edges import ancestor_edges
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab


def tree_to_data(tree: Tree, vocab: Vocab | None = None) -> Data:
    """Return the tree as a graph whose edges are those of the tree, both ways, without self edges.

    `data_to_tree` makes the same tree of it again. Attributes that hold nodes end in `_index`, as
    PyG then shifts them when it makes a batch.

    Args:
        tree: The tree.
        vocab: The numbering of `tree.labels`; without one, x is 0 everywhere.

    Shapes:
        - **x**: `[N]` int64, the id of each node's label
        - **edge_index**: `[2, 2(N - 1)]` int64, sorted by query (row 1), then key (row 0)
        - **edge_type**: `[2(N - 1)]` int64; 0 where the key is the parent, 1 where it is the child
        - **parent_index**: `[N]` int64; the root is its own parent
        - **depth**: `[N]` int64; 0 at the root
        - **span**: `[N, 2]` int64, **source**: `[N]` int64, as in the tree
        - **fault_index**, **fault_type**: `[number of faults]` int64, the columns of `tree.faults`
        - **kind**, **text**: lists of N str, and of N str or None
        - **num_nodes**: N

    Raises:
        TypeError: tree is no `Tree`, or vocab no `Vocab`.

    Examples:
        >>> from tgraph_attn.convert import tree_to_data
        >>> from tgraph_attn.tree import Tree
        >>> data = tree_to_data(Tree([-1, 0, 0], kind=["sum", "one", "two"]))
        >>> data.edge_index.tolist(), data.edge_type.tolist()
        ([[1, 2, 0, 0], [0, 0, 1, 2]], [1, 1, 0, 0])
        >>> data.parent_index.tolist(), data.num_nodes
        ([0, 0, 0], 3)
    """
    hint = "Make one with Tree(parent, ...), parse_code or from_networkx."
    check_type("tree_to_data", "tree", tree, Tree, hint)
    if vocab is not None:
        hint = "Make one with Vocab.build(tree.labels)."
        check_type("tree_to_data", "vocab", vocab, Vocab, hint)
    parent = tree.parent.copy()
    edge_index, distance = ancestor_edges(parent, 1, self_edges=False)
    parent[0] = 0
    x = np.zeros(tree.num_nodes, np.int64)
    if vocab is not None:
        x[:] = vocab.encode(tree.labels)
    return Data(
        x=torch.from_numpy(x),
        edge_index=torch.from_numpy(edge_index),
        edge_type=torch.from_numpy(distance // 2),  # 0 from the parent, 2 from a child
        parent_index=torch.from_numpy(parent),
        depth=torch.from_numpy(tree.depth.copy()),
        span=torch.from_numpy(tree.span.copy()),
        source=torch.from_numpy(tree.source.copy()),
        fault_index=torch.from_numpy(np.array(tree.faults[:, 0])),
        fault_type=torch.from_numpy(np.array(tree.faults[:, 1])),
        kind=tree.kind.tolist(),
        text=tree.text.tolist(),
        num_nodes=tree.num_nodes,
    )
