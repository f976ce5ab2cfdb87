"""A tree from the source of a program."""

from typing import NoReturn

import numpy as np
from tree_sitter import Language

from tgraph_attn._checks import check_choice
from tgraph_attn.parse._code.faults import MISSING, Fault, find_faults
from tgraph_attn.parse._code.grammars import get_language, get_parser
from tgraph_attn.parse._code.kind_tables import kind_tables
from tgraph_attn.parse._code.source_text import encode, read_source, to_characters
from tgraph_attn.parse._code.texts import node_texts
from tgraph_attn.parse._code.walk import walk
from tgraph_attn.parse.add_subtokens import add_subtokens
from tgraph_attn.parse.parse_error import ParseError
from tgraph_attn.tree import Tree


def parse_code(
    source: str | bytes,
    language: str | Language,
    *,
    errors: str = "keep",
    comments: str = "drop",
    subtokens: str = "children",
    strings: str = "drop",
    numbers: str = "keep",
    snippet: bool = False,
) -> Tree:
    r"""Return the concrete syntax tree of a program, as tree-sitter parses it.

    Nodes are tree-sitter's named nodes. Of the others, such as `+`, `(` and `static`, those that
    tell two programs apart become `text` of their parent: operators (what the grammar gives a
    field, and signs that are no brackets, quotes or separators), a fixed list of modifiers, and
    all words of a node without children of its own. So `a + b` and `a - b` differ. The text of a
    leaf is its source; a leaf without any, such as the body of a function that is not there, stays
    and has none.

    Source that is not valid gives a tree, too, with nodes of kind "ERROR" and made-up ones;
    `num_errors` and `num_missing` count them. A mark of the byte order is no part of any text, and
    nor is the carriage return at the end of a comment.

    Args:
        source: The program; bytes are read as UTF-8.
        language: "python", "java", "c", "cpp", "javascript", "typescript", "tsx", "go" or "rust",
            or an alias such as "js", or any other tree-sitter grammar.
        errors: "keep" them, or "raise" the first one as a ParseError.
        comments: "drop" them before anything else is made of the tree, or "keep" them.
        subtokens: Identifiers become "children", their words, or a "chain" of them, as
            `add_subtokens` says; "off" leaves them their text.
        strings: "drop" the text of strings, characters and comments, which would fill a
            vocabulary, but keep their nodes, also those inside an f-string; or "keep" it. An ERROR
            without children, which may be the rest of the file behind a quote, is treated alike.
        numbers: "keep" the text of numbers as it is written, "drop" it, or "mark" it: "NUM".
        snippet: The source is members of a Java class, such as one method or constructor, alone.
            The class that they are parsed in leaves no trace in the tree; a source that ends it and
            goes on behind is not valid.

    Returns:
        The tree. Its `span` counts characters of source, and `source` numbers the named nodes
        of the grammar that were kept.

    Raises:
        ParseError: errors is "raise" and source is not valid, or bytes are not UTF-8.
        ValueError: An option, or the language, is unknown, a grammar does not fit the tree-sitter
            that is installed, or snippet is set for another language than Java.
        ImportError: The grammar is not installed.

    Examples:
        >>> from tgraph_attn.parse import parse_code
        >>> print(parse_code("total += maxSize", "python"))
        module
          expression_statement
            augmented_assignment '+='
              identifier
                subtoken 'total'
              identifier
                subtoken 'max'
                subtoken 'size'
    """
    check_choice("parse_code", "errors", errors, ("keep", "raise"))
    check_choice("parse_code", "comments", comments, ("drop", "keep"))
    check_choice("parse_code", "subtokens", subtokens, ("children", "chain", "off"))
    check_choice("parse_code", "strings", strings, ("drop", "keep"))
    check_choice("parse_code", "numbers", numbers, ("keep", "drop", "mark"))
    grammar = get_language(language)
    text = read_source("parse_code", source)
    before, behind = "", ""
    parsed = text
    if snippet:
        before, behind = _wrapper(grammar, language)
        parsed = before + (" " + text[1:] if text.startswith("\ufeff") else text) + behind
    data = encode(parsed)
    root = get_parser(grammar).parse(data).root_node
    tables = kind_tables(grammar)
    faults = find_faults(root, tables.role)
    if snippet and not faults and (end := root.children[0].end_byte) < len(data):
        faults = [Fault(0, MISSING, end - 1, "{")]  # this brace ends the class: it has no other one
    if faults and errors == "raise":
        _raise_fault(faults[0], data, text, len(before))
    nodes = walk(root, tables, drop_comments=comments == "drop", skip_bytes=len(before))

    position = np.stack((nodes.begin, nodes.end), axis=1)
    if b"\r" in data:
        last = np.frombuffer(data, np.uint8)[position[:, 1] - 1]
        position[:, 1] -= nodes.is_leaf & (position[:, 0] < position[:, 1]) & (last == 13)
    span = to_characters(data, position, len(parsed))
    if snippet:
        span = (span - len(before)).clip(0, len(text))
        span[0] = len(text) - len(text.lstrip()), len(text)
    keep_strings = strings == "keep"
    texts = node_texts(nodes, tables, text, span, keep_strings=keep_strings, numbers=numbers)
    texts[nodes.begin < len(before)] = None  # the wrapper's words
    tree = Tree(
        nodes.parent,
        tables.name[tables.row[nodes.kind]],
        texts,
        span,
        faults=[(max(int(nodes.new_row[f.row]), 0), f.what) for f in faults] or None,
    )
    return add_subtokens(tree, subtokens)


def _wrapper(grammar: Language, language: str | Language) -> tuple[str, str]:
    """Return what makes a program of a member of a class, before and behind it."""
    if grammar != get_language("java"):
        raise ValueError(
            f"parse_code: snippet=True is for members of a Java class, but the language is "
            f"{language!r}. Leave it out: the other grammars take a function as it is."
        )
    return "class A{", "\n}"


def _raise_fault(fault: Fault, data: bytes, text: str, before: int) -> NoReturn:
    """Raise the ParseError for one place where source is not valid."""
    begin = len(data[: fault.begin].decode("utf-8", "replace")) - before
    begin = min(max(begin, 0), len(text))
    what = f"{fault.kind!r} is missing" if fault.what == MISSING else "it cannot be read"
    where = f"at {text[begin : begin + 20]!r}" if begin < len(text) else "at the end"
    raise ParseError.at(
        f"parse_code: source must follow the grammar, but {what} {where}. "
        "Correct it, or pass errors='keep' to get a tree all the same",
        text,
        begin,
    )
