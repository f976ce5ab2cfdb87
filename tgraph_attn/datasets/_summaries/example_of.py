"""From a function and its comment to what a model sees."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._summaries.code_tokens import code_tokens
from tgraph_attn.datasets._summaries.path_tokens import has_path, path_tokens
from tgraph_attn.linearize.bracket_tokens import bracket_tokens
from tgraph_attn.linearize.cut_tree import cut_tree
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.tree import Tree

_DEFAULT = {"subtokens": "children", "strings": "drop", "numbers": "keep"}


class FunctionExample(NamedTuple):
    """One function to learn from.

    Attributes:
        tree: Its tree, or for a sequence None.
        tokens: The labels of the tree's nodes, or the tokens of the sequence.
        words: The words to say of it.
        origin: Where it is.
        content: The same bytes for functions with the same tree, before it is cut, and the same
            names, whatever their decorators, strings, comments and layout, and in each form.
        is_faulty: Whether the parser had to guess, anywhere in the source.
        is_truncated: Whether some of it was cut off.
    """

    tree: Tree | None
    tokens: list[str]
    words: list[str]
    origin: str
    content: bytes
    is_faulty: bool
    is_truncated: bool


def example_of(
    pair: Pair, language: str, settings: Mapping[str, Any], words_of: Callable[[str], list[str]]
) -> FunctionExample | str:
    """Return what a model sees of a function, or why it is left out.

    Args:
        pair: The function and what is said of it.
        language: That of the function.
        settings: Those of `CodeSummaries`, of the same names.
        words_of: What makes words of the comment.
    """
    words = words_of(pair.comment)
    if not words:
        return "no word in the comment"
    parsed = _parse(pair.source, language, _DEFAULT)
    is_faulty = len(parsed.faults) > 0
    if is_faulty and settings["errors"] == "drop":
        return "syntax errors"
    default = parsed.subtree(_function(parsed))
    if default.num_nodes == 1:
        return "not readable" if is_faulty else "empty source"
    if settings["without_path"] == "drop" and not has_path(default):
        return "without a path"
    switches = {name: settings[name] for name in _DEFAULT}
    whole = default
    if switches != _DEFAULT:
        other = _parse(pair.source, language, switches)
        whole = other.subtree(_function(other))
    largest, reverse_root = settings["max_nodes"], settings["reverse_root"]
    tree: Tree | None = None
    if settings["form"] == "tree":
        tree = cut_tree(whole, largest, reverse_root=reverse_root)
        tokens, is_truncated = tree.labels, tree.num_nodes < whole.num_nodes
    elif settings["form"] == "paths":
        tokens, is_truncated = path_tokens(whole, largest, settings["path_seed"])
    else:
        if settings["form"] == "code":
            tokens = code_tokens(pair.source[default.span[0, 0] :], language, **switches)
        else:
            tokens = _brackets(whole, largest, reverse_root)
        tokens, is_truncated = tokens[:largest], len(tokens) > largest
    return FunctionExample(
        tree, tokens, words, pair.origin, _content(default), is_faulty, is_truncated
    )


def _parse(source: str, language: str, switches: Mapping[str, str]) -> Tree:
    return parse_code(
        source,
        language,
        snippet=language == "java",
        subtokens=switches["subtokens"],
        strings=switches["strings"],
        numbers=switches["numbers"],
    )


def _function(tree: Tree) -> int:
    """Return the row of the one thing that a file holds, without its decorators; else 0."""
    if tree.num_nodes == 1 or tree.subtree_size[1] < tree.num_nodes - 1:
        return 0
    return int(tree.children(1)[-1]) if tree.kind[1] == "decorated_definition" else 1


def _brackets(tree: Tree, largest: int, reverse_root: str) -> list[str]:
    """Return all the tokens, with the root's children turned round if that is asked for."""
    if reverse_root == "truncated":
        reverse_root = "always" if 4 * tree.num_nodes > largest else "never"
    return bracket_tokens(cut_tree(tree, tree.num_nodes, reverse_root=reverse_root))


def _content(tree: Tree) -> bytes:
    together = hashlib.sha256("\0".join(tree.labels).encode("utf-8", "surrogatepass"))
    together.update(b"\0" + tree.parent.tobytes())
    return together.digest()
