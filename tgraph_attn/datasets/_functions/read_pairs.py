"""Functions and comments from files of one's own."""

import json
from collections import Counter
from pathlib import Path

from tgraph_attn.datasets._functions.find_pairs import SUFFIXES, find_pairs
from tgraph_attn.datasets._functions.pair import Pair
from tgraph_attn.datasets._functions.split_files import SPLITS, split_files

_NAMES = {"train": ("train",), "val": ("val", "valid", "validation", "dev"), "test": ("test",)}
_OWNER = "CodeSummaries"
Splits = dict[str, list[Pair]]


def jsonl_files(folder: Path) -> dict[str, str]:
    """Return the .jsonl file of each split that a folder has one for."""
    found = {}
    for split, names in _NAMES.items():
        files = [f"{name}.jsonl" for name in names if (folder / f"{name}.jsonl").is_file()]
        if len(files) > 1:
            raise ValueError(
                f"{_OWNER}: {folder} must have one file for {split}, but has {files}. Remove one."
            )
        if files:
            found[split] = files[0]
    return found


def read_jsonl(folder: Path, files: dict[str, str]) -> tuple[Splits, dict[str, Counter[str]]]:
    """Return the functions of each split, and how many were left out, by reason.

    A line is an object with `code` and `docstring`, as CodeSearchNet's are; other keys are not
    read. Empty lines are passed over.

    Raises:
        ValueError: A line is no such object, or a file is no UTF-8.
    """
    splits: Splits = {}
    dropped: dict[str, Counter[str]] = {}
    for split, name in files.items():
        splits[split], dropped[split] = [], Counter()
        for number, line in enumerate(_text(folder / name).split("\n"), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                code, said = row["code"], row["docstring"]
                if not isinstance(code, str) or not isinstance(said, str | None):
                    raise TypeError("code and docstring are no str")
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise ValueError(
                    f"{_OWNER}: each line of {folder / name} must be an object with code and "
                    f"docstring, but line {number} is not ({type(error).__name__}: {error}). Mend "
                    "that line."
                ) from None
            if said is None:
                dropped[split]["no docstring"] += 1
                continue
            splits[split].append(Pair(code, said, f"{name}:{number}"))
    return splits, dropped


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


def read_code(
    folder: Path, files: list[str], language: str, seed: int
) -> tuple[Splits, dict[str, Counter[str]]]:
    """Return the functions in files of source, and how many were left out, by reason.

    A file goes to one split as a whole, by its name. One in another encoding than UTF-8 is left
    out, and counted.
    """
    place = split_files(files, seed)
    splits: Splits = {split: [] for split in SPLITS}
    dropped = {split: Counter[str]() for split in SPLITS}
    for name in files:
        split = place[name]
        try:
            source = (folder / name).read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            dropped[split]["file not UTF-8"] += 1
            continue
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        pairs, reasons = find_pairs(source, language, name)
        splits[split] += pairs
        dropped[split] += reasons
        dropped[split]["file without function"] += not pairs and not reasons
    return splits, {split: +reasons for split, reasons in dropped.items()}


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{_OWNER}: {path} must be UTF-8, but is not ({error}). Convert it first."
        ) from None
