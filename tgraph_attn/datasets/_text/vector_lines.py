"""The lines of a file of word vectors, whatever it is packed in."""

import codecs
import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, NamedTuple

from tqdm import tqdm

_HINT = 'Is it a text file of lines "word number number ...", with single spaces?'


class VectorLine(NamedTuple):
    """One line: where it is, its word, and its numbers, still as text, as many as in each line."""

    number: int
    word: str
    values: list[bytes]


def vector_lines(path: Path, *, progress: bool) -> Iterator[VectorLine]:
    """Yield each line but the first one of a word2vec or fastText file, which has the sizes.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line has another number of numbers, or the file is damaged, or a zip of
            several.
    """
    with ExitStack() as stack:
        packed, file = _open(path, stack)
        size = packed.seek(0, 2)
        packed.seek(0)
        bar = stack.enter_context(
            tqdm(
                total=size, desc="Reading vectors", unit="B", unit_scale=True, disable=not progress
            )
        )
        try:
            for line in _split(path, file):
                if line.number % 4096 == 0:
                    bar.update(packed.tell() - bar.n)
                yield line
        except (EOFError, OSError, zlib.error, zipfile.BadZipFile) as error:
            raise ValueError(
                f"load_vectors: {path} must be whole, but is damaged "
                f"({type(error).__name__}: {error}). Get it again."
            ) from error
        bar.update(size - bar.n)


def _open(path: Path, stack: ExitStack) -> tuple[BinaryIO, BinaryIO]:
    """Return the file on the disk, and the same one unpacked."""
    outer = next((p for p in (path, *path.parents) if p.is_file()), path)
    if not outer.is_file() or (outer != path and outer.suffix != ".zip"):
        raise FileNotFoundError(
            f"load_vectors: {path} must be a file of word vectors, but is not there. Pass the path "
            "of a text file, or one packed as .gz or .zip."
        )
    packed = stack.enter_context(open(outer, "rb"))
    if outer.suffix == ".gz":
        return packed, stack.enter_context(gzip.GzipFile(fileobj=packed))  # type: ignore[return-value]
    if outer.suffix != ".zip":
        return packed, packed
    try:
        archive = stack.enter_context(zipfile.ZipFile(packed))
    except zipfile.BadZipFile as error:
        raise ValueError(
            f"load_vectors: {outer} must be a zip file, but is none ({error}). Get it again."
        ) from error
    names = [name for name in archive.namelist() if not name.endswith("/")]
    wanted = names if outer == path else [path.relative_to(outer).as_posix()]
    if len(wanted) != 1 or wanted[0] not in names:
        raise ValueError(
            f"load_vectors: {path} must be one file in a zip, but {outer.name} has {names}. Say "
            f"which one: {outer.name}/{names[0] if names else 'name'}."
        )
    return packed, stack.enter_context(archive.open(wanted[0]))  # type: ignore[return-value]


def _split(path: Path, file: BinaryIO) -> Iterator[VectorLine]:
    size = 0
    for number, line in enumerate(file, 1):
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        fields = line.rstrip(b" \r\n").split(b" ")
        if fields == [b""]:
            continue
        if size == 0:
            if number == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
                size = int(fields[1])
                continue
            size = min(_count_numbers(fields), len(fields) - 1)
        found = len(fields) - 1
        if found > size:  # words with spaces have no number in them, longer vectors do
            found = max(size, min(_count_numbers(fields), found))
        if found != size or size == 0:
            raise ValueError(
                f"load_vectors: each line of {path} must have a word and {size or 'some'} numbers, "
                f"but line {number} has {found}: {line[:40]!r}. {_HINT}"
            )
        try:
            word = b" ".join(fields[:-size]).decode()
        except UnicodeDecodeError:
            continue
        yield VectorLine(number, word, fields[-size:])


def _count_numbers(fields: list[bytes]) -> int:
    """Return how many fields at the end are numbers."""
    for count, field in enumerate(reversed(fields)):
        try:
            float(field)
        except ValueError:
            return count
        if b"_" in field:  # Python takes 1_0 for 10
            return count
    return len(fields)
