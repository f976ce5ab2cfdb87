"""A published file, from the disk or from the network, and nothing else in its place."""

import hashlib
import http.client
import shutil
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from tgraph_attn._files import whole_file
from tgraph_attn.datasets._raw.pinned_file import PinnedFile


def fetch(
    owner: str, folder: Path, file: PinnedFile, known: Mapping[str, tuple[str, str]] | None = None
) -> bytes:
    """Return the content of a file in folder, which is fetched first if it is not there.

    It is fetched under another name and gets its own when it is whole and has the right checksum.

    Args:
        owner: The data set, for errors.
        folder: Where the file is, or will be.
        file: The file.
        known: The name and the corpus of other files, by their SHA-256, which are told apart.

    Raises:
        ValueError: The file, there or fetched, has another size or SHA-256.
        ConnectionError: It is not there and cannot be fetched.
    """

    def check(content: bytes, place: object, hint: str) -> bytes:
        found = hashlib.sha256(content).hexdigest()
        if (len(content), found) == (file.size, file.sha256):
            return content
        which = ""
        if known and found in known:
            name, corpus = known[found]
            which = f", which is {name} of {corpus}"
            if isinstance(place, Path):
                hint = f"Move it to its own sub-folder, raw/{corpus}/{name}, or pass another root."
        lines = content.count(b"\n") + (not content.endswith(b"\n"))
        raise ValueError(
            f"{owner}: {place} must be the published file with {file.size:,} bytes and SHA-256 "
            f"{file.sha256}, but has {len(content):,} bytes ({lines:,} lines) and SHA-256 {found}"
            f"{which}. {hint}"
        )

    path = folder / file.name
    if path.is_file():
        return check(path.read_bytes(), path, "Delete it to have it fetched, or pass another root.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(owner, path) as whole:
        try:
            with urllib.request.urlopen(file.address, timeout=60) as answer:
                shutil.copyfileobj(answer, whole)
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionError(
                f"{owner}: {path} must be there or be fetched from {file.address}, but it is not, "
                f"and the network says {error}. Put the file there yourself."
            ) from error
        whole.seek(0)
        hint = "Try again, or put the right file there yourself."
        return check(whole.read(), file.address, hint)
