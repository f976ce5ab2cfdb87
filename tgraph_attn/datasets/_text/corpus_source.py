"""Where the documents of a corpus come from."""

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tgraph_attn._checks import check_type
from tgraph_attn.datasets._raw.source_files import fingerprint, source_files, stdlib_folder
from tgraph_attn.datasets._text.documents import Splits
from tgraph_attn.datasets._text.published import PUBLISHED
from tgraph_attn.datasets._text.read_docstrings import grouped_files, read_docstrings
from tgraph_attn.datasets._text.read_folder import find_files, read_folder
from tgraph_attn.datasets._text.read_published import published_folder, read_published

STDLIB = "stdlib"


@dataclass(frozen=True)
class CorpusSource:
    """What is known of a corpus before it is read.

    Attributes:
        name: Its name; "own" for a folder of one's own, which is told by its content.
        folder: Where its files are, or will be.
        identity: What tells its documents from all others.
        read: Returns its documents, and how many were dropped, by reason.
        num_words: How many words the published filters leave; None if it is not published.
    """

    name: str
    folder: Path
    identity: dict[str, str]
    read: Callable[[], tuple[Splits, dict[str, int]]]
    num_words: int | None = None


def find_source(
    root: Path, name: str | os.PathLike[str], encoding: str, *, progress: bool
) -> CorpusSource:
    """Return the source of the corpus with that name; a path is a folder of one's own.

    Raises:
        ValueError: name is neither a known one nor a folder, or encoding is unknown.
        TypeError: encoding is no str.
        FileNotFoundError: The folder has no file for train or for test.
    """
    if isinstance(name, str) and name in PUBLISHED:
        raw, published = root / "raw", PUBLISHED[name]
        return CorpusSource(
            name=name,
            folder=published_folder(raw, name),
            identity={file.name: file.sha256 for file in published.files},
            read=partial(_read_published, raw, name),
            num_words=published.num_words,
        )
    if name == STDLIB:
        library = stdlib_folder()
        groups = grouped_files(source_files(library))
        files = [file for names in groups.values() for file in names]
        return CorpusSource(
            name=STDLIB,
            folder=library,
            identity={
                "python": f"{platform.python_implementation()} {platform.python_version()}",
                "files": fingerprint(
                    library, [file for files in groups.values() for file in files]
                ),
            },
            read=partial(read_docstrings, library, groups, progress=progress),
        )
    folder = Path(name)
    if not folder.is_dir():
        raise ValueError(
            f"TextCorpus: name must be one of {[*PUBLISHED, STDLIB]} or a folder, but "
            f"{os.fspath(name)!r} is none. Pass a folder with train.txt and test.txt."
        )
    _check_encoding(encoding)
    files = [path.name for path in find_files(folder).values()]
    return CorpusSource(
        name="own",
        folder=folder,
        identity={"files": fingerprint(folder, files), "encoding": encoding},
        read=partial(_read_folder, folder, encoding),
    )


# Functions, and none inside of another: a data set with its source can be pickled.
def _read_published(raw: Path, name: str) -> tuple[Splits, dict[str, int]]:
    return read_published(raw, name), {}


def _read_folder(folder: Path, encoding: str) -> tuple[Splits, dict[str, int]]:
    return read_folder(folder, encoding), {}


def _check_encoding(encoding: str) -> None:
    hint = 'Pass "utf-8" or "latin-1", for example.'
    check_type("TextCorpus", "encoding", encoding, str, hint)
    try:
        b"x".decode(encoding)
    except UnicodeError:  # it is one, in which this is no text
        return
    except (LookupError, ValueError) as error:
        raise ValueError(
            f"TextCorpus: encoding must be one that Python knows, but got {encoding!r} ({error}). "
            f"{hint}"
        ) from error
