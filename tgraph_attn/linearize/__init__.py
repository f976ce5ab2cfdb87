"""From a tree to what models of sequences and of paths read, and the words of a comment."""

from tgraph_attn.linearize.preorder_tokens import preorder_tokens
from tgraph_attn.linearize.bracket_tokens import bracket_tokens
from tgraph_attn.linearize.tree_of_brackets import tree_of_brackets
from tgraph_attn.linearize.path_contexts import path_contexts
from tgraph_attn.linearize.path_context import PathContext
from tgraph_attn.linearize.cut_tree import cut_tree
from tgraph_attn.linearize.comment_words import comment_words

__all__ = [
    "preorder_tokens",
    "bracket_tokens",
    "tree_of_brackets",
    "path_contexts",
    "PathContext",
    "cut_tree",
    "comment_words",
]
