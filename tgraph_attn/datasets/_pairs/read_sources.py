"""Functions and comments from a folder of source files."""

from collections import Counter
from pathlib import Path

from tgraph_attn.datasets._functions.split_files import SPLITS, split_files
from tgraph_attn.datasets._pairs.find_pairs import SUFFIXES, find_pairs
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._raw.source_files import read_python

_OWNER = "CodeSummaries"


def code_files(folder: Path, language: str) -> list[str]:
    """Return the files of a language under a folder, relative to it, with `/`, sorted.

    Raises:
        ValueError: There is none, or functions of that language can't be found in files.
    """
    if language not in SUFFIXES:
        raise ValueError(
            f"{_OWNER}: in files functions are found for {sorted(SUFFIXES)}, but the language is "
            f"{language!r}. Put them in train.jsonl, with code and docstring in each line."
        )
    files = sorted(p for p in folder.rglob(f"*{SUFFIXES[language]}") if p.is_file())
    if not files:
        raise ValueError(
            f"{_OWNER}: there are no examples in {folder}: it must hold files named "
            f"*{SUFFIXES[language]}, or train.jsonl. Pass another folder, or another language."
        )
    return [path.relative_to(folder).as_posix() for path in files]


def read_sources(
    folder: Path, files: list[str], language: str, seed: int
) -> tuple[dict[str, list[Pair]], dict[str, Counter[str]]]:
    """Return the functions in files of source, and how many were left out, by reason.

    A file goes to one split as a whole, by its name. Python is read in the encoding that a file
    declares, all else as UTF-8; a file in another one is left out, and counted.
    """
    place = split_files(files, seed)
    splits: dict[str, list[Pair]] = {split: [] for split in SPLITS}
    dropped = {split: Counter[str]() for split in SPLITS}
    for name in files:
        split = place[name]
        source = read_python(folder / name) if language == "python" else _text(folder / name)
        if source is None:
            dropped[split]["file not decodable"] += 1
            continue
        pairs, reasons = find_pairs(source, language, name)
        splits[split] += pairs
        dropped[split] += reasons
    return splits, dropped


def _text(path: Path) -> str | None:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
