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


def program_files(folder: Path) -> list[str]:
    """Return the files of a folder's sub-folders, each of which is a class, with `/`, sorted.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: It has fewer than two sub-folders with files.
    """
    if not folder.is_dir():
        raise FileNotFoundError(
            f"POJ104: source must be a folder with one sub-folder for each class, but {folder} is "
            "not there. Pass one that is, or None for the published programs."
        )
    files = sorted(path for path in folder.glob("*/*") if path.is_file())
    files = [path for path in files if not any(p.startswith(".") for p in path.parts[-2:])]
    classes = {path.parent.name for path in files}
    if len(classes) < 2:
        raise ValueError(
            f"POJ104: {folder} must have two sub-folders with programs at least, one for each "
            f"class, but has {sorted(classes)}. Put each program in the folder of its class."
        )
    return [path.relative_to(folder).as_posix() for path in files]


def read_folder(folder: Path, files: list[str]) -> list[Program]:
    """Return the programs in these files, `<class>/<name>`."""
    programs = []
    for file in files:
        label, name = file.split("/")
        programs.append(Program(label, name, (folder / file).read_bytes()))
    return in_order(programs)
