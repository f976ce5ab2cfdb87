"""Where the functions of a data set come from."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tgraph_attn._checks import check_type
from tgraph_attn.datasets._functions.pair import Pair
from tgraph_attn.datasets._functions.published_pairs import PUBLISHED, read_part
from tgraph_attn.datasets._functions.read_pairs import (
    code_files,
    jsonl_files,
    read_code,
    read_jsonl,
)
from tgraph_attn.datasets._functions.split_files import SPLITS
from tgraph_attn.datasets._raw.source_files import fingerprint

_OWNER = "CodeSummaries"
_PARTS = {"train": "train", "val": "valid", "test": "test"}


@dataclass(frozen=True)
class PairSource:
    """What is known of a corpus before it is read.

    Attributes:
        name: Its name; "own" for a folder of one's own, which is told by its content.
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
    """Return the source of the corpus with that name; a path is a folder of one's own.

    Raises:
        ValueError: name is neither a known one nor a folder, parts do not fit, or a folder of one's
            own comes without its language, or has no file of it.
    """
    if isinstance(name, str) and name in PUBLISHED:
        published = PUBLISHED[name]
        given = _parts(name, parts)
        if language not in (None, published.language):
            raise ValueError(
                f"{_OWNER}: language must be {published.language!r} for {name}, but got "
                f"{language!r}. Leave it out."
            )
        pins = {
            part: [file.sha256 for file in published.files[part]]
            if part in published.files
            else "not pinned"
            for part in given.values()
        }
        return PairSource(
            name=name,
            folder=raw,
            language=published.language,
            comment="tokens" if name == "tl_codesum" else "rules",
            identity={"parts": given, "files": pins},
            read=partial(_read_published, raw, name, given),
        )
    folder = Path(name)
    if not folder.is_dir():
        raise ValueError(
            f"{_OWNER}: name must be one of {list(PUBLISHED)} or a folder, but "
            f"{os.fspath(name)!r} is none. Pass a folder with train.jsonl, or with source files."
        )
    if parts is not None:
        raise ValueError(
            f"{_OWNER}: parts must be None for a folder of your own, but got {dict(parts)}. Name "
            "the files train.jsonl, val.jsonl and test.jsonl."
        )
    hint = 'Pass language="python", for example.'
    check_type(_OWNER, "language", language, str, hint)
    own = partial(PairSource, name="own", folder=folder, language=str(language), comment="rules")
    if rows := jsonl_files(folder):
        content = fingerprint(folder, rows.values())
        return own(
            identity={"files": content, "language": language},
            read=partial(read_jsonl, folder, rows),
        )
    files = code_files(folder, str(language))
    return own(
        identity={"files": fingerprint(folder, files), "language": language, "split_seed": seed},
        read=partial(read_code, folder, files, str(language), seed),
    )


def _parts(name: str, parts: Mapping[str, str] | None) -> dict[str, str]:
    """Return which part each split is, or raise ValueError."""
    given = dict(_PARTS if parts is None else parts)
    known = {*PUBLISHED[name].files, *PUBLISHED[name].missing}
    if "train" not in given or not set(given) <= set(SPLITS) or not set(given.values()) <= known:
        raise ValueError(
            f"{_OWNER}: parts must give train, and may give val and test, one of {sorted(known)} "
            f'each, but are {given}. Pass {{"train": "valid", "test": "test"}}, for example.'
        )
    return given


# A function, and none inside of another: a data set with its source can be pickled.
def _read_published(
    raw: Path, name: str, parts: Mapping[str, str]
) -> tuple[dict[str, list[Pair]], dict[str, Counter[str]]]:
    return {split: read_part(raw, name, part) for split, part in parts.items()}, {}
