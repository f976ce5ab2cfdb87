"""Show a file's tree, and how many edges each relation gives it.

    python -m tgraph_attn FILE [--language LANGUAGE] [--lines LINES]

The language follows from the file's suffix. A file that cannot be read is one line on the error
stream, and status 2.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tgraph_attn.parse._code.grammars import language_of_suffix
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.parse.parse_json import parse_json
from tgraph_attn.parse.parse_xml import parse_xml
from tgraph_attn.relations._count_path_level import count_path_level
from tgraph_attn.relations.ancestor_edges import ancestor_edges
from tgraph_attn.relations.sibling_edges import sibling_edges
from tgraph_attn.tree import Tree

_FORMATS: dict[str, Callable[[bytes], Tree]] = {"json": parse_json, "xml": parse_xml}
_SUFFIXES = {".json": "json", ".xml": "xml", ".svg": "xml"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its status."""
    parser = argparse.ArgumentParser(
        prog="python -m tgraph_attn",
        description="Show a file's tree, and how many edges each relation gives it.",
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--language", help="such as python, java, json or xml")
    parser.add_argument("--lines", type=int, default=40, help="nodes to show (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        language = options.language or _language_of(options.file)
        tree = _read(options.file, language.lower())
        outline, counts = tree.outline(options.lines), _counts(tree)
    except (OSError, ValueError, TypeError, ImportError) as error:
        print(f"{parser.prog}: {error}".replace("\n", " "), file=sys.stderr)
        return 2
    if hasattr(sys.stdout, "reconfigure"):  # a terminal may lack the letters of a name
        sys.stdout.reconfigure(errors="backslashreplace")
    print(f"# {options.file} ({language})\n{outline}\n")
    for name, value in counts.items():
        print(f"{name:<24}{value:>12}")
    return 0


def _language_of(file: Path) -> str:
    suffix = file.suffix.lower()
    language = _SUFFIXES.get(suffix) or language_of_suffix(suffix)
    if language is None:
        raise ValueError(
            f"the language must follow from the suffix, but there is none for {file.name!r}. "
            "Pass --language."
        )
    return language


def _read(file: Path, language: str) -> Tree:
    source = file.read_bytes()
    return _FORMATS[language](source) if language in _FORMATS else parse_code(source, language)


def _counts(tree: Tree) -> dict[str, str]:
    """Return what to print below the outline."""
    parent, subtree_size = tree.parent.copy(), tree.subtree_size.copy()
    counts = {
        "nodes": tree.num_nodes,
        "depth": int(tree.depth.max()),
        "errors": tree.num_errors,
        "missing tokens": tree.num_missing,
        "ancestor edges (P=7)": ancestor_edges(parent, 7)[1].size,
        "sibling edges (P=7)": sibling_edges(parent, 7)[1].size,
        "path_level edges (P=19)": count_path_level(parent, subtree_size, 19, 19, sys.maxsize)[0],
    }
    return {name: f"{number:,}" for name, number in counts.items()}


if __name__ == "__main__":
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)
