"""From trees and texts to PyG `Data` and back, and how layers read the relations of a `Data`."""

from tgraph_attn.convert.tree_to_data import tree_to_data
from tgraph_attn.convert.data_to_tree import data_to_tree
from tgraph_attn.convert.text_to_data import text_to_data
from tgraph_attn.convert.corpus_graph import corpus_graph
from tgraph_attn.convert.parent_of import parent_of
from tgraph_attn.convert.relation_edges import relation_edges

__all__ = [
    "tree_to_data",
    "data_to_tree",
    "text_to_data",
    "corpus_graph",
    "parent_of",
    "relation_edges",
]
