"""Transforms of PyG that add typed relations to a `Data` or a `Batch`."""

from tgraph_attn.transforms.add_ancestor_edges import AddAncestorEdges
from tgraph_attn.transforms.add_sibling_edges import AddSiblingEdges
from tgraph_attn.transforms.add_path_level_edges import AddPathLevelEdges
from tgraph_attn.transforms.add_window_edges import AddWindowEdges
from tgraph_attn.transforms.add_full_edges import AddFullEdges

__all__ = [
    "AddAncestorEdges",
    "AddSiblingEdges",
    "AddPathLevelEdges",
    "AddWindowEdges",
    "AddFullEdges",
]
