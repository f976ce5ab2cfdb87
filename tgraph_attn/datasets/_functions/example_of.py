"""From a function and its comment to what a model sees."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from tgraph_attn.datasets._functions.code_tokens import code_tokens
from tgraph_attn.datasets._functions.pair import Pair
from tgraph_attn.linearize.bracket_tokens import bracket_tokens
from tgraph_attn.linearize.comment_words import comment_words
from tgraph_attn.linearize.cut_tree import cut_tree
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.tree import Tree


class FunctionExample(NamedTuple):
    """One function to learn from.

    Attributes:
        tree: Its tree, or for a sequence None.
        tokens: The labels of the tree's nodes, or the tokens of the sequence.
        words: The words to say of it.
        origin: Where it is.
        is_faulty: Whether the parser had to guess.
        is_truncated: Whether some of it was cut off.
    """

    tree: Tree | None
    tokens: list[str]
    words: list[str]
    origin: str
    is_faulty: bool
    is_truncated: bool

    @property
    def content(self) -> bytes:
        """The same bytes for functions that a model can't tell apart."""
        together = hashlib.sha256("\0".join(self.tokens).encode("utf-8", "surrogatepass"))
        if self.tree is not None:
            together.update(b"\0" + self.tree.parent.tobytes())
        return together.digest()


def example_of(pair: Pair, language: str, settings: Mapping[str, Any]) -> FunctionExample | str:
    """Return what a model sees of a function, or why it is left out."""
    words = pair.comment.split()
    if settings["comment"] == "rules":
        words = comment_words(" ".join(words))
    if not words:
        return "no word in the comment"
    if not pair.source.strip():
        return "empty source"
    tree = parse_code(
        pair.source,
        language,
        snippet=language == "java",
        subtokens=settings["subtokens"],
        strings=settings["strings"],
    )
    is_faulty = len(tree.faults) > 0
    if is_faulty and settings["errors"] == "drop":
        return "syntax errors"
    largest = settings["max_nodes"]
    if settings["form"] == "tree":
        whole = _function(tree)
        cut = cut_tree(whole, largest, reverse_root=settings["reverse_root"])
        is_truncated = cut.num_nodes < whole.num_nodes
        return FunctionExample(cut, cut.labels, words, pair.origin, is_faulty, is_truncated)
    tokens = code_tokens(pair.source) if settings["form"] == "code" else bracket_tokens(tree)
    is_truncated = len(tokens) > largest
    return FunctionExample(None, tokens[:largest], words, pair.origin, is_faulty, is_truncated)


def _function(tree: Tree) -> Tree:
    """Return the tree without its root, the file, if that holds one thing alone."""
    return tree.subtree(1) if int((tree.parent == 0).sum()) == 1 else tree
