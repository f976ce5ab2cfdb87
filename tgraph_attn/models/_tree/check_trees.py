"""What a model takes from a batch: ids of nodes, the tree of each node, targets."""

import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import check_batch, check_ids
from tgraph_attn.vocab import Vocab


def check_trees(owner: str, batch: Data, vocab: Vocab) -> tuple[Tensor, Tensor, int]:
    """Return the id of each node, `[N]`, its tree, `[N]`, and the number of trees, B.

    Raises:
        ValueError: batch.x are not ids of vocab, batch.batch is not sorted, or (on CPU) a tree has
            no node.
    """
    check_type(owner, "batch", batch, Data, "Make it with PyG's DataLoader or Batch.")
    x = check_ids(owner, "x", batch.x, ("N",), len(vocab))
    graph = torch.zeros_like(x) if batch.batch is None else batch.batch
    check_batch(owner, graph, x.size(0))
    if isinstance(batch, Batch):
        num_trees = batch.num_graphs
    else:
        num_trees = 1 if batch.batch is None else int(graph[-1:].sum()) + 1
    if graph.device.type == "cpu":
        empty = (graph.bincount(minlength=num_trees) == 0).nonzero().flatten().tolist()
        if empty:
            raise ValueError(
                f"{owner}: each tree must have a node, but tree {empty[0]} of the batch has none. "
                "Leave such examples out."
            )
    return x, graph, num_trees


def check_targets(owner: str, batch: Data, vocab: Vocab, num_trees: int, longest: int) -> Tensor:
    """Return batch.y, `[B, L]`: each row the ids of a target, `<eos>`, and padding.

    Raises:
        ValueError: There is no y, it has not one row for each tree, rows are too long, or (on CPU)
            ids are out of range, a row is empty, has padding in between, or holds `<bos>`.
    """
    y = check_ids(owner, "y", batch.y, (num_trees, "L"), len(vocab))
    if not 1 <= y.size(1) <= longest:
        raise ValueError(
            f"{owner}: y must have at most max_target={longest} columns and at least 1, but has "
            f"{y.size(1)}. Cut targets, or make the model with a greater max_target."
        )
    if y.device.type == "cpu":
        word = y != Vocab.PAD
        if not word[:, 0].all() or (word[:, 1:] & ~word[:, :-1]).any():
            raise ValueError(
                f"{owner}: each row of y must be a target, then padding, but row "
                f"{_first(~word[:, 0] | (word[:, 1:] & ~word[:, :-1]).any(1))} begins with padding "
                "or has some in between. An empty target is a lone <eos>."
            )
        begins = y == vocab.encode(["<bos>"])[0]
        if begins.any():
            raise ValueError(
                f"{owner}: y must hold targets without <bos>, but row {_first(begins.any(1))} has "
                "it. Leave it out: the model puts it first by itself."
            )
    return y


def _first(rows: Tensor) -> int:
    return int(rows.nonzero()[0])
