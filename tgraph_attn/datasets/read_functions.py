"""The functions of a file, as the model sees them that is to say something of them."""

import os
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import torch
from torch_geometric.data import Data

from tgraph_attn import __version__
from tgraph_attn._checks import check_type
from tgraph_attn.convert.tree_to_data import tree_to_data
from tgraph_attn.datasets._functions.find_functions import find_functions
from tgraph_attn.datasets._pairs.find_pairs import METHODS, SUFFIXES, find_pairs
from tgraph_attn.datasets._raw.source_files import read_python
from tgraph_attn.datasets._summaries.example_of import example_of
from tgraph_attn.parse._code.grammars import grammar_version
from tgraph_attn.parse.add_subtokens import add_subtokens
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.parse.parse_error import ParseError
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

_OWNER = "read_functions"


def read_functions(
    path: str | os.PathLike[str], settings: Mapping[str, Any], vocab: Vocab
) -> list[Data]:
    r"""Return each function of a file, as the data set made them that a model learned from.

    Also those without a comment, methods, and functions inside of others, in the order in which
    they begin. What a comment says is left out as it was there. Those with syntax errors, or
    without a path, are there too, even if the data set dropped them; but a file for a model of
    `StdlibFunctions` must be valid. Transforms that were given to the data set, such as those that
    add relations, are to be applied again.

    Args:
        path: A file, whose name ends in .py or .java.
        settings: The `settings` of the `StdlibFunctions` or `CodeSummaries`. They are plain JSON:
            keep them beside the model.
        vocab: The numbering that it learned, `model.source_vocab`.

    Shapes:
        - **x**: `[N]` int64, ids of vocab
        - **parent_index**: `[N]` int64, unless the model reads sequences; the root is its own
          parent
        - **name**: str, the function's name
        - **origin**: str, file and line, such as "Shapes.java:13"

    Returns:
        One graph for each function, but for those that the parser can read nothing of.

    Raises:
        ValueError: The file is of another language than the functions of the data set, is not
            readable as text, or no function is found in it; it has syntax errors, and the settings
            are of `StdlibFunctions`; or they are those of no such data set, or of other versions of
            what makes the trees.
        FileNotFoundError: The file is not there.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from tgraph_attn.datasets import StdlibFunctions, read_functions
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "shapes.py").write_text('def area(a):\n    "Square it."\n    return a*a')
        >>> data = StdlibFunctions(folder / "data", source=folder, min_count=1, log=False)
        >>> _ = (folder / "other.py").write_text("def volume(a): return a*a")
        >>> [found] = read_functions(folder / "other.py", data.settings, data.source_vocab)
        >>> found.name, found.origin, data.source_vocab.decode(found.x[:3])
        ('volume', 'other.py:1', ['function_definition', '<mask>', 'parameters'])
    """
    check_type(_OWNER, "vocab", vocab, Vocab, "Pass model.source_vocab.")
    language = _language(settings)
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(
            f"{_OWNER}: path must be a file, but {os.fspath(path)} is none. Pass one that is there."
        )
    if file.suffix != SUFFIXES[language]:
        raise ValueError(
            f"{_OWNER}: path must end in {SUFFIXES[language]}, as the model knows {language} alone,"
            f" but got {file.name!r}. Pass such a file, or a model of another language."
        )
    source = _text(file, language)
    if "form" in settings:
        return _as_code_summaries(source, language, file.name, settings, vocab)
    try:
        tree = parse_code(source, "python", subtokens="off", errors="raise")
    except ParseError as error:
        raise ValueError(
            f"{_OWNER}: path must be a file without syntax errors, as those of StdlibFunctions "
            f"are, but {file.name} has one in line {error.line}, column {error.column}. Correct "
            "it, or train on CodeSummaries, which can keep such functions."
        ) from error
    functions: list[Data] = []
    for function in find_functions(tree, source):
        seen = add_subtokens(function.tree).truncate(settings["max_nodes"])
        data = _data(seen, seen.labels, vocab)
        data.name, data.origin = function.name, f"{file.name}:{function.line}"
        functions.append(data)
    return functions or _fail_empty(file.name, {})


def _as_code_summaries(
    source: str, language: str, name: str, settings: Mapping[str, Any], vocab: Vocab
) -> list[Data]:
    asked = {**settings, "errors": "keep", "without_path": "keep"}
    functions: list[Data] = []
    pairs, reasons = find_pairs(source, language, name, bare=True)
    for pair in pairs:
        example = example_of(pair, language, asked, lambda _: ["any"])
        if isinstance(example, str):
            reasons[example] += 1
        else:
            data = _data(example.tree, example.tokens, vocab)
            data.name, data.origin = _name(pair.source, language), pair.origin
            functions.append(data)
    return functions or _fail_empty(name, reasons)


def _fail_empty(name: str, reasons: Mapping[str, int]) -> NoReturn:
    """Raise the ValueError that says why a file gives nothing."""
    raise ValueError(
        f"{_OWNER}: path must be a file with a function, but none is found in {name} "
        f"({', '.join(reasons) or 'file without function'}). Correct it, or pass another one."
    )


def _data(tree: Tree | None, labels: list[str], vocab: Vocab) -> Data:
    data = Data(x=torch.tensor(vocab.encode(labels), dtype=torch.int64), num_nodes=len(labels))
    if tree is not None:
        data.parent_index = tree_to_data(tree).parent_index
    return data


def _name(source: str, language: str) -> str:
    """Return the name of the function that a source is, "" if the parser finds none."""
    tree = parse_code(source, language, snippet=language == "java", subtokens="off")
    kinds = ("function_definition", *METHODS)
    for row in np.flatnonzero(np.isin(tree.kind, kinds))[:1].tolist():
        for child in tree.children(row).tolist():
            if tree.kind[child] == "identifier":
                return str(tree.text[child])
    return ""


def _language(settings: Mapping[str, Any]) -> str:
    """Return the language of the functions, or raise ValueError."""
    check_type(_OWNER, "settings", settings, Mapping, "Pass data.settings.")
    if "max_nodes" not in settings or not {"form", "target"} & set(settings):
        raise ValueError(
            f"{_OWNER}: settings must be those of StdlibFunctions or CodeSummaries, but hold "
            f"{sorted(settings)}. Pass data.settings."
        )
    language = settings.get("language", "python")
    if language not in SUFFIXES:
        raise ValueError(
            f"{_OWNER}: in files functions are found for {sorted(SUFFIXES)}, but those of the data "
            f"set are in {language!r}. Make the graphs with parse_code and tree_to_data."
        )
    have = {"tgraph_attn": __version__, "tree_sitter": metadata.version("tree-sitter")}
    if "grammar" in settings:
        have["grammar"] = grammar_version(language)
    if "tree_sitter_python" in settings:
        have["tree_sitter_python"] = metadata.version("tree-sitter-python")
    want = {name: settings.get(name) for name in have}
    if have != want:
        raise ValueError(
            f"{_OWNER}: trees must be made as those that the model learned from, by {want}, but "
            f"here are {have}. Install those versions, or train the model anew."
        )
    return str(language)


def _text(file: Path, language: str) -> str:
    source = read_python(file) if language == "python" else None
    try:
        if language != "python":
            source = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        source = None
    if source is None:
        raise ValueError(
            f"{_OWNER}: path must be a text in UTF-8, or in the encoding that a Python file "
            f"declares, but {file} is none. Convert it first."
        )
    return source.replace("\r\n", "\n").replace("\r", "\n")
