"""What a run of training needs to go on where it was stopped."""

import hashlib
import os
from pathlib import Path
from typing import Any

import torch
from torch.nn import Module

from tgraph_attn._files import check_folder, whole_file


def fingerprint(model: Module) -> str:
    """Return one number, in hexadecimal, for all weights of a model and their names."""
    together = hashlib.sha256()
    for name, weight in model.state_dict().items():
        content = weight.detach().cpu().contiguous().flatten().view(torch.uint8).numpy()
        together.update(f"{name} {list(weight.shape)} {weight.dtype}\0".encode())
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
