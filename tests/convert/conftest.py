import numpy as np
import pytest


@pytest.fixture
def trees() -> list[list[int]]:
    """Random trees in pre-order."""
    draw = np.random.default_rng(0)
    made = []
    for _ in range(30):
        parents, path = [-1], [0]
        for i in range(1, draw.integers(1, 31)):
            path = path[: draw.integers(1, len(path) + 1)]
            parents.append(path[-1])
            path = [*path, i]
        made.append(parents)
    return made
