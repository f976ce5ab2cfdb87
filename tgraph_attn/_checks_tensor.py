"""Every check of a tensor that a caller hands in, and the words it fails with."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch_geometric.data import Data

from tgraph_attn._checks import check_type

CLASS_HINT = "Number the classes from 0 on; the model has no others than it was made with."


def check_edges(owner: str, edge_index: Tensor, **per_edge: Tensor | None) -> None:
    """Raise ValueError unless edge_index is int64 [2, E] and each per-edge tensor has E rows."""
    check_type(owner, "edge_index", edge_index, Tensor, "Build it with torch.tensor(pairs).t().")
    if edge_index.dim() != 2 or edge_index.size(0) != 2 or edge_index.dtype != torch.int64:
        raise ValueError(
            f"{owner}: edge_index must be int64 of shape [2, E], but got {edge_index.dtype} of "
            f"shape {list(edge_index.shape)}. From a list of (source, target) pairs, build it "
            "with torch.tensor(pairs).t()."
        )
    num_edges = edge_index.size(1)
    for name, value in per_edge.items():
        if value is not None:
            check_type(owner, name, value, Tensor, "Pass one row for each edge.")
        if value is not None and (value.dim() == 0 or value.size(0) != num_edges):
            raise ValueError(
                f"{owner}: {name} must have one row per edge ({num_edges}), but has "
                f"{value.size(0) if value.dim() else 'no rows'}. "
                f"A transform that adds edges must add {name} as well."
            )


def check_range(owner: str, name: str, value: Tensor, limit: int, hint: str | None = None) -> None:
    """Raise ValueError, which ends in hint, unless, on CPU, each value is in [0, limit)."""
    if value.device.type != "cpu" or value.numel() == 0:
        return
    array = value.detach().numpy()  # whose minimum needs no threads
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= limit:
        if hint is None:
            hint = (
                "Was the data made with another max_distance?"
                if name.endswith("type")
                else "Do the edges belong to these nodes?"
            )
        raise ValueError(
            f"{owner}: {name} must be in [0, {limit}), but ranges from {low} to {high}. {hint}"
        )


def check_features(owner: str, x: Tensor, in_channels: int) -> None:
    """Raise ValueError unless x is floating, one row of in_channels numbers for each node."""
    if x.dim() != 2 or x.size(1) != in_channels or not x.is_floating_point():
        raise ValueError(
            f"{owner}: x must be floating of shape [N, {in_channels}], but got {x.dtype} of shape "
            f"{list(x.shape)}. Embed ids first, or set in_channels to the width of x."
        )


def check_graph(
    owner: str, x: Tensor, in_channels: int, edge_index: Tensor, **per_edge: Tensor | None
) -> None:
    """Raise ValueError unless x has in_channels features, and the edges join rows of x."""
    check_features(owner, x, in_channels)
    check_edges(owner, edge_index, **per_edge)
    if not torch.compiler.is_compiling():
        check_range(owner, "edge_index", edge_index, x.size(0))


def check_weights(owner: str, edge_weight: Tensor | None) -> None:
    """Raise ValueError unless edge_weight is None, or one floating number for each edge."""
    if edge_weight is not None and (edge_weight.dim() != 1 or not edge_weight.is_floating_point()):
        raise ValueError(
            f"{owner}: edge_weight must be floating of shape [E], but got {edge_weight.dtype} of "
            f"shape {list(edge_weight.shape)}. Types go in edge_type; features are not taken."
        )


def check_optional_types(owner: str, edge_type: Tensor | None, num_types: int | None) -> None:
    """Raise ValueError unless edge_type holds types in [0, num_types), or neither is given."""
    if num_types is not None:
        check_types(owner, edge_type, num_types)
    elif edge_type is not None:
        raise ValueError(
            f"{owner}: edge_type must be None in a layer without types, but was given. "
            "Pass num_types when you make the layer, so that types are not ignored."
        )


def check_types(owner: str, edge_type: Tensor | None, num_types: int) -> Tensor:
    """Return edge_type, or raise ValueError unless it holds types in [0, num_types)."""
    if edge_type is None:
        raise ValueError(
            f"{owner}: edge_type must hold the type of each edge, one of {num_types}, but is None. "
            "Pass data.<relation>_edge_type, or make the layer without num_types."
        )
    if edge_type.dtype != torch.int64 or edge_type.dim() != 1:
        raise ValueError(
            f"{owner}: edge_type must be int64 of shape [E], but got {edge_type.dtype} of shape "
            f"{list(edge_type.shape)}. Types are whole numbers; features of edges are not taken."
        )
    if not torch.compiler.is_compiling():
        check_range(owner, "edge_type", edge_type, num_types)
    return edge_type


def check_self_types(owner: str, edge_index: Tensor, edge_type: Tensor, num_types: int) -> None:
    """Raise ValueError unless, on CPU, each edge of a node to itself has the type in the middle.

    Distances with a sign have it so; those of a smaller max_distance would be taken for others.
    """
    if edge_type.device.type != "cpu" or torch.compiler.is_compiling():
        return
    own, middle = edge_type[edge_index[0] == edge_index[1]], num_types // 2
    wrong = own[own != middle]
    if wrong.numel():
        raise ValueError(
            f"{owner}: the edge of a node to itself must have type {middle}, of {num_types} types, "
            f"but one has {int(wrong[0])}. Was the data made with another max_distance? Add the "
            "edges with that of model.relations."
        )


def check_batch(owner: str, batch: Tensor, num_nodes: int) -> None:
    """Raise ValueError unless batch is int64, gives each node its graph, and never falls."""
    if batch.dtype != torch.int64 or list(batch.shape) != [num_nodes]:
        raise ValueError(
            f"{owner}: batch must be int64 of shape [{num_nodes}], each node's graph, but got "
            f"{batch.dtype} of shape {list(batch.shape)}. Pass data.batch."
        )
    falls = batch[1:] < batch[:-1]
    if falls.any() or (num_nodes > 0 and batch[0] < 0):
        node = int(falls.nonzero()[0]) + 1 if falls.any() else 0
        raise ValueError(
            f"{owner}: batch must be sorted, each graph's nodes together, from graph 0 on, but "
            f"node {node} is in graph {int(batch[node])}. Sort x and batch by batch first."
        )


def check_blocks(owner: str, block_index: Tensor, num_blocks: int) -> None:
    """Raise ValueError unless block_index is int64 [2, E], (on CPU) of blocks that there are."""
    check_type(owner, "block_index", block_index, Tensor, "Build it with torch.tensor(pairs).t().")
    if block_index.dim() != 2 or block_index.size(0) != 2 or block_index.dtype != torch.int64:
        raise ValueError(
            f"{owner}: block_index must be int64 of shape [2, E], but got {block_index.dtype} of "
            f"shape {list(block_index.shape)}. From a list of (key block, query block) pairs, "
            "build it with torch.tensor(pairs).t()."
        )
    hint = "Was it made for the same block_size, and for as many tokens?"
    check_range(owner, "block_index", block_index, num_blocks, hint)


def check_tokens(owner: str, is_token: Tensor | None, num_tokens: int) -> None:
    """Raise ValueError unless is_token is None, or one truth value for each token."""
    if is_token is not None and (
        is_token.dtype != torch.bool or list(is_token.shape) != [num_tokens]
    ):
        raise ValueError(
            f"{owner}: is_token must be bool of shape [{num_tokens}], one for each token, but got "
            f"{is_token.dtype} of shape {list(is_token.shape)}. An attention mask of ones and "
            "zeros becomes it by mask.bool().flatten()."
        )


def check_ids(
    owner: str, name: str, ids: Tensor | None, shape: tuple[int | str, ...], num_words: int
) -> Tensor:
    """Return ids, or raise ValueError unless they are int64 of this shape, (on CPU) of words.

    A str in shape stands for any size.
    """
    if (
        ids is None
        or ids.dtype != torch.int64
        or ids.dim() != len(shape)
        or any(n != m for n, m in zip(shape, ids.shape, strict=True) if not isinstance(n, str))
    ):
        got = "None" if ids is None else f"{ids.dtype} of shape {list(ids.shape)}"
        raise ValueError(
            f"{owner}: {name} must be ids, int64 of shape [{', '.join(map(str, shape))}], but got "
            f"{got}. Make them with vocab.encode(tokens)."
        )
    if ids.device.type == "cpu" and ids.numel() > 0:
        low, high = (int(v) for v in ids.aminmax())
        if low < 0 or high >= num_words:
            raise ValueError(
                f"{owner}: {name} must be in [0, {num_words}), the vocabulary, but ranges from "
                f"{low} to {high}. Was the data made with another vocabulary?"
            )
    return ids


def check_labelled(owner: str, name: str, graphs: Sequence[Data]) -> Tensor:
    """Return the classes of graphs, `[B]` int64, or raise ValueError unless each graph has one."""
    for number, data in enumerate(graphs):
        y = data.y
        if not isinstance(y, Tensor) or y.dtype != torch.int64 or y.numel() != 1:
            found = f"{y.dtype} of shape {list(y.shape)}" if isinstance(y, Tensor) else f"{y!r}"
            raise ValueError(
                f"{owner}: y must be int64 of shape [1], the class of a graph, but graph {number} "
                f"of {name} has {found}. Set data.y = torch.tensor([number])."
            )
    return torch.cat([data.y.view(1) for data in graphs])


def check_summaries(owner: str, name: str, graphs: Sequence[Data]) -> list[str]:
    """Return the target of each graph, or raise ValueError unless each has one and its ids, y."""
    for number, data in enumerate(graphs):
        y, target = data.y, getattr(data, "target", None)
        if not isinstance(y, Tensor) or y.dtype != torch.int64 or y.dim() != 2 or len(y) != 1:
            found = f"{y.dtype} of shape {list(y.shape)}" if isinstance(y, Tensor) else f"{y!r}"
            raise ValueError(
                f"{owner}: y must be int64 of shape [1, L], the ids of the words to say of a "
                f"graph, but graph {number} of {name} has {found}. CodeSummaries makes it so."
            )
        if not isinstance(target, str) or not target.split():
            raise ValueError(
                f"{owner}: target must be a str with a word in it, what to say of a graph, but "
                f"graph {number} of {name} has {target!r}. CodeSummaries makes it so."
            )
    return [data.target for data in graphs]
