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


def find_files(folder: Path, suffix: str) -> list[str]:
    """Return the files under a folder whose names end so, relative to it, with `/`, sorted.

    Hidden folders and those of tests and of installed packages are left out, wherever they are
    under it.
    """
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = [n for n in folders if n not in _LEFT_OUT and not n.startswith(".")]
        here = Path(place).relative_to(folder)
        found += [(here / name).as_posix() for name in files if name.endswith(suffix)]
    return sorted(name for name in found if (folder / name).is_file())


def left_out() -> str:
    """Return which folders `find_files` passes over, to say so."""
    return f"hidden folders and those named {', '.join(sorted(_LEFT_OUT))}"


def source_files(folder: Path) -> list[str]:
    """Return the Python files under a folder, as `find_files` does.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: There is no Python file in it.
    """
    if not folder.is_dir():
        raise FileNotFoundError(
            f"StdlibFunctions: source must be a folder of Python files, but {folder} is not there. "
            "Pass one that is, or None for the standard library."
        )
    found = find_files(folder, ".py")
    if not found:
        raise ValueError(
            f"StdlibFunctions: there are no examples in {folder}: it must hold Python files, but "
            f"has none outside of {left_out()}. Pass another one."
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
    except (SyntaxError, UnicodeError, LookupError):  # some that Python knows are of no text
        return None
