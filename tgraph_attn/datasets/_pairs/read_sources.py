"""Functions and comments from a folder of source files."""

from collections import Counter
from pathlib import Path

from tgraph_attn.datasets._functions.split_files import SPLITS, split_files
from tgraph_attn.datasets._pairs.find_pairs import FAULTY_FILES, SUFFIXES, find_pairs
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._raw.source_files import find_files, left_out, read_python

_OWNER = "CodeSummaries"


def code_files(folder: Path, language: str) -> list[str]:
    """Return the files of a language under a folder, as `find_files` does.

    Raises:
        ValueError: There is none, or functions of that language can't be found in files.
    """
    if language not in SUFFIXES:
        raise ValueError(
            f"{_OWNER}: in files functions are found for {sorted(SUFFIXES)}, but the language is "
            f"{language!r}. Put them in train.jsonl, with code and docstring in each line."
        )
    files = find_files(folder, SUFFIXES[language])
    if not files:
        raise ValueError(
            f"{_OWNER}: there are no examples in {folder}: it must hold files named "
            f"*{SUFFIXES[language]}, or train.jsonl, but has none outside of {left_out()}. Pass "
            "another folder, or another language."
        )
    return files


def read_sources(
    folder: Path, files: list[str], language: str, seed: int
) -> tuple[dict[str, list[Pair]], dict[str, Counter[str]]]:
    """Return the functions in files of source, and how many were left out, by reason.

    A file goes to one split as a whole, by its name. Python is read in the encoding that a file
    declares, all else as UTF-8; a file in another one is left out, and counted. How many files have
    syntax errors is counted too, as `FAULTY_FILES`: what the parser can't read of them is lost.
    """
    place = split_files(files, seed)
    splits: dict[str, list[Pair]] = {split: [] for split in SPLITS}
    dropped = {split: Counter({FAULTY_FILES: 0}) for split in SPLITS}
    for name in files:
        split = place[name]
        source = read_python(folder / name) if language == "python" else _text(folder / name)
        if source is None:
            dropped[split]["file not decodable"] += 1
            continue
        pairs, reasons = find_pairs(source, language, name)
        splits[split] += pairs
        dropped[split].update(reasons)
    return splits, dropped


def _text(path: Path) -> str | None:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
