"""How every transform writes a relation into a graph or a batch."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric.data import Batch, Data

Edges = tuple[NDArray[np.int64], NDArray[Any]]


def write_relation(
    data: Data,
    name: str,
    edges: Edges,
    num_nodes: int,
    device: torch.device,
    *,
    value: str = "type",
) -> None:
    """Set `<name>_edge_index` and `<name>_edge_<value>`, and make a batch fit to be taken apart.

    A graph without num_nodes gets it: PyG would guess it from the greatest number in edge_index,
    and shift the next graph of a batch by too little.
    """
    edge_index, edge_value = (torch.from_numpy(array).to(device) for array in edges)
    data[f"{name}_edge_index"] = edge_index
    data[f"{name}_edge_{value}"] = edge_value
    if isinstance(data, Batch) and "ptr" in data:
        first = torch.searchsorted(edge_index[1].contiguous(), data.ptr).cpu()  # edges are sorted
        write_slices(data, f"{name}_edge_index", first, data.ptr[:-1].cpu())
        write_slices(data, f"{name}_edge_{value}", first, torch.zeros_like(first[:-1]))
    elif "num_nodes" not in data:
        data.num_nodes = num_nodes


def write_slices(batch: Batch, name: str, slices: Tensor, shifts: Tensor) -> None:
    """Say which part of an attribute belongs to which graph, and by how much it was shifted.

    PyG notes this for what is there when the batch is made, and leaves all else out of `batch[i]`
    without a word. The notes may be shared with other batches, so they are not changed in place.
    """
    if hasattr(batch, "_slice_dict"):
        batch._slice_dict = {**batch._slice_dict, name: slices}
        batch._inc_dict = {**batch._inc_dict, name: shifts}
