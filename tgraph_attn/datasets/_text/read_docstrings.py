"""The docstrings of the standard library, with the group that their module is in."""

import ast
import hashlib
import warnings
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from tgraph_attn.datasets._raw.source_files import read_python
from tgraph_attn.datasets._text.documents import SPLITS, Document, Splits
from tgraph_attn.datasets._text.stdlib_groups import GROUP_OF
from tgraph_attn.parse.clean_text import clean_text

MIN_WORDS = 5  # fewer, such as "Internal function.", say too little to tell a group by
_STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases")


def grouped_files(files: list[str]) -> dict[str, list[str]]:
    """Return the files of each group, by the module or package that they are in."""
    groups: dict[str, list[str]] = {group: [] for group in sorted(set(GROUP_OF.values()))}
    for name in files:
        group = GROUP_OF.get(name.split("/", 1)[0].removesuffix(".py"))
        if group is not None:
            groups[group].append(name)
    return groups


def read_docstrings(
    folder: Path, groups: dict[str, list[str]], *, progress: bool
) -> tuple[Splits, dict[str, int]]:
    """Return each docstring of the files once, with its group, and how many were dropped, and why.

    Those of fewer than MIN_WORDS words are dropped. Of docstrings that differ in white space only,
    the first one stays, in the order of the files' names; so none is in both splits.
    """
    group_of = {name: group for group, names in groups.items() for name in names}
    found: dict[str, list[Document]] = {}
    dropped = {"duplicate": 0, "short": 0, "file not readable": 0}
    seen: set[str] = set()
    for name in tqdm(sorted(group_of), "Reading", unit=" files", disable=not progress):
        module = _parse(folder / name)
        if module is None:
            dropped["file not readable"] += 1
            continue
        found[name] = []
        for text in docstrings(module):
            content = " ".join(text.split())
            if len(clean_text(content)) < MIN_WORDS:
                dropped["short"] += 1
            elif content in seen:
                dropped["duplicate"] += 1
            else:
                seen.add(content)
                found[name].append(Document(text.strip(), group_of[name]))
    test: set[str] = set()
    for names in groups.values():
        test |= pick_test_files({name: len(found[name]) for name in names if name in found})
    return {
        split: [d for name in found for d in found[name] if (name in test) == (split == "test")]
        for split in SPLITS
    }, dropped


def pick_test_files(sizes: dict[str, int]) -> set[str]:
    """Return the files that are for the test, so that it has a fifth of the documents at most.

    They are taken in the order of a hash of their names; one that is too large to fit is left to
    the training, and the next one is tried.
    """
    room = sum(sizes.values()) // 5
    chosen = set()
    for name in sorted(sizes, key=lambda name: hashlib.sha256(name.encode()).digest()):
        if sizes[name] <= room:
            chosen.add(name)
            room -= sizes[name]
    return chosen


def docstrings(module: ast.Module) -> Iterator[str]:
    """Yield the docstring of a module, its classes and its functions, in pre-order."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None:
                yield text
        inside = [child for field in _STATEMENTS for child in getattr(node, field, ())]
        waiting += reversed(inside)


def _parse(path: Path) -> ast.Module | None:
    source = read_python(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            return None if source is None else ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
