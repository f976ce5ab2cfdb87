"""The programs of POJ-104, or of a folder of one's own."""

import io
import tarfile
from pathlib import Path

from tgraph_attn.datasets._programs.program import Program, in_order
from tgraph_attn.datasets._raw.fetch import fetch
from tgraph_attn.datasets._raw.pinned_file import PinnedFile

ARCHIVE = PinnedFile(
    "programs.tar.gz",
    "https://drive.google.com/uc?export=download&id=0B2i-vWnOu7MxVlJwQXN6eVNONUU",
    8_292_808,
    "c94ebdf79bcaccf8bd34b0bba221fd63f7dcc7e7c28dc4de9621b19a3ad6efc1",
)


def read_archive(raw: Path) -> list[Program]:
    """Return the programs of the published archive, `ProgramData/<class>/<name>.txt`.

    Raises:
        ValueError: The archive is another one than the published one.
        ConnectionError: It is not there and cannot be fetched.
    """
    programs = []
    content = fetch("POJ104", raw, ARCHIVE)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                _, label, name = member.name.split("/")
                programs.append(Program(label, name.removesuffix(".txt"), file.read()))
    return in_order(programs)


def program_files(folder: Path, root: Path) -> list[str]:
    """Return the files of a folder's sub-folders, each of which is a class, with `/`, sorted.

    Hidden files and folders are left out, and so is root, if it is a sub-folder.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: It has fewer than two sub-folders with files, a sub-folder without any, or is
            root itself.
    """
    root = root.expanduser().resolve()
    if not folder.is_dir():
        raise FileNotFoundError(
            f"POJ104: source must be a folder with one sub-folder for each class, but {folder} is "
            "not there. Pass one that is, or None for the published programs."
        )
    if folder.resolve() == root:
        raise ValueError(
            f"POJ104: root must be another folder than source, for what is made is kept there, but "
            f"both are {folder}. Pass another root."
        )
    classes: dict[str, list[str]] = {}
    for place in folder.iterdir():
        if place.is_dir() and not place.name.startswith(".") and place.resolve() != root:
            names = (path.name for path in place.iterdir() if path.is_file())
            classes[place.name] = [name for name in names if not name.startswith(".")]
    full = sorted(label for label, names in classes.items() if names)
    if len(full) < 2:
        raise ValueError(
            f"POJ104: {folder} must have two sub-folders with programs at least, one for each "
            f"class, but has {full}. Put each program in the folder of its class."
        )
    if len(full) < len(classes):
        raise ValueError(
            f"POJ104: each sub-folder of {folder} must have programs of a class, but "
            f"{sorted({*classes} - {*full})} have no file. Put their programs directly into them, "
            "or remove them."
        )
    return sorted(f"{label}/{name}" for label, names in classes.items() for name in names)


def read_folder(folder: Path, files: list[str]) -> list[Program]:
    """Return the programs in these files, `<class>/<name>`."""
    programs = []
    for file in files:
        label, name = file.split("/")
        programs.append(Program(label, name, (folder / file).read_bytes()))
    return in_order(programs)
