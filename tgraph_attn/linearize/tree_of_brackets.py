"""The way back from labels between brackets."""

from collections.abc import Iterable
from typing import NoReturn

from tgraph_attn._checks import check_type
from tgraph_attn.tree import Tree


def tree_of_brackets(tokens: Iterable[str]) -> Tree:
    """Return the tree that `bracket_tokens` wrote.

    A label becomes kind and text at its first space; one without a space, or which begins with
    one, is a kind alone. So parents and labels are always those of the tree that was written, and
    kind and text are, too, if each of its nodes has a kind without a space: so do all trees of
    `parse_code`, `parse_json`, `parse_nested` and `parse_xml`. Spans, sources and faults are not in
    the tokens.

    Args:
        tokens: A bracket, a label, a bracket, a label, and so on.

    Raises:
        ValueError: There is no token, a bracket is missing, or closes another label than the one
            that is open, or something follows the root.
        TypeError: A token is no str, or tokens is one str, whose tokens would be its characters.

    Examples:
        >>> from tgraph_attn.linearize import tree_of_brackets
        >>> tokens = ["(", "sum", "(", "name x", ")", "name x", ")", "sum"]
        >>> print(tree_of_brackets(tokens))
        sum
          name 'x'
    """
    if isinstance(tokens, str):
        raise TypeError(
            "tree_of_brackets: tokens must be a series of brackets and labels, but got one str, "
            f"{tokens[:20]!r}. Split it first, at what it was joined with."
        )
    parent: list[int] = []
    labels: list[str] = []
    path: list[int] = []
    bracket, place = "", -1
    for place, token in enumerate(tokens):
        check_type("tree_of_brackets", f"token {place}", token, str, "Decode ids first.")
        if place % 2 == 0:
            if token not in ("(", ")"):
                _fail("'(' or ')'", place, repr(token), "Every second token is a bracket")
            if place and not path:
                _fail("the end, as the root is closed", place, repr(token), "Read tree by tree")
            if not place and token == ")":
                _fail("'('", place, "')'", "Begin with the root")
            bracket = token
        elif bracket == "(":
            parent.append(path[-1] if path else -1)
            path.append(len(labels))
            labels.append(token)
        elif token != labels[path[-1]]:
            want = repr(labels[path[-1]])
            _fail(want, place, repr(token), "A label is closed before the one around it")
        else:
            path.pop()
    if place < 0 or place % 2 == 0:
        want = "a label" if bracket else "'('"
        _fail(want, place + 1, "the end", "Pass whole trees: tokens are cut off")
    if path:
        want = f"')' and {labels[path[-1]]!r}"
        _fail(want, place + 1, "the end", "Cut the tree, not its tokens: cut_tree(tree, max_nodes)")
    pairs = [_kind_and_text(label) for label in labels]
    return Tree(parent, [kind for kind, _ in pairs], [text for _, text in pairs])


def _kind_and_text(label: str) -> tuple[str, str | None]:
    kind, space, text = label.partition(" ")
    return (kind, text) if kind and space else (label, None)


def _fail(want: str, place: int, got: str, hint: str) -> NoReturn:
    raise ValueError(
        f"tree_of_brackets: token {place} must be {want}, but is {got}. {hint}; "
        "bracket_tokens(tree) writes them so."
    )
