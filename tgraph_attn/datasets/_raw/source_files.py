"""Which files a data set of source code is made of."""

import hashlib
import os
import sysconfig
import tokenize
from collections.abc import Iterable
from pathlib import Path

# Tests, what is installed beside the library, and what is bundled with it.
_LEFT_OUT = frozenset(
    ["test", "tests", "idle_test", "site-packages", "dist-packages", "_bundled", "__pycache__"]
)


def stdlib_folder() -> Path:
    """Return the folder of the running interpreter's standard library."""
    return Path(sysconfig.get_path("stdlib"))


def source_files(folder: Path) -> list[str]:
    """Return the Python files under a folder, relative to it, with `/`, sorted.

    Folders of tests and of installed packages are left out, wherever they are under it.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: There is no Python file in it.
    """
    if not folder.is_dir():
        raise FileNotFoundError(
            f"StdlibFunctions: source must be a folder of Python files, but {folder} is not there. "
            "Pass one that is, or None for the standard library."
        )
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        here = Path(place).relative_to(folder)
        found += [(here / name).as_posix() for name in files if name.endswith(".py")]
    found = sorted(name for name in found if (folder / name).is_file())
    if not found:
        raise ValueError(
            f"StdlibFunctions: there are no examples in {folder}: it must hold Python files, but "
            f"has none outside of folders named {', '.join(sorted(_LEFT_OUT))}. Pass another one."
        )
    return found


def fingerprint(folder: Path, files: Iterable[str]) -> str:
    """Return one number, in hexadecimal, for the names and the contents of the files."""
    together = hashlib.sha256()
    for name in files:
        content = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        together.update(f"{name}\0{content}\0".encode("utf-8", "surrogateescape"))
    return together.hexdigest()


def read_python(path: Path) -> str | None:
    """Return the text of a Python file in the encoding that it declares, or None if it has another.

    Line ends become newlines, and a mark of the byte order is left out.
    """
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, UnicodeDecodeError):  # tokenize says so of a declaration that is wrong
        return None
