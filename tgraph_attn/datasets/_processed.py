"""Where a data set keeps what it makes: a folder for each setting, filled whole or not at all."""

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import torch
from torch_geometric.data import InMemoryDataset

_LAST = "settings.json"  # if it is there, so are the others
_MARKS = ("pre_transform.pt", "pre_filter.pt")  # which PyG writes after it, and reads first
_MAKING = ".making-"
_DAY = 24 * 60 * 60  # seconds


class KeptDataset(InMemoryDataset):
    """A data set whose settings, all of it plain JSON, tell where what it makes is kept.

    Attributes:
        settings: What its data are made by.
    """

    settings: dict[str, Any]

    @property
    def processed_dir(self) -> str:
        """One folder for each setting, so that none is served what others made."""
        return processed_folder(self.root, self.settings)

    @property
    def processed_file_names(self) -> list[str]:
        """The file that is written last: if it is there, so are the others."""
        return [_LAST]


def check_repr(owner: str, pre_transform: object) -> None:
    """Raise ValueError if the repr of pre_transform does not tell its settings."""
    if " at 0x" in repr(pre_transform):
        raise ValueError(
            f"{owner}: pre_transform must have a repr that says its settings, for what it makes is "
            f"kept under it, but has {pre_transform!r}. Pass a transform of PyG or of this "
            "package, or give yours a __repr__."
        )


def processed_folder(root: str, settings: Mapping[str, Any]) -> str:
    """Return the folder for these settings, so that none is served what others made."""
    text = json.dumps(settings, sort_keys=True)
    return os.path.join(root, f"processed-{hashlib.sha256(text.encode()).hexdigest()[:16]}")


@contextmanager
def filled_whole(root: str, settings: Mapping[str, Any]) -> Iterator[str]:
    """Give a folder to write files to; they move to that of the settings when the block ends.

    `settings.json` is written here, and moves last. Folders that killed processes left behind are
    removed first.
    """
    os.makedirs(root, exist_ok=True)
    _clear(root)
    with tempfile.TemporaryDirectory(dir=root, prefix=_MAKING) as made:
        yield made
        write_json(made, _LAST, settings)
        target = processed_folder(root, settings)
        for name in sorted(os.listdir(made), key=lambda name: name == _LAST):
            os.replace(os.path.join(made, name), os.path.join(target, name))


@contextmanager
def reading(owner: str, folder: str | os.PathLike[str]) -> Iterator[None]:
    """Raise ValueError, which says to delete the folder, if the block cannot read its files."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # of a damaged file, reading fails in any way
        said = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        raise ValueError(
            f"{owner}: {os.fspath(folder)} must hold what was made of these settings, but a file "
            f"of it is damaged or gone ({said}). Delete that folder, and it is made anew."
        ) from error


def check_marks(owner: str, root: str | os.PathLike[str], settings: Mapping[str, Any]) -> None:
    """Raise ValueError if PyG, which reads its marks before all else, will not be able to."""
    folder = processed_folder(os.path.expanduser(root), settings)
    with reading(owner, folder):
        for path in (os.path.join(folder, name) for name in _MARKS):
            if os.path.exists(path):
                torch.load(path, weights_only=True)


def write_json(folder: str, name: str, content: object) -> None:
    """Write a file of JSON."""
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)


def read_json(folder: str | os.PathLike[str], name: str) -> Any:
    """Return the content of a file of JSON."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def _clear(root: str) -> None:
    """Remove each folder of half-made files to which nothing was written for a day.

    A younger one may be that of another process, which is still at it.
    """
    for name in os.listdir(root):
        folder = os.path.join(root, name)
        if name.startswith(_MAKING) and os.path.isdir(folder):
            with suppress(OSError):  # another process may remove it at the same time
                files = (os.path.join(folder, name) for name in os.listdir(folder))
                if time.time() - max(map(os.path.getmtime, (folder, *files))) > _DAY:
                    shutil.rmtree(folder)
