"""Files that are written whole or not at all, what tells them apart, and numbers in them."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(owner: str, path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to write and read; it gets its name when the block ends without an error.

    Raises:
        FileNotFoundError: Its folder is not there.
    """
    target = Path(path)
    check_folder(owner, target)
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with open(descriptor, "w+b") as file:
            yield file
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def check_folder(owner: str, path: str | os.PathLike[str]) -> None:
    """Raise FileNotFoundError unless a file can be written at path: its folder is there."""
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(
            f"{owner}: the folder of {os.fspath(path)} must be there, but is not. Make it first."
        )


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content, 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def plain_number(value: object) -> object:
    """Return a number of numpy, or of torch, as Python's: the `default` of `json.dumps`."""
    if callable(item := getattr(value, "item", None)):
        return item()
    raise TypeError(f"{type(value).__name__} is not JSON serializable")
