"""The documents of the published corpora."""

from pathlib import Path

from tgraph_attn.datasets._raw.fetch import fetch
from tgraph_attn.datasets._text.documents import SPLITS, Document, Splits
from tgraph_attn.datasets._text.published import KNOWN, PUBLISHED

_SPLIT_NAMES = {"train": "train", "training": "train", "test": "test"}


def published_folder(raw: Path, name: str) -> Path:
    """Return the folder of a corpus's files: raw itself if they lie there, else raw/name."""
    own = raw / name
    first = PUBLISHED[name].files[0].name
    return raw if not (own / first).is_file() and (raw / first).is_file() else own


def read_published(raw: Path, name: str) -> Splits:
    """Return the documents of R8, R52 or Ohsumed, in the order of their files.

    Raises:
        ValueError: A file is another one than the published one, or the counts differ.
        ConnectionError: A file is not there and cannot be fetched.
    """
    folder, published = published_folder(raw, name), PUBLISHED[name]
    first, second = (fetch("TextCorpus", folder, file, KNOWN) for file in published.files)
    if name == "Ohsumed":
        splits = pair_lines(first, second, str(folder / published.files[1].name))
    else:
        contents = dict(zip(SPLITS, (first, second), strict=True))
        splits = {split: _labelled_lines(contents[split]) for split in SPLITS}
    classes = {document.label for documents in splits.values() for document in documents}
    found = {"classes": len(classes)} | {s: len(splits[s]) for s in SPLITS}
    check_counts(name, found, {"classes": published.num_classes} | published.documents)
    return splits


def check_counts(name: str, found: dict[str, int], expected: dict[str, int]) -> None:
    """Raise ValueError unless what was counted in a published corpus is what is published."""
    if found != expected:
        said, wanted = (", ".join(f"{n:,} {k}" for k, n in d.items()) for d in (found, expected))
        raise ValueError(
            f"TextCorpus: {name} must have {wanted}, but has {said}. Delete its files in raw/ to "
            "have them fetched again."
        )


def split_lines(content: bytes) -> list[str]:
    """Return the lines of a latin-1 file, which end at a newline and nowhere else.

    The last one may end without. In latin-1, byte 0x85 is a character that Python's own
    `splitlines` takes for the end of a line; here it is none.
    """
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line.decode("latin-1") for line in lines]


def pair_lines(index: bytes, texts: bytes, place: str) -> Splits:
    """Return the documents of an index, `path<TAB>split<TAB>class`, and its texts, line by line.

    Raises:
        ValueError: The two differ in their number of lines, or a line of the index is another.
    """
    rows, lines = split_lines(index), split_lines(texts)
    if len(rows) != len(lines):
        raise ValueError(
            f"TextCorpus: {place} must have one text for each line of its index ({len(rows):,}), "
            f"but has {len(lines):,}. Use the two files of one version."
        )
    splits: Splits = {split: [] for split in SPLITS}
    for number, (row, line) in enumerate(zip(rows, lines, strict=True), 1):
        fields = row.split("\t")
        if len(fields) != 3 or fields[1] not in _SPLIT_NAMES:
            raise ValueError(
                f"TextCorpus: each line of the index of {place} must be path, train or test, and "
                f"class, with tabs between, but line {number} is {row[:80]!r}. Mend that line."
            )
        splits[_SPLIT_NAMES[fields[1]]].append(Document(line.strip(), fields[2]))
    return splits


def _labelled_lines(content: bytes) -> list[Document]:
    pairs = (line.split("\t", 1) for line in split_lines(content))
    return [Document(text.strip(), label) for label, text in pairs]
