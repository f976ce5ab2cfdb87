"""Some paths of a tree, in a row, as a model of sequences reads them."""

import numpy as np

from tgraph_attn.linearize.path_context import PathContext
from tgraph_attn.linearize.path_contexts import path_contexts
from tgraph_attn.tree import Tree

PATH = "<path>"
MAX_PATHS, MAX_WORDS, MAX_LENGTH, MAX_WIDTH = 150, 5, 8, 2


def path_tokens(tree: Tree, max_tokens: int, seed: int) -> tuple[list[str], bool]:
    """Return the tokens of some of a tree's paths, at most so many, and whether others are left.

    The paths are those of `path_contexts` with up to 8 nodes, one arm at most 2 longer than the
    other. Up to 150 are drawn, each with the same chance, and of these as many, in the order in
    which they were drawn, as there is room for. Then they stand in the order of the tree, each one
    as `<path>`, up to 5 words of its first leaf, the labels of its nodes, and up to 5 words of its
    last leaf. Words have the labels that they have in a tree, such as "subtoken size". If there is
    no room for one path, its first tokens are returned. A tree without a path is `<path>` alone.

    Examples:
        >>> from tgraph_attn.parse import parse_code
        >>> tokens, _ = path_tokens(parse_code("maxSize = 1", "python"), 20, seed=0)
        >>> print(", ".join(tokens))
        <path>, subtoken max, subtoken size, identifier, assignment, integer, subtoken 1
    """
    # One more than is read, so that a tree with more is told from one with just as many.
    pieces = [_piece(context) for context in _contexts(tree, MAX_PATHS + 1, seed)] or [[PATH]]
    order = np.random.default_rng(seed).permutation(len(pieces))[:MAX_PATHS]
    total = np.cumsum([len(pieces[number]) for number in order])
    fits = max(int(np.searchsorted(total, max_tokens, side="right")), 1)
    tokens = [token for number in sorted(order[:fits]) for token in pieces[number]]
    return tokens[:max_tokens], fits < len(pieces) or len(tokens) > max_tokens


def has_path(tree: Tree) -> bool:
    """Whether the tree has a path of those that `path_tokens` reads."""
    return len(_contexts(tree, 1, seed=0)) > 0


def _contexts(tree: Tree, max_paths: int, seed: int) -> list[PathContext]:
    return path_contexts(
        tree, max_length=MAX_LENGTH, max_width=MAX_WIDTH, max_paths=max_paths, seed=seed
    )


def _piece(context: PathContext) -> list[str]:
    start, end = (
        [f"subtoken {word}" for word in words[:MAX_WORDS]] for words in (context.start, context.end)
    )
    return [PATH, *start, *context.path, *end]
