"""Where a data set keeps what it makes: a folder for each setting, filled whole or not at all."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_LAST = "settings.json"  # if it is there, so are the others


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

    `settings.json` is written here, and moves last.
    """
    os.makedirs(root, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root, prefix=".making-") as made:
        yield made
        write_json(made, _LAST, settings)
        target = processed_folder(root, settings)
        for name in sorted(os.listdir(made), key=lambda name: name == _LAST):
            os.replace(os.path.join(made, name), os.path.join(target, name))


def write_json(folder: str, name: str, content: object) -> None:
    """Write a file of JSON."""
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
