from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import Tensor

from tgraph_attn.relations import ancestor_edges, sibling_edges


@dataclass
class Forest:
    """Trees one after the other, with ancestor and sibling edges up to distance 2."""

    parents: list[list[int]]
    self_edges: bool = True

    def __post_init__(self):
        sizes = [len(parent) for parent in self.parents]
        starts = np.cumsum([0, *sizes[:-1]])
        shifted = [
            [p if p < 0 else p + s for p in t] for t, s in zip(self.parents, starts, strict=True)
        ]
        parent = np.array([p for tree in shifted for p in tree])
        self.num_nodes = len(parent)
        self.batch = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
        self.edges = {}
        for name, relation in (("ancestor", ancestor_edges), ("sibling", sibling_edges)):
            index, types = relation(parent, 2, self_edges=self.self_edges)
            self.edges[name] = (torch.from_numpy(index), torch.from_numpy(types), None)

    def renamed(self, place: Tensor) -> "Forest":
        """The same trees, with node n called place[n]."""
        other = Forest(self.parents, self.self_edges)
        other.edges = {
            k: (place[index], types, None) for k, (index, types, _) in self.edges.items()
        }
        return other


TREE = [-1, 0, 1, 1, 0, 4, 4, 4]


@pytest.fixture
def forest():
    """How to make a forest of given trees, by default of one small tree."""
    return lambda *parents, self_edges=True: Forest(list(parents) or [TREE], self_edges)
