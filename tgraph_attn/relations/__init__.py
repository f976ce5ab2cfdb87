"""Typed edges between the nodes of trees: numpy in, numpy out, in linear time."""

from tgraph_attn.relations.ancestor_edges import ancestor_edges
from tgraph_attn.relations.sibling_edges import sibling_edges
from tgraph_attn.relations.path_level_edges import path_level_edges
from tgraph_attn.relations.window_edges import window_edges
from tgraph_attn.relations.num_types import path_level_num_types, signed_num_types

__all__ = [
    "ancestor_edges",
    "sibling_edges",
    "path_level_edges",
    "window_edges",
    "signed_num_types",
    "path_level_num_types",
]
