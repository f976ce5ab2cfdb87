"""A model as a folder: its settings, its weights, and what it reads its input with."""

import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors.torch import load_model, save_model
from torch.nn import Module

from tgraph_attn import __version__
from tgraph_attn._files import plain_number, sha256_of

_CONFIG, _WEIGHTS = "config.json", "weights.safetensors"

Model = TypeVar("Model", bound=Module)


def save_folder(
    model: Module,
    folder: str | os.PathLike[str],
    arguments: Mapping[str, Any],
    write: Callable[[Path], object],
) -> None:
    """Write `config.json`, `weights.safetensors` and what else the model is made with.

    All are written aside, then moved to their places, the config last. It holds the SHA-256 of the
    others: a folder of which one file is of an earlier save, torn or lost is never loaded. Other
    files in the folder stay.

    Args:
        model: The model.
        folder: Where to; made if it is not there.
        arguments: What the model was made with, as JSON takes it.
        write: Writes the rest, such as vocabularies, as files to the folder it is given.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=target, prefix=".saving-"))
    try:
        save_model(model, str(aside / _WEIGHTS))
        write(aside)
        config = {
            "format": _format(type(model)),
            "version": __version__,
            "dtype": str(next(model.parameters()).dtype).removeprefix("torch."),
            "arguments": dict(arguments),
            "sha256": {path.name: sha256_of(path) for path in sorted(aside.iterdir())},
        }
        text = json.dumps(config, indent=1, default=plain_number)
        (aside / _CONFIG).write_text(text, encoding="utf-8")
        for name in (*config["sha256"], _CONFIG):
            os.chmod(aside / name, 0o644)
            os.replace(aside / name, target / name)
    finally:
        shutil.rmtree(aside)


def load_folder(
    cls: type[Model], folder: str | os.PathLike[str], read: Callable[[Path], Mapping[str, Any]]
) -> Model:
    """Return the model of class cls that `save_folder` wrote, on the CPU, in evaluation mode.

    Args:
        cls: The class of the model.
        folder: Where it is.
        read: Returns the arguments that are not in the config, from the files in the folder.

    Warns:
        UserWarning: It fits, but was saved by a version that is not of this minor release.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: The folder holds something else, not the whole of one model, or one that this
            version of the package cannot make.
    """
    source, owner = Path(folder), f"{cls.__name__}.load"
    if not source.is_dir():
        raise FileNotFoundError(
            f"{owner}: {source} must be the folder of a saved model, but is not there. "
            "Write one with model.save(folder)."
        )
    try:
        config = json.loads((source / _CONFIG).read_text(encoding="utf-8"))
        if config["format"] != _format(cls):
            raise ValueError(f"its format is {config['format']}")
        sums = config["sha256"]
        wrong = [name for name in (_WEIGHTS, *sums) if sha256_of(source / name) != sums[name]]
        if wrong:
            raise ValueError(f"{_CONFIG} belongs to another {wrong[0]}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{owner}: {source} must hold what {cls.__name__}.save wrote, but does not "
            f"({type(error).__name__}: {error}). Save the model again."
        ) from error
    try:
        model = cls(**read(source), **config["arguments"])
        model.to(getattr(torch, config["dtype"]))
        load_model(model, source / _WEIGHTS)
    except (TypeError, ValueError, KeyError, AttributeError, RuntimeError, OSError) as error:
        lines = str(error).splitlines()[:2]  # torch lists every weight that does not fit
        first = " ".join(line.strip() for line in lines)
        raise ValueError(
            f"{owner}: {source} must fit this version of tgraph_attn, {__version__}, but was saved "
            f"by {config.get('version')} ({first}). Load it with that version."
        ) from error
    saved = str(config.get("version"))
    if saved.split(".")[:2] != __version__.split(".")[:2]:
        warnings.warn(
            f"{owner}: {source} was saved by tgraph_attn {saved}; this is {__version__}, in which "
            "it may say something else. Load it with that version, or save it again.",
            stacklevel=3,
        )
    return model.eval()


def _format(cls: type[Module]) -> str:
    return f"tgraph_attn.{cls.__name__}"
