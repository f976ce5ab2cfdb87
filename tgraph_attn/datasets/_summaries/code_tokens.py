"""The tokens of a program, as a model of sequences reads it."""

import re

import numpy as np

from tgraph_attn.parse._code.kind_tables import NUMBER, is_comment, is_number, is_textless
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.parse.split_identifier import split_identifier

_TOKEN = re.compile(r"(?P<word>[^\W\d]\w*)|\d[\w.]*|[^\w\s]")
_QUOTE = re.compile("[\"'`]")
STRING, ANY_NUMBER = "<string>", "<number>"


def code_tokens(
    source: str,
    language: str,
    *,
    subtokens: str = "children",
    strings: str = "drop",
    numbers: str = "keep",
) -> list[str]:
    """Return the words of names and keywords, numbers, and signs one by one; no comments.

    What is a string, a number or a comment is told by the tree of the source, so that no word of a
    text gets among those of the code. A string is one token, whatever is in it.

    Args:
        source: The program.
        language: As `parse_code` names it; of Java, members of a class alone.
        subtokens: "off" leaves names in one piece; else they are split.
        strings: "drop" what they say, then each is `<string>`, or "keep" it as it is written.
        numbers: "keep" them as they are written, "drop" them, then each is `<number>`, or "mark"
            them: "NUM".

    Examples:
        >>> code_tokens('return maxSize + "a b"  # why', "python")
        ['return', 'max', 'size', '+', '<string>']
    """
    tree = parse_code(
        source,
        language,
        subtokens="off",
        strings="keep",
        comments="keep",
        snippet=language == "java",
    )
    kinds = {kind: _meaning(kind) for kind in set(tree.kind.tolist())}
    rows = np.flatnonzero([kinds[kind] != "" for kind in tree.kind.tolist()])
    tokens: list[str] = []
    end = 0
    for row in rows.tolist():
        begin, behind = tree.span[row].tolist()
        if begin < end or begin == behind:  # inside of another one, or made up
            continue
        meaning, said = kinds[tree.kind[row]], source[begin:behind]
        if meaning == "error" and (tree.subtree_size[row] > 1 or not _QUOTE.search(said)):
            continue
        tokens += _words(source[end:begin], subtokens)
        end = behind
        if meaning in ("string", "error"):
            tokens.append(said if strings == "keep" else STRING)
        elif meaning == "number":
            tokens.append({"keep": said, "drop": ANY_NUMBER, "mark": NUMBER}[numbers])
    return tokens + _words(source[end:], subtokens)


def _meaning(kind: str) -> str:
    if kind == "ERROR":  # without children, it may be all that is behind a quote
        return "error"
    if is_comment(kind):
        return "comment"
    if is_number(kind):
        return "number"
    # a template of C++ is code, that of a string is not
    is_text = is_textless(kind) and (not kind.startswith("template") or kind == "template_string")
    return "string" if is_text else ""


def _words(text: str, subtokens: str) -> list[str]:
    tokens: list[str] = []
    for found in _TOKEN.finditer(text):
        if found.lastgroup == "word" and subtokens != "off":
            tokens += split_identifier(found[0])
        else:
            tokens.append(found[0])
    return tokens
