"""The tree of a program in C or C++, as POJ104 has it."""

from tgraph_attn._checks import check_choice, check_type
from tgraph_attn.datasets._programs.structure_only import structure_only
from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.tree import Tree

TASKS = ("full", "structure")


def program_tree(source: str | bytes, task: str = "full") -> Tree:
    """Return the tree of a program in C or C++, as `POJ104` makes it before it is cut.

    Identifiers are one node each. With "structure" their text is left out, and that of literals,
    header names and what a macro stands for; kinds of nodes, operators, keywords and primitive
    types stay. Another language gives a tree, too: `tree.num_errors` tells.

    Args:
        source: The program; bytes are read as UTF-8, and what is not is replaced.
        task: "full" or "structure", the same as that of the data set.

    Raises:
        ValueError: task is unknown.
        TypeError: source is no str or bytes.
        ImportError: tree-sitter-cpp is not installed.

    Examples:
        >>> from tgraph_attn.datasets import program_tree
        >>> program_tree("total += 3;").labels[2:]
        ['assignment_expression +=', 'identifier total', 'number_literal 3']
        >>> program_tree("total += 3;", "structure").labels[2:]
        ['assignment_expression +=', 'identifier', 'number_literal']
    """
    check_choice("program_tree", "task", task, TASKS)
    check_type("program_tree", "source", source, (str, bytes), "Read a file: path.read_bytes().")
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    tree = parse_code(text, "cpp", subtokens="off", strings="keep")
    return structure_only(tree) if task == "structure" else tree
