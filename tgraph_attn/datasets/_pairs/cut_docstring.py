"""The source of a Python function without its docstring, and the docstring."""

from tgraph_attn.datasets._functions.find_functions import docstring_of
from tgraph_attn.tree import Tree


def cut_docstring(
    tree: Tree, row: int, source: str, end: int, *, bare: bool = False
) -> tuple[str, str] | str:
    """Return the source of a function up to end, without its docstring, and the docstring.

    The docstring's line goes with it, unless something else is in it. Spaces before the function
    in its own line stay.

    Args:
        tree: A tree of the source, from `parse_code(source, "python", subtokens="off",
            strings="keep")`.
        row: That of the function in it.
        source: The text of the tree.
        end: Where to end, in characters: behind the function.
        bare: Whether a function may be left without a body.

    Returns:
        Both; or why there is nothing to say: "no docstring", or "no body", if all that the function
        has is a docstring.
    """
    first, behind, docstring = docstring_of(tree, row, source)
    if docstring is None:
        return "no docstring"
    body = int(tree.children(row)[-1])
    if not bare and behind - first == int(tree.subtree_size[body]) - 1:
        return "no body"
    cut, after = tree.span[first].tolist()
    begin = int(tree.span[row, 0])
    line = source.rfind("\n", 0, begin) + 1
    if not source[line:begin].strip():
        begin = line
    head, tail = source[begin:cut], source[after:end].lstrip(" \t;")
    if tail.startswith("\n"):
        head = head.rstrip(" \t")
        tail = tail[1:] if head.endswith("\n") else tail
    return head + tail, docstring
