"""What each kind of node of a grammar is to us, as tables to look up by its number."""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Language

NEVER, IF_ALONE, IF_NEW, IF_FIELD, ALWAYS, NAMED = range(6)
ERROR_KIND = 65_535  # the number that tree-sitter gives to ERROR in each grammar

_PUNCTUATION = frozenset(",;:.\\$") | {""}
_SIGNS_IF_FIELD = frozenset(["=>", "->", "<", ">", "|", "::", "@"])
_IF_NEW = frozenset(["class", "namespace", "struct", "type"])
_IF_ALONE = frozenset(
    "= as assert break case catch continue def defer del do elif else enum except extends "
    "finally fn for func function global go goto if impl implements import interface lambda match "
    "nonlocal package pass raise return switch throw throws trait try use "
    "using where while with yield".split()
)
_WORDS_ALWAYS = frozenset(
    # modifiers, and words that a node of that kind may have or not
    "abstract accessor async auto await chan const constexpr declare default final from get inline "
    "long move mut native of open override private protected public readonly register sealed set "
    "short signed static strictfp synchronized transient unsafe unsigned virtual volatile "
    # operators, in the grammars that give them no field
    "and andalso div instanceof is mod not or orelse rem shl shr xor".split()
) | {"not in", "is not", "#ifdef", "#ifndef", "#elifdef", "#elifndef"}
_TEXTLESS = frozenset("char character comment escape heredoc regex rune string template".split())
_TEXTLESS_KINDS = frozenset(["jsx_text", "raw_text", "format_specifier", "hash_bang_line"])
_NUMBER_KINDS = frozenset(
    "decimal float floating imaginary int integer number numeric real".split()
)
_NUMBER_WORDS = _NUMBER_KINDS | frozenset(
    "bin binary complex double hex long oct octal point rational short signed unsigned".split()
)

NUMBER = "NUM"  # what stands for each number where numbers are marked


@dataclass(frozen=True)
class KindTables:
    """Tables for one grammar; all but `name` are indexed by any number from 0 to 65,535.

    Attributes:
        name: The name of each kind, with "ERROR" as the last; index it through `row`.
        row: The row of `name` for each number.
        role: NAMED for nodes that stay nodes; for the others, whether they become text of their
            parent: NEVER, IF_ALONE (if it has no children), IF_NEW (also if its kind does not say
            the word), IF_FIELD (also if the grammar gives
            them a field there) or ALWAYS.
        comment: Whether it is a comment, or only a break of a line.
        textless: Whether its text is that of a string, a character or a comment.
        number: Whether it is a number.
    """

    name: NDArray[np.object_]
    row: NDArray[np.int32]
    role: bytes
    comment: NDArray[np.bool_]
    textless: NDArray[np.bool_]
    number: NDArray[np.bool_]


def is_comment(kind: str) -> bool:
    """Whether nodes of this kind are comments, or only a break of a line."""
    return kind.endswith("comment") or kind == "line_continuation"


def is_textless(kind: str) -> bool:
    """Whether the source of such nodes is free text: of a string, a character or a comment."""
    words = kind.split("_")
    if kind in _TEXTLESS_KINDS or is_comment(kind):
        return True
    return not _TEXTLESS.isdisjoint(words) and words[-1] not in ("identifier", "type")


def is_number(kind: str) -> bool:
    """Whether nodes of this kind are numbers, in the source of a program or in JSON.

    What they say does not count: `inf` and `nan` are identifiers.
    """
    words = kind.split("_")
    if words[-1] in ("literal", "value", "scalar"):
        return len(words) > 1 and _NUMBER_WORDS.issuperset(words[:-1])
    return _NUMBER_WORDS.issuperset(words) and not _NUMBER_KINDS.isdisjoint(words)


def token_role(token: str) -> int:
    """Return what becomes of a node that is not named.

    Brackets, quotes and separators are never text; words such as `static`, and operators, always
    are; a few ambiguous signs and most words are if the grammar gives them a field, so that `in`
    counts as an operator, but not in the head of a for loop; a few words are unless the kind says
    them, so that `class` counts in an `enum_specifier`, but not in a `class_definition`; words
    that open a statement are only where there is nothing else, as in `return` without a value.
    """
    if token in ("()", "[]"):  # the names of C++ operators
        return ALWAYS
    if token in _PUNCTUATION or re.search(r"[\"'`\t\n()\[\]{}]", token):
        return NEVER
    if token in _WORDS_ALWAYS:
        return ALWAYS
    if token in _IF_NEW:
        return IF_NEW
    if token in _IF_ALONE:
        return IF_ALONE
    return IF_FIELD if token in _SIGNS_IF_FIELD or re.match(r"#?\w", token) else ALWAYS


@lru_cache(maxsize=64)
def kind_tables(language: Language) -> KindTables:
    """Return the tables of a grammar."""
    numbers = range(language.node_kind_count)
    names = [language.node_kind_for_id(number) or "" for number in numbers] + ["ERROR"]
    named = [language.node_kind_is_named(number) for number in numbers] + [True]
    row = np.zeros(ERROR_KIND + 1, np.int32)
    row[: len(numbers)] = numbers
    row[ERROR_KIND] = len(numbers)
    pairs = list(zip(names, named, strict=True))
    return KindTables(
        name=np.array(names, object),
        row=row,
        role=np.array([NAMED if n else token_role(k) for k, n in pairs], np.uint8)[row].tobytes(),
        comment=np.array([n and is_comment(k) for k, n in pairs])[row],
        textless=np.array([is_textless(k) for k in names])[row],
        number=np.array([n and is_number(k) for k, n in pairs])[row],
    )
