"""The published corpora of functions and comments."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._pairs.undo_markup import undo_description, undo_markup
from tgraph_attn.datasets._raw.fetch import fetch
from tgraph_attn.datasets._raw.pinned_file import PinnedFile

_APART = re.compile("(?<= )> (?=>)")
_TL = (
    "https://raw.githubusercontent.com/xing-hu/TL-CodeSum/"
    "51b6849d18343605a2de94b12c75ab8a6f29b3ec/data/"
)
_DOCSTRING = (
    "https://raw.githubusercontent.com/EdinburghNLP/code-docstring-corpus/"
    "eebf1ea5ed83fdcf804321d410048079a1ec524d/parallel-corpus/"
)


@dataclass(frozen=True)
class PublishedPairs:
    """One published corpus.

    Attributes:
        language: That of its functions.
        files: For each part, as the corpus names it, the file of sources and that of comments.
        missing: The parts that have no pinned file here, each with the names of its files.
        read: Returns the source and the comment of a line of each.
    """

    language: str
    files: dict[str, tuple[PinnedFile, PinnedFile]]
    missing: dict[str, tuple[str, str]]
    read: Callable[[str, str], tuple[str, str]]


def read_tl_codesum(code: str, comment: str) -> tuple[str, str]:
    """Return source and comment of two lines, each behind a number and a tab.

    The corpus has each `>` apart, also those of `>>` and `>>>`, which no parser of Java takes for a
    shift: they are put together again. Types such as `List<List<String>>` mean the same either way.
    """
    (number, tab, source), (other, also, said) = (line.partition("\t") for line in (code, comment))
    if not tab or not also:
        raise ValueError("without a number and a tab")
    if number != other:
        raise ValueError(f"of numbers {number} and {other}")
    return _APART.sub(">", source), said


def read_code_docstring(code: str, comment: str) -> tuple[str, str]:
    """Return source and docstring of two lines, without their markup."""
    return undo_markup(code), undo_description(comment)


def part_files(name: str, part: str) -> tuple[str, str]:
    """Return the names of the two files of a part of a published corpus."""
    published = PUBLISHED[name]
    if part in published.missing:
        return published.missing[part]
    code, comment = published.files[part]
    return code.name, comment.name


PUBLISHED = {
    "tl_codesum": PublishedPairs(
        "java",
        {
            "valid": (
                PinnedFile(
                    "valid.token.code",
                    f"{_TL}valid/valid.token.code",
                    4_063_597,
                    "e2f6a12244ea0f1078fc10ad3db3fce61bce3e0182e14b334e280475845d7477",
                ),
                PinnedFile(
                    "valid.token.nl",
                    f"{_TL}valid/valid.token.nl",
                    873_028,
                    "b5e729fd0f35f07a8c8ef32bd141b2c0db1a536021eed2b3db6bfaffc659508c",
                ),
            ),
            "test": (
                PinnedFile(
                    "test.token.code",
                    f"{_TL}test/test.token.code",
                    4_109_556,
                    "45200ca3034a13da30de45f65204d1ee315ddf2774718d1c2953f6b7de267eef",
                ),
                PinnedFile(
                    "test.token.nl",
                    f"{_TL}test/test.token.nl",
                    862_021,
                    "8423e91de9fabef049b350c58df4772539cc14b6a7b35129e9ef877cdf52efaa",
                ),
            ),
        },
        {"train": ("train.token.code", "train.token.nl")},
        read_tl_codesum,
    ),
    "code_docstring": PublishedPairs(
        "python",
        {
            "valid": (
                PinnedFile(
                    "data_ps.declbodies.valid",
                    f"{_DOCSTRING}data_ps.declbodies.valid",
                    1_460_711,
                    "283a07e28e331540062b29692f5d8e8992e03592093ac45bd31e5b238489d9ce",
                ),
                PinnedFile(
                    "data_ps.descriptions.valid",
                    f"{_DOCSTRING}data_ps.descriptions.valid",
                    589_537,
                    "1fdbe7923bc0b57b5178de4c5de95a35483687122afcf5481ba1f7143a293fa1",
                ),
            ),
            "test": (
                PinnedFile(
                    "data_ps.declbodies.test",
                    f"{_DOCSTRING}data_ps.declbodies.test",
                    1_468_057,
                    "03ab25f471c216ea19d6c4a14b41ea339b9dc5c134359cbda5091856ac955dc9",
                ),
                PinnedFile(
                    "data_ps.descriptions.test",
                    f"{_DOCSTRING}data_ps.descriptions.test",
                    572_474,
                    "1536dcaf3086e577dc1f8e2d0b192a609ed4531f7ec4a2fe7fe6d941eced7ca9",
                ),
            ),
        },
        {"train": ("data_ps.declbodies.train", "data_ps.descriptions.train")},
        read_code_docstring,
    ),
}


def read_part(raw: Path, name: str, part: str) -> list[Pair]:
    """Return the functions of a part of a published corpus, in the order of its files.

    Raises:
        ValueError: A file is another than the published one; the two of a part differ in their
            number of lines, or a line belongs to another one; or a file is no UTF-8.
        FileNotFoundError: A part that has no pinned file is not there.
        ConnectionError: A file is not there and cannot be fetched.
    """
    published, owner = PUBLISHED[name], "CodeSummaries"
    names = part_files(name, part)
    if part in published.files:
        both = [fetch(owner, raw, file) for file in published.files[part]]
    else:
        absent = [file for file in names if not (raw / file).is_file()]
        if absent:
            raise FileNotFoundError(
                f"{owner}: part {part!r} of {name} must be in {raw}, but {absent[0]} is not there, "
                "and has no pinned address. Put it there, as its authors give it out, or take "
                "another part."
            )
        both = [(raw / file).read_bytes() for file in names]
    sides = [_lines(raw / file, content) for file, content in zip(names, both, strict=True)]
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"{owner}: {names[0]} and {names[1]} must have as many lines, but have "
            f"{len(sides[0]):,} and {len(sides[1]):,}. Use the two files of one version."
        )
    pairs = []
    for number, (code, comment) in enumerate(zip(*sides, strict=True), 1):
        try:
            source, said = published.read(code, comment)
        except ValueError as error:
            raise ValueError(
                f"{owner}: line {number} of {names[0]} and of {names[1]} must belong together, but "
                f"they are {error}. Use the two files of one version."
            ) from None
        pairs.append(Pair(source, said, f"{names[0]}:{number}"))
    return pairs


def _lines(path: Path, content: bytes) -> list[str]:
    """Return the lines of a file, which end at a newline and nowhere else."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    try:
        return [line.decode("utf-8") for line in lines]
    except UnicodeDecodeError as error:
        raise ValueError(
            f"CodeSummaries: {path} must be UTF-8, but is not ({error}). Convert it first."
        ) from None
