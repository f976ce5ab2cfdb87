"""The graphs of a batch one by one, for relations that are made of one text at a time."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.data import Data

from tgraph_attn._checks import check_type
from tgraph_attn.transforms._write_relation import Edges, write_relation

_PER_NODE, _PER_TOKEN = ("x",), ("token_index", "head_index", "dependency")


class Text(NamedTuple):
    """One text, its nodes counted from 0; a column that was not asked for is None."""

    num_nodes: int
    x: Any
    token_index: Any
    head_index: Any
    dependency: Any
    document: int


def write_text_relation(
    owner: str,
    data: Data,
    name: str,
    needs: Iterable[str],
    make: Callable[[Text], Edges],
    *,
    value: str = "type",
) -> None:
    """Make a relation of each text of a graph or batch, and write it.

    Args:
        owner: Who says so if data is not fit for it.
        data: The graph or batch.
        name: The relation.
        needs: The attributes that make reads.
        make: Gives the edges of one text, and the type or weight of each.
        value: "type" or "weight".
    """
    pointer, device = pointer_of(owner, data)
    found = [
        (edge_index + first, values)
        for first, (edge_index, values) in zip(
            pointer[:-1], map(make, _texts(owner, data, pointer, set(needs))), strict=True
        )
    ]
    edges = (
        np.concatenate([edge_index for edge_index, _ in found], axis=1),
        np.concatenate([values for _, values in found]),
    )
    write_relation(data, name, edges, int(pointer[-1]), device, value=value)


def pointer_of(owner: str, data: Data) -> tuple[NDArray[np.int64], torch.device]:
    """Return where each graph begins and the last one ends, and where data is kept."""
    check_type(owner, "data", data, Data, "Make it with tree_to_data or text_to_data.")
    tensors = (value for value in data.to_dict().values() if isinstance(value, Tensor))
    device = next((tensor.device for tensor in tensors), torch.device("cpu"))
    if "ptr" in data:
        return data.ptr.numpy(force=True), device
    if "batch" in data:
        graph = data.batch.numpy(force=True)
        if (np.diff(graph) < 0).any():
            raise ValueError(
                f"{owner}: batch must be sorted, the nodes of each graph together, but is not. "
                "Make it with Batch.from_data_list."
            )
        return np.append(0, np.cumsum(np.bincount(graph))), device
    if not {"parent_index", "num_nodes", "x", "pos"} & set(data.keys()):
        raise ValueError(
            f"{owner}: data must say how many nodes it has, but has only {sorted(data.keys())}. "
            "Set data.num_nodes."
        )
    num_nodes = len(data.parent_index) if "parent_index" in data else data.num_nodes
    return np.array([0, num_nodes]), device


def _texts(owner: str, data: Data, pointer: NDArray[np.int64], needs: set[str]) -> Iterable[Text]:
    columns = {name: _column(owner, data, name) for name in needs}
    num_texts = len(pointer) - 1
    token_first = np.zeros(num_texts + 1, np.int64)
    if "token_index" in needs:
        for name in needs & set(_PER_TOKEN):
            _check_size(owner, name, columns[name], len(columns["token_index"]), "token")
        token_first = _bounds(owner, "token_index", columns["token_index"], pointer)
    if "x" in needs:
        _check_size(owner, "x", columns["x"], int(pointer[-1]), "node")
    if "document_index" in needs:
        _check_size(owner, "document_index", columns["document_index"], num_texts, "graph")
        first = _bounds(owner, "document_index", columns["document_index"], pointer)
        if (np.diff(first) != 1).any():
            raise ValueError(
                f"{owner}: document_index must be a node of its own graph, in each of the "
                f"{num_texts}, but is not. Make each graph with text_to_data."
            )
    for i in range(num_texts):
        low, high = int(pointer[i]), int(pointer[i + 1])
        rows: dict[str, Any] = dict.fromkeys(Text._fields)
        for name in needs:
            part = slice(low, high) if name in _PER_NODE else slice(*token_first[i : i + 2])
            shift = low if name.endswith("_index") else 0
            if name != "document_index":
                rows[name] = columns[name][part] - shift
        document = int(columns["document_index"][i]) - low if "document_index" in needs else -1
        yield Text(**{**rows, "num_nodes": high - low, "document": document})


def _column(owner: str, data: Data, name: str) -> NDArray[np.int64]:
    column = data.get(name)
    if not isinstance(column, Tensor) or column.dtype != torch.int64 or column.dim() != 1:
        got = f"{column.dtype} {list(column.shape)}" if isinstance(column, Tensor) else repr(column)
        raise ValueError(
            f"{owner}: data must have {name}, an int64 tensor of one dimension, but it is {got}. "
            "Make the graph with text_to_data or DocumentGraph."
        )
    return column.numpy(force=True)


def _check_size(owner: str, name: str, column: NDArray[np.int64], size: int, what: str) -> None:
    if len(column) != size:
        raise ValueError(
            f"{owner}: {name} must have one number for each {what} ({size}), but has "
            f"{len(column)}. Make the graph with text_to_data or DocumentGraph."
        )


def _bounds(
    owner: str, name: str, nodes: NDArray[np.int64], pointer: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return where the nodes of each graph begin and the last ones end in a column of nodes."""
    graph = np.searchsorted(pointer, nodes, side="right") - 1
    if nodes.size and (graph[0] < 0 or graph[-1] >= len(pointer) - 1 or (np.diff(graph) < 0).any()):
        raise ValueError(
            f"{owner}: {name} must hold nodes, in [0, {pointer[-1]}), those of each graph together "
            "and in the order of the graphs, but does not. Make the batch with "
            "Batch.from_data_list."
        )
    return np.searchsorted(graph, np.arange(len(pointer)))
