import numpy as np
import pytest


@pytest.fixture
def forests() -> list[list[int]]:
    """Random forests in pre-order: bushy, deep and flat ones, up to 40 nodes."""
    draw = np.random.default_rng(0)
    made = []
    for number in range(90):
        down, parents, path = (0.5, 0.9, 0.2)[number % 3], [-1], [0]
        for i in range(1, draw.integers(1, 41)):
            depth = len(path) if draw.random() < down else draw.integers(1, len(path) + 1)
            path = path[:depth] if draw.random() > 0.05 else []
            parents.append(path[-1] if path else -1)
            path = [*path, i]
        made.append(parents)
    return made


@pytest.fixture
def listed():
    """The edges as a list of (key, query, type), in the order in which they are written."""

    def as_list(edges):
        edge_index, edge_type = edges
        assert edge_index.dtype == edge_type.dtype == np.int64
        assert edge_index.shape == (2, len(edge_type))
        return list(zip(*edge_index.tolist(), edge_type.tolist(), strict=True))

    return as_list


@pytest.fixture
def line():
    """The nodes from i up to its root, by following parents."""

    def climb(parent, i):
        nodes = [i]
        while parent[nodes[-1]] != -1:
            nodes.append(parent[nodes[-1]])
        return nodes

    return climb
