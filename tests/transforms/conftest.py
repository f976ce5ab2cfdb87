import pytest

from tgraph_attn.convert import tree_to_data
from tgraph_attn.tree import Tree


@pytest.fixture
def graphs():
    """Four trees: a small one, two lone nodes, and one whose relations have as many edges."""
    parents = ([-1, 0, 1, 1, 0], [-1], [-1], [-1, 0, 1, 1, 0])
    return [tree_to_data(Tree(parent)) for parent in parents]


@pytest.fixture
def edges_of():
    """The edges of one relation as a list of (key, query, type), in the order written."""

    def as_list(data, name):
        data.validate()
        edge_index, edge_type = data[f"{name}_edge_index"], data[f"{name}_edge_type"]
        return list(zip(*edge_index.tolist(), edge_type.tolist(), strict=True))

    return as_list
