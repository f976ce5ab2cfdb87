"""Functions and comments from files of JSON lines."""

import json
from collections import Counter
from pathlib import Path

import numpy as np

from tgraph_attn.datasets._functions.split_files import SPLITS, split_files
from tgraph_attn.datasets._pairs.cut_docstring import cut_docstring
from tgraph_attn.datasets._pairs.find_pairs import javadoc_text
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.parse.parse_code import parse_code

_NAMES = {"train": ("train",), "val": ("val", "valid", "validation", "dev"), "test": ("test",)}
_OWNER = "CodeSummaries"
Splits = dict[str, list[Pair]]
Dropped = dict[str, Counter[str]]


def jsonl_files(folder: Path) -> dict[str, str]:
    """Return the .jsonl file of each split that a folder has one for.

    Raises:
        ValueError: It has two for one split.
    """
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


def read_jsonl(folder: Path, files: dict[str, str], language: str) -> tuple[Splits, Dropped]:
    """Return the functions of each split, and how many were left out, by reason.

    A line is an object with `code` and `docstring`, as CodeSearchNet's are; other keys are not
    read. Empty lines are passed over. CodeSearchNet has the docstring of a Python function in its
    code, too: there it is cut out, so that the answer is not in the question. Of Java, a docstring
    ends before its first tag, as it does in files of source.

    Raises:
        ValueError: A line is no such object, or a file is no UTF-8.
    """
    splits: Splits = {}
    dropped: Dropped = {}
    for split, name in files.items():
        splits[split], dropped[split] = _read(folder / name, language)
    return splits, dropped


def read_one_jsonl(path: Path, language: str, seed: int) -> tuple[Splits, Dropped]:
    """Return the functions of one file, dealt out by their code, so that copies stay together.

    What was left out, of which nothing says where it belongs, is counted in train.

    Raises:
        ValueError: A line is no object with `code` and `docstring`, or the file is no UTF-8.
    """
    pairs, reasons = _read(path, language)
    place = split_files({pair.source for pair in pairs}, seed)
    splits: Splits = {split: [] for split in SPLITS}
    for pair in pairs:
        splits[place[pair.source]].append(pair)
    return splits, {"train": reasons}


def _read(path: Path, language: str) -> tuple[list[Pair], Counter[str]]:
    pairs, dropped = [], Counter[str]()
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            code, said = row["code"], row["docstring"]
            if not isinstance(code, str) or not isinstance(said, str | None):
                raise TypeError("code must be a str, docstring a str or null")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise ValueError(
                f"{_OWNER}: each line of {path} must be an object with code and docstring, but "
                f"line {number} is not ({type(error).__name__}: {error}). Mend that line."
            ) from None
        found = _without_docstring(code.replace("\r\n", "\n").replace("\r", "\n"), language)
        if not (said or "").strip():
            dropped["no docstring"] += 1
        elif found is None:
            dropped["no body"] += 1
        else:
            said = javadoc_text(said or "") if language == "java" else said or ""
            pairs.append(Pair(found, said, f"{path.name}:{number}"))
    return pairs, dropped


def _without_docstring(code: str, language: str) -> str | None:
    """Return the code without the docstring of its first function; None if nothing else is in it.

    Other languages than Python have what is said of a function outside of it, or in comments.
    """
    if language != "python":
        return code
    tree = parse_code(code, language, subtokens="off", strings="keep")
    rows = np.flatnonzero(tree.kind == "function_definition")
    found = cut_docstring(tree, int(rows[0]), code, len(code)) if rows.size else "no function"
    if isinstance(found, str):
        return None if found == "no body" else code
    begin = int(tree.span[rows[0], 0])
    line = code.rfind("\n", 0, begin) + 1
    return code[: line if not code[line:begin].strip() else begin] + found[0]


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{_OWNER}: {path} must be UTF-8, but is not ({error}). Convert it first."
        ) from None
