"""Attention of every node to every node of its graph, without ever building the edges."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint

from tgraph_attn._checks import check_fraction
from tgraph_attn._checks_tensor import check_batch

_SPARE_NODES = 16  # a graph may be padded by so many nodes, whatever its size
_MOST_SCORES = 1 << 24  # with dropout on a CPU, scores are built: so many at a time


def full_attention(
    query: Tensor, key: Tensor, value: Tensor, batch: Tensor | None = None, *, dropout: float = 0.0
) -> Tensor:
    """Let each node attend to all nodes of its graph, itself too.

    For nodes i and j of one graph, and a head h::

        score[i, j, h] = q[i, h] · k[j, h] / sqrt(C)
        out[i, h]      = sum over j of softmax over j of score[i, j, h] * v[j, h]

    It equals `edge_attention` on the list of all edges, but runs on torch's
    `scaled_dot_product_attention`: on a single graph as it is, on a batch for graphs of about the
    same size at once, each padded by at most a third or by 16 nodes, so that one large graph does
    not make many small ones dear.

    Args:
        query: What attends.
        key: What is attended to.
        value: What is summed.
        batch: The graph of each node; None for a single graph.
        dropout: Chance that a weight is set to zero; the rest grow by 1 / (1 - dropout).

    Shapes:
        - **query**, **key**: `[N, H, C]`; **value**: `[N, H, Cv]`
        - **batch**: `[N]` int64, sorted
        - **output**: `[N, H, Cv]`

    Raises:
        ValueError: batch is not sorted or does not fit, or dropout is not in [0, 1).

    Examples:
        >>> import torch
        >>> from tgraph_attn.ops.full_attention import full_attention
        >>> x = torch.tensor([1.0, 3.0, 9.0]).view(3, 1, 1)
        >>> full_attention(0 * x, x, x, torch.tensor([0, 0, 1])).flatten()
        tensor([2., 2., 9.])
    """
    check_fraction("full_attention", dropout=dropout)
    if batch is None:
        one = [t.transpose(0, 1).unsqueeze(0) for t in (query, key, value)]  # [1, H, N, C]
        return _attend(one, None, dropout).squeeze(0).transpose(0, 1)
    check_batch("full_attention", batch, query.size(0))
    sizes = batch.bincount()
    starts = sizes.cumsum(0) - sizes
    groups = list(_alike(sizes))
    if not groups:
        return value[:0]
    # The nodes of a group stand together, so that its gradient is a piece of the whole one.
    nodes = [_nodes(starts[graphs], sizes[graphs]) for graphs in groups]
    counts = [len(group) for group in nodes]
    order = torch.cat(nodes)
    parts = [torch.split(t.index_select(0, order), counts) for t in (query, key, value)]
    outs = [
        _attend_group(sizes[graphs], *part, p=dropout)
        for graphs, *part in zip(groups, *parts, strict=True)
    ]
    return torch.cat(outs).index_select(0, order.argsort())


def _nodes(starts: Tensor, sizes: Tensor) -> Tensor:
    """Return the nodes of each graph, one graph after the other."""
    ends = sizes.cumsum(0)
    first = (starts - ends + sizes).repeat_interleave(sizes)
    return first + torch.arange(int(ends[-1]), device=sizes.device)


def _attend_group(sizes: Tensor, query: Tensor, key: Tensor, value: Tensor, *, p: float) -> Tensor:
    """Return the attention of graphs of these sizes, `[n, H, Cv]`, one after the other."""
    start = (sizes.cumsum(0) - sizes).unsqueeze(1)  # [B, 1]
    column = torch.arange(int(sizes.max()), device=sizes.device)
    is_node = column < sizes.unsqueeze(1)  # [B, L]
    node = torch.where(is_node, start + column, start)
    padded = [  # [B, H, L, C]
        t.index_select(0, node.flatten()).view(*node.shape, *t.shape[1:]).transpose(1, 2)
        for t in (query, key, value)
    ]
    mask = None if is_node.all() else is_node[:, None, None]
    return _attend(padded, mask, p).transpose(1, 2)[is_node]


def _alike(sizes: Tensor) -> list[Tensor]:
    """Return the graphs that have nodes, in groups of about the same size, `[B]` each."""
    groups = []
    order = sizes.argsort(stable=True)
    ascending = sizes[order].tolist()
    last = len(ascending)
    while last and ascending[last - 1]:
        largest, first = ascending[last - 1], last
        least = max(1, min(largest * 3 // 4, largest - _SPARE_NODES))
        while first and ascending[first - 1] >= least:
            first -= 1
        groups.append(order[first:last])
        last = first
    return groups


def _attend(query_key_value: list[Tensor], mask: Tensor | None, p: float) -> Tensor:
    """Return the attention of `[B, H, L, C]`, in parts that are made again for the gradient.

    On a CPU torch has no attention with dropout that keeps no scores, hence the parts.
    """
    query, key, value = query_key_value
    scores = query[..., 0].numel() * key.size(2)
    if p == 0 or scores <= _MOST_SCORES or query.device.type != "cpu":
        return scaled_dot_product_attention(query, key, value, mask, p)
    rows = max(1, query.size(2) * _MOST_SCORES // scores)
    parts = [
        checkpoint(scaled_dot_product_attention, part, key, value, mask, p, use_reentrant=False)
        for part in torch.split(query, rows, dim=2)
    ]
    return torch.cat(parts, dim=2)
