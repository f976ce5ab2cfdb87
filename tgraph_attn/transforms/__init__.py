"""Transforms of PyG that add relations to a `Data` or a `Batch`; and raw text to such a `Data`."""

from tgraph_attn.transforms.add_ancestor_edges import AddAncestorEdges
from tgraph_attn.transforms.add_sibling_edges import AddSiblingEdges
from tgraph_attn.transforms.add_path_level_edges import AddPathLevelEdges
from tgraph_attn.transforms.add_window_edges import AddWindowEdges
from tgraph_attn.transforms.add_full_edges import AddFullEdges
from tgraph_attn.transforms.add_pmi_edges import AddPMIEdges
from tgraph_attn.transforms.add_tfidf_edges import AddTFIDFEdges
from tgraph_attn.transforms.add_neighbour_edges import AddNeighbourEdges
from tgraph_attn.transforms.add_dependency_edges import AddDependencyEdges
from tgraph_attn.transforms.document_graph import DocumentGraph

__all__ = [
    "AddAncestorEdges",
    "AddSiblingEdges",
    "AddPathLevelEdges",
    "AddWindowEdges",
    "AddFullEdges",
    "AddPMIEdges",
    "AddTFIDFEdges",
    "AddNeighbourEdges",
    "AddDependencyEdges",
    "DocumentGraph",
]
