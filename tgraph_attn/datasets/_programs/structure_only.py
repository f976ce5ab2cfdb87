"""A program without its names and values."""

import numpy as np

from tgraph_attn.tree import Tree

# Leaves whose text is no keyword, operator or primitive type, beside those that name something.
_VALUES = frozenset(
    [
        "ERROR",
        "char_literal",
        "character",
        "comment",
        "escape_sequence",
        "literal_suffix",
        "number_literal",
        "preproc_arg",
        "raw_string_content",
        "raw_string_delimiter",
        "string_content",
        "string_literal",
        "system_lib_string",
    ]
)


def structure_only(tree: Tree) -> Tree:
    """Return the tree without the text of identifiers and literals, whose nodes stay.

    What is left: the kinds of nodes, operators, keywords, and primitive types.

    Args:
        tree: A tree of C or C++, from `parse_code(source, "cpp", subtokens="off")`.
    """
    hidden = {kind: kind in _VALUES or kind.endswith("identifier") for kind in set(tree.kind)}
    mask = np.fromiter(map(hidden.__getitem__, tree.kind), np.bool_, tree.num_nodes)
    text = tree.text.copy()
    text[mask] = None
    return Tree(tree.parent, tree.kind, text, tree.span, tree.source, faults=tree.faults)
