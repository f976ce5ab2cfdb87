"""What a run of training needs to go on where it was stopped."""

import hashlib
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Data

from tgraph_attn._files import check_folder, plain_number, whole_file
from tgraph_attn.vocab import Vocab

_SAMPLE = 16  # graphs


def about_model(model: Module) -> dict[str, Any]:
    """Return what tells a model from others: its weights, and its arguments and vocabularies."""
    about: dict[str, Any] = {"first weights": fingerprint(model)}
    if hasattr(model, "arguments"):
        about["arguments"] = model.arguments
    for name in ("vocab", "source_vocab", "target_vocab"):
        if isinstance(vocab := getattr(model, name, None), Vocab):
            about[name] = list(vocab.tokens)
    return about


def fingerprint(model: Module) -> str:
    """Return one number, in hexadecimal, for all weights of a model and their names."""
    return _hash(model.state_dict().items())


def fingerprint_graphs(graphs: Sequence[Data], seed: int) -> str:
    """Return one number, in hexadecimal, for what some graphs hold, evenly spaced among all.

    Of what is neither a tensor nor a text it knows nothing.

    It leaves torch's generator as it was; what transforms draw from it is drawn by the seed.
    """
    parts: list[tuple[str, Tensor | str]] = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for number in range(0, len(graphs), max(1, len(graphs) // _SAMPLE)):
            found = graphs[number].to_dict().items()
            parts += [(name, value) for name, value in found if isinstance(value, (Tensor, str))]
    return _hash(parts)


def _hash(parts: Iterable[tuple[str, Tensor | str]]) -> str:
    together = hashlib.sha256()
    for name, part in parts:
        if isinstance(part, str):
            text = f"{name} {part}\0"  # of a file, or a text, that may not be UTF-8
            together.update(text.encode("utf-8", "surrogatepass"))
            continue
        together.update(f"{name} {list(part.shape)} {part.dtype}\0".encode())
        if part.numel():  # an empty one may have strides that cannot be seen as bytes
            content = part.detach().cpu().contiguous().flatten().view(torch.uint8)
            together.update(content.numpy().tobytes())
    return together.hexdigest()


def save_checkpoint(
    owner: str, path: str | os.PathLike[str], run: dict[str, Any], state: dict[str, Any]
) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        owner: Who trains, for errors.
        path: The file; an earlier one is replaced.
        run: What tells this run from others, as JSON takes it.
        state: What it goes on with: tensors and plain values.
    """
    written, plain = io.BytesIO(), _plain(run)
    torch.save(state, written)
    content = torch.frombuffer(written.getbuffer(), dtype=torch.uint8)
    with whole_file(owner, path) as file:
        torch.save({"run": plain, "state": content, "sha256": _sum(plain, content)}, file)


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
        other, content = dict(found["run"]), found["state"]
        if _sum(other, content) != found["sha256"]:
            raise ValueError("a byte of it has changed")
        written = io.BytesIO(content.numpy().tobytes())
        state = dict(torch.load(written, map_location="cpu", weights_only=True))
    except Exception as error:  # of a damaged file, reading fails in any way
        said = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        raise ValueError(
            f"{owner}: {os.fspath(path)} must be a checkpoint that this function wrote, but is not "
            f"({said}). Delete it to start anew, or pass another path."
        ) from error
    run = _plain(run)
    differs = [name for name in run if other.get(name) != run[name]]
    if differs:
        raise ValueError(
            f"{owner}: {os.fspath(path)} must be a checkpoint of this run, but is of one with "
            f"another {', '.join(differs)}. Delete it to start anew, or pass another path."
        )
    return state


def _sum(run: dict[str, Any], content: Tensor) -> str:
    return _hash([("run", json.dumps(run, sort_keys=True)), ("state", content)])


def _plain(run: dict[str, Any]) -> dict[str, Any]:
    """Return what tells a run in the types of JSON alone, which any later reading takes."""
    plain: dict[str, Any] = json.loads(json.dumps(run, default=plain_number))
    return plain
