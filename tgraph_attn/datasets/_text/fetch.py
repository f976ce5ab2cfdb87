"""A published file, from the disk or from the network, and nothing else in its place."""

import hashlib
import http.client
import shutil
import urllib.request
from pathlib import Path

from tgraph_attn._files import whole_file
from tgraph_attn.datasets._text.published import ORIGIN, PUBLISHED, PinnedFile


def fetch(folder: Path, file: PinnedFile, *, origin: str = ORIGIN) -> bytes:
    """Return the content of a file in folder, which is fetched first if it is not there.

    It is fetched under another name and gets its own when it is whole and has the right checksum.

    Raises:
        ValueError: The file, there or fetched, has another size or SHA-256.
        ConnectionError: It is not there and cannot be fetched.
    """
    path = folder / file.name
    if path.is_file():
        content = path.read_bytes()
        _check(content, path, file, "Delete it to have it fetched, or pass another root.")
        return content
    path.parent.mkdir(parents=True, exist_ok=True)
    address = origin + file.address
    with whole_file("TextCorpus", path) as whole:
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                shutil.copyfileobj(answer, whole)
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionError(
                f"TextCorpus: {path} must be there or be fetched from {address}, but it is not, "
                f"and the network says {error}. Put the file there yourself."
            ) from error
        whole.seek(0)
        content = whole.read()
        _check(content, address, file, "Try again, or put the right file there yourself.")
    return content


def _check(content: bytes, place: object, file: PinnedFile, hint: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if (len(content), found) == (file.size, file.sha256):
        return
    known = {f.sha256: (f.name, name) for name, p in PUBLISHED.items() for f in p.files}
    which = ""
    if found in known:
        name, corpus = known[found]
        which = f", which is {name} of {corpus}"
        if isinstance(place, Path):
            hint = f"Move it to its own sub-folder, raw/{corpus}/{name}, or pass another root."
    lines = content.count(b"\n") + (not content.endswith(b"\n"))
    raise ValueError(
        f"TextCorpus: {place} must be the published file with {file.size:,} bytes and SHA-256 "
        f"{file.sha256}, but has {len(content):,} bytes ({lines:,} lines) and SHA-256 {found}"
        f"{which}. {hint}"
    )
