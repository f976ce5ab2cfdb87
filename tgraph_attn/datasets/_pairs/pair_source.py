"""Where the functions of a data set come from."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tgraph_attn._checks import check_type
from tgraph_attn.datasets._functions.split_files import SPLITS
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._pairs.published_pairs import PUBLISHED, part_files, read_part
from tgraph_attn.datasets._pairs.read_jsonl import jsonl_files, read_jsonl, read_one_jsonl
from tgraph_attn.datasets._pairs.read_sources import code_files, read_sources
from tgraph_attn.datasets._raw.source_files import fingerprint
from tgraph_attn.parse._code.grammars import LANGUAGES, get_language, language_name

_OWNER = "CodeSummaries"
_PARTS = {"train": "train", "val": "valid", "test": "test"}


@dataclass(frozen=True)
class PairSource:
    """What is known of a corpus before it is read.

    Attributes:
        name: Its name; "own" for files of one's own, which are told by their content.
        folder: Where its files are, or will be.
        language: That of its functions.
        comment: How its comments become words, if nothing else is asked for.
        identity: What tells its functions from all others.
        read: Returns the functions of each split, and how many were left out, by reason.
    """

    name: str
    folder: Path
    language: str
    comment: str
    identity: dict[str, Any]
    read: Callable[[], tuple[dict[str, list[Pair]], dict[str, Counter[str]]]]


def find_pair_source(
    raw: Path,
    name: str | os.PathLike[str],
    language: str | None,
    parts: Mapping[str, str] | None,
    seed: int,
) -> PairSource:
    """Return the source of the corpus with that name; a path is a folder, or a file, of one's own.

    Raises:
        ValueError: name is neither a known one nor a folder or a .jsonl file, parts do not fit, the
            language is unknown, or a folder of one's own has no file of it.
        TypeError: name is no path, parts no mapping, language no str, or one's own comes without
            its language.
        ImportError: The grammar of the language is not installed.
    """
    check_type(_OWNER, "name", name, (str, os.PathLike), "Pass a name, or a path of your own.")
    check_type(_OWNER, "parts", parts, (Mapping, type(None)), "Leave it out.")
    check_type(_OWNER, "language", language, (str, type(None)), 'Pass "python", for example.')
    if isinstance(name, str) and name in PUBLISHED:
        return _published(raw, name, language, parts)
    path = Path(name).expanduser()
    if not path.is_dir() and not (path.suffix == ".jsonl" and path.is_file()):
        raise ValueError(
            f"{_OWNER}: name must be one of {list(PUBLISHED)}, a folder or a .jsonl file, but "
            f"{os.fspath(name)!r} is none. Pass a folder with train.jsonl, or with source files."
        )
    if parts is not None:
        raise ValueError(
            f"{_OWNER}: parts must be None for a folder of your own, but got {dict(parts)}. Name "
            "the files train.jsonl, val.jsonl and test.jsonl."
        )
    check_type(_OWNER, "language", language, str, 'Pass language="python", for example.')
    known = _known(str(language))
    folder = path if path.is_dir() else path.parent
    own = partial(PairSource, name="own", folder=folder, language=known, comment="rules")
    if folder != path:
        return own(
            identity={"files": fingerprint(folder, [path.name]), "split_seed": seed},
            read=partial(read_one_jsonl, path, known, seed),
        )
    if rows := jsonl_files(folder):
        return own(
            identity={"files": fingerprint(folder, rows.values())},
            read=partial(read_jsonl, folder, rows, known),
        )
    files = code_files(folder, known)
    return own(
        identity={"files": fingerprint(folder, files), "split_seed": seed},
        read=partial(read_sources, folder, files, known, seed),
    )


def _published(
    raw: Path, name: str, language: str | None, parts: Mapping[str, str] | None
) -> PairSource:
    published = PUBLISHED[name]
    if language is not None and language_name(language) != published.language:
        raise ValueError(
            f"{_OWNER}: language must be {published.language!r} for {name}, but got "
            f"{language!r}. Leave it out."
        )
    given = _parts(name, parts)
    return PairSource(
        name=name,
        folder=raw,
        language=_known(published.language),
        comment="tokens" if name == "tl_codesum" else "rules",
        identity={"parts": given, "files": {p: _content(raw, name, p) for p in given.values()}},
        read=partial(_read_published, raw, name, given),
    )


def _known(language: str) -> str:
    """Return the name of a language whose grammar can be loaded, or raise."""
    name = language_name(language)
    if name is None:
        raise ValueError(
            f"{_OWNER}: language must be one of {list(LANGUAGES)}, but got {language!r}. Pick one."
        )
    get_language(name)
    return name


def _content(raw: Path, name: str, part: str) -> str | list[str]:
    """Return what tells the content of a part from another; a file without a pin may be any."""
    if part in PUBLISHED[name].files:
        return [file.sha256 for file in PUBLISHED[name].files[part]]
    files = [file for file in part_files(name, part) if (raw / file).is_file()]
    return fingerprint(raw, files)


def _parts(name: str, parts: Mapping[str, str] | None) -> dict[str, str]:
    """Return which part each split is, or raise ValueError."""
    given = dict(_PARTS if parts is None else parts)
    known = {*PUBLISHED[name].files, *PUBLISHED[name].missing}
    fits = "train" in given and set(given) <= set(SPLITS) and set(given.values()) <= known
    if not fits or len(set(given.values())) < len(given):
        raise ValueError(
            f"{_OWNER}: parts must give train, and may give val and test, each another one of "
            f'{sorted(known)}, but are {given}. Pass {{"train": "valid", "test": "test"}}, for '
            "example."
        )
    return given


# A function, and none inside of another: a data set with its source can be pickled.
def _read_published(
    raw: Path, name: str, parts: Mapping[str, str]
) -> tuple[dict[str, list[Pair]], dict[str, Counter[str]]]:
    return {split: read_part(raw, name, part) for split, part in parts.items()}, {}
