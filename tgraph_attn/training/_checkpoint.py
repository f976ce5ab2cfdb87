"""What a run of training needs to go on where it was stopped."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Data

from tgraph_attn._files import check_folder, whole_file

_SAMPLE = 16  # graphs


def fingerprint(model: Module) -> str:
    """Return one number, in hexadecimal, for all weights of a model and their names."""
    return _hash(model.state_dict().items())


def fingerprint_graphs(graphs: Sequence[Data], seed: int) -> str:
    """Return one number, in hexadecimal, for the tensors of some graphs, evenly spaced among all.

    It leaves torch's generator as it was; what transforms draw from it is drawn by the seed.
    """
    tensors: list[tuple[str, Tensor]] = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for number in range(0, len(graphs), max(1, len(graphs) // _SAMPLE)):
            found = graphs[number].to_dict().items()
            tensors += [(name, value) for name, value in found if isinstance(value, Tensor)]
    return _hash(tensors)


def _hash(tensors: Iterable[tuple[str, Tensor]]) -> str:
    together = hashlib.sha256()
    for name, tensor in tensors:
        content = tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy()
        together.update(f"{name} {list(tensor.shape)} {tensor.dtype}\0".encode())
        together.update(content.tobytes())
    return together.hexdigest()


def save_checkpoint(
    owner: str, path: str | os.PathLike[str], run: dict[str, Any], state: dict[str, Any]
) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        owner: Who trains, for errors.
        path: The file; an earlier one is replaced.
        run: What tells this run from others, as plain values.
        state: What it goes on with: tensors and plain values.
    """
    with whole_file(owner, path) as file:
        torch.save({"run": run, "state": state}, file)


def load_checkpoint(
    owner: str, path: str | os.PathLike[str], run: dict[str, Any]
) -> dict[str, Any] | None:
    """Return the state in a checkpoint, or None if there is no such file.

    Raises:
        ValueError: The file holds something else, or belongs to another run.
        FileNotFoundError: Its folder is not there.
    """
    check_folder(owner, path)
    if not Path(path).exists():
        return None
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
        state, other = found["state"], found["run"]
    except Exception as error:  # of a damaged file, reading fails in any way
        said = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        raise ValueError(
            f"{owner}: {os.fspath(path)} must be a checkpoint that this function wrote, but is not "
            f"({said}). Delete it to start anew, or pass another path."
        ) from error
    differs = [name for name in run if other.get(name) != run[name]]
    if differs:
        raise ValueError(
            f"{owner}: {os.fspath(path)} must be a checkpoint of this run, but is of one with "
            f"another {', '.join(differs)}. Delete it to start anew, or pass another path."
        )
    return dict(state)
