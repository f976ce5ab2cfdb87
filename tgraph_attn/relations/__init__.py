"""Typed and weighted edges between nodes: numpy in, numpy out.

The first ones join the nodes of trees, in linear time; those after `WordStatistics` join the words
of texts.
"""

from tgraph_attn.relations.ancestor_edges import ancestor_edges
from tgraph_attn.relations.sibling_edges import sibling_edges
from tgraph_attn.relations.path_level_edges import path_level_edges
from tgraph_attn.relations.window_edges import window_edges
from tgraph_attn.relations.num_types import path_level_num_types, signed_num_types
from tgraph_attn.relations.word_statistics import WordStatistics
from tgraph_attn.relations.pmi_edges import pmi_edges
from tgraph_attn.relations.tfidf_edges import tfidf_edges
from tgraph_attn.relations.neighbour_edges import neighbour_edges
from tgraph_attn.relations.dependency_edges import dependency_edges

__all__ = [
    "ancestor_edges",
    "sibling_edges",
    "path_level_edges",
    "window_edges",
    "signed_num_types",
    "path_level_num_types",
    "WordStatistics",
    "pmi_edges",
    "tfidf_edges",
    "neighbour_edges",
    "dependency_edges",
]
