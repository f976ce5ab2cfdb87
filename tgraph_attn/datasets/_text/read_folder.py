"""The documents of a folder of one's own."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from tgraph_attn.datasets._text.documents import SPLITS, Document, Splits

ENDINGS = (".txt", ".csv", ".jsonl")
_FORMS = "label<TAB>text in .txt, columns label and text in .csv, or objects in .jsonl"


def find_files(folder: Path) -> dict[str, Path]:
    """Return the one file of each split.

    Raises:
        FileNotFoundError: A split has none.
        ValueError: A split has two, in different forms.
    """
    files = {}
    for split in SPLITS:
        there = [folder / f"{split}{ending}" for ending in ENDINGS]
        there = [path for path in there if path.is_file()]
        names = [f"{split}{ending}" for ending in ENDINGS]
        if not there:
            raise FileNotFoundError(
                f"TextCorpus: {folder} must hold one of {names}, but has none of them. Put the "
                f"documents of {split} there: {_FORMS}."
            )
        if len(there) > 1:
            raise ValueError(
                f"TextCorpus: {folder} must hold one of {names}, but has "
                f"{[path.name for path in there]}. Leave the one that is to be used."
            )
        files[split] = there[0]
    return files


def read_folder(folder: Path, encoding: str) -> Splits:
    """Return the documents of train and test, in the order of their files.

    A line without any character, or with white space only, is passed over.

    Raises:
        FileNotFoundError: A split has no file.
        ValueError: A split has two files, or one that is in another encoding or form.
    """
    readers = {".txt": _from_lines, ".csv": _from_csv, ".jsonl": _from_json_lines}
    splits = {}
    for split, path in find_files(folder).items():
        text = _decode(path, encoding)
        splits[split] = list(readers[path.suffix](path, text))
    return splits


def _decode(path: Path, encoding: str) -> str:
    content = path.read_bytes()
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeError as error:
        where = f"it is not ({error})"  # some codecs do not say where
        if isinstance(error, UnicodeDecodeError):
            line = content.count(b"\n", 0, error.start) + 1
            byte = f"byte 0x{content[error.start]:02x}"
            where = f"its line {line} is not ({error.reason}: {byte})"
        raise ValueError(
            f"TextCorpus: {path} must be in {encoding}, but {where}. Say which encoding it is in, "
            'such as encoding="latin-1", or convert the file.'
        ) from error


def _from_lines(path: Path, text: str) -> Iterator[Document]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        label, tab, said = line.partition("\t")
        if not tab:
            _fail(path, number, "label, tab and text", f"{line[:60]!r}, without a tab")
        yield _document(path, number, label, said)


def _from_csv(path: Path, text: str) -> Iterator[Document]:
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    limit = csv.field_size_limit(max(len(text), 1))
    rows = (row for row in lines if len(row) > 1 or "".join(row).strip())
    try:
        header = next(rows, None)
        if header is None:
            return
        if not {"label", "text"} <= set(header):
            wanted = "a header with the columns label and text"
            _fail(path, lines.line_num, wanted, f"{header}")
        label, said = header.index("label"), header.index("text")
        for row in rows:
            if len(row) != len(header):
                wanted = f"{len(header)} columns as its header"
                _fail(path, lines.line_num, wanted, f"{len(row)} columns")
            yield _document(path, lines.line_num, row[label], row[said])
    except csv.Error as error:
        _fail(path, lines.line_num, "well-formed CSV", f"an error ({error})")
    finally:
        csv.field_size_limit(limit)


def _from_json_lines(path: Path, text: str) -> Iterator[Document]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            _fail(path, number, "one JSON object", f"{line[:60]!r} ({error})")
        if not isinstance(record, dict):
            _fail(path, number, "one JSON object", f"{line[:60]!r}")
        tokens = _list_of(path, number, record, "tokens", str)
        heads = _list_of(path, number, record, "heads", int)
        if heads is not None:
            _check_heads(path, number, heads, -1 if tokens is None else len(tokens))
        said = record.get("text")
        if said is None and tokens is not None:
            said = " ".join(tokens)
        yield _document(path, number, record.get("label"), said, tokens, heads)


def _check_heads(path: Path, number: int, heads: tuple[int, ...], size: int) -> None:
    if len(heads) != size or not all(0 <= head < size for head in heads):
        wanted = "one head for each of its tokens, counted from 0, its own for a root"
        _fail(path, number, wanted, f"heads {heads} and {max(size, 0)} tokens")
    head = np.array(heads, np.int64)
    above = head
    for _ in range(size.bit_length()):  # who does not arrive at a root is in, or below, a cycle
        above = above[above]
    lost = np.flatnonzero(head[above] != above)
    if lost.size:
        wanted = "heads that lead to a root, its own head"
        _fail(path, number, wanted, f"heads that lead round a cycle from token {lost[0]}")


def _list_of(
    path: Path, number: int, record: dict[str, Any], key: str, kind: type
) -> tuple[Any, ...] | None:
    value = record.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(type(item) is kind for item in value):
        _fail(path, number, f"a list of {kind.__name__} under {key!r}", f"{value!r:.60}")
    return tuple(value)


def _document(
    path: Path,
    number: int,
    label: object,
    text: object,
    tokens: tuple[str, ...] | None = None,
    heads: tuple[int, ...] | None = None,
) -> Document:
    if not isinstance(label, str) or not label.strip():
        _fail(path, number, "a label, a str that is not empty", f"{label!r:.60}")
    if not isinstance(text, str):
        _fail(path, number, "a text, a str", f"{text!r:.60}")
    return Document(text.strip(), label.strip(), tokens, heads)


def _fail(path: Path, number: int, wanted: str, found: str) -> NoReturn:
    raise ValueError(
        f"TextCorpus: line {number} of {path} must have {wanted}, but has {found}. Mend that line."
    )
