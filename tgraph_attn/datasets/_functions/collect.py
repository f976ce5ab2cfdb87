"""From a folder of Python files to examples, and an account of all that was left out."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from tgraph_attn.datasets._functions.find_functions import Function, find_functions
from tgraph_attn.datasets._functions.first_sentence import first_sentence
from tgraph_attn.datasets._raw.source_files import read_python
from tgraph_attn.parse.add_subtokens import add_subtokens
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.parse.split_identifier import split_identifier
from tgraph_attn.tree import Tree


@dataclass(frozen=True)
class Example:
    """One function to learn from: its tree, the words to say of it, and where it is."""

    tree: Tree
    words: list[str]
    file: str
    line: int


@dataclass
class Collection:
    """All examples of a folder, in the order of its files, and what became of the rest.

    Attributes:
        examples: What was kept.
        files: The files whose functions were read.
        dropped_files: The names of the others, by reason.
        functions: How many functions there are in `files`.
        dropped: How many of them were dropped, by reason.
        truncated: How many of the kept ones are larger than max_nodes.
    """

    examples: list[Example] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    dropped_files: dict[str, list[str]] = field(default_factory=dict)
    functions: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    truncated: int = 0

    def report(self) -> dict[str, Any]:
        """Return the numbers: kept and dropped, by reason, of all that were found."""
        lost = sum(map(len, self.dropped_files.values()))
        return {
            "files": {
                "found": len(self.files) + lost,
                "kept": len(self.files),
                "dropped": dict(sorted(self.dropped_files.items())),
            },
            "functions": {
                "found": self.functions,
                "kept": len(self.examples),
                "dropped": dict(sorted(self.dropped.items())),
                "truncated": self.truncated,
            },
        }


def collect(
    folder: Path, files: list[str], *, target: str, max_nodes: int, progress: bool
) -> Collection:
    """Return the examples of the files, each tree at most max_nodes large and there only once."""
    found = Collection()
    seen: set[bytes] = set()
    for name in tqdm(files, "Parsing", unit=" files", disable=not progress):
        functions, reason = _read(folder / name)
        if reason is not None:
            found.dropped_files.setdefault(reason, []).append(name)
            continue
        found.files.append(name)
        found.functions += len(functions)
        for function in functions:
            words, reason = _words(function, target)
            if reason is not None:
                found.dropped[reason] += 1
                continue
            whole = add_subtokens(function.tree)
            tree = whole.truncate(max_nodes)
            content = _content(tree)
            if content in seen:
                found.dropped["duplicate"] += 1
                continue
            seen.add(content)
            found.truncated += tree.num_nodes < whole.num_nodes
            found.examples.append(Example(tree, words, name, function.line))
    return found


def _read(path: Path) -> tuple[list[Function], str | None]:
    """Return the functions of a file, or why there are none."""
    source = read_python(path)
    if source is None:
        return [], "not decodable"
    tree = parse_code(source, "python", subtokens="off")
    if len(tree.faults):
        return [], "syntax errors"
    functions = list(find_functions(tree, source))
    return functions, None if functions else "no function"


def _words(function: Function, target: str) -> tuple[list[str], str | None]:
    """Return the words to say of a function, or why there are none."""
    if target == "name":
        return split_identifier(function.name), None
    if function.docstring is None:
        return [], "no docstring"
    words = first_sentence(function.docstring)
    return words, None if words else "no word in the docstring"


def _content(tree: Tree) -> bytes:
    """Return the same bytes for equal trees, and others for different ones."""
    words = "\0".join(tree.labels).encode("utf-8", "surrogatepass")
    return hashlib.sha256(tree.parent.tobytes() + b"\0" + words).digest()
