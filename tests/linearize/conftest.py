import sysconfig
from pathlib import Path

import numpy as np
import pytest

from tgraph_attn.parse import parse_code
from tgraph_attn.tree import Tree


@pytest.fixture
def random_trees() -> list[Tree]:
    """Bushy, deep and flat trees of up to 40 nodes, whose leaves say something, or do not."""
    draw = np.random.default_rng(0)
    made = []
    for number in range(90):
        down, parent, path = (0.5, 0.9, 0.2)[number % 3], [-1], [0]
        for row in range(1, draw.integers(1, 41)):
            depth = len(path) if draw.random() < down else draw.integers(1, len(path) + 1)
            path = [*path[:depth], row]
            parent.append(path[-2])
        kind = draw.choice(["identifier", "(", ")", "integer", "sum"], len(parent)).tolist()
        text = [str(draw.integers(9)) if draw.random() < 0.7 else None for _ in parent]
        span = draw.integers(0, 99, (len(parent), 2))
        faults = [[row, row % 2] for row in range(len(parent)) if draw.random() < 0.1]
        made.append(Tree(parent, kind, text, span, faults=faults or None))
    return made


@pytest.fixture(scope="session")
def functions() -> list[Tree]:
    """The functions of some files of the standard library, with sub-tokens."""
    folder, found = Path(sysconfig.get_path("stdlib")), []
    for name in ("heapq", "textwrap", "types"):
        tree = parse_code((folder / f"{name}.py").read_bytes(), "python")
        rows = np.flatnonzero(tree.kind == "function_definition")
        found += [tree.subtree(int(row)) for row in rows]
    return found


@pytest.fixture
def chain() -> Tree:
    """200,000 nodes, each under the one before it."""
    return Tree(np.arange(-1, 199_999), text=["x"] * 200_000)


@pytest.fixture
def star() -> Tree:
    """A root with 200,000 children."""
    return Tree(np.array([-1] + [0] * 200_000), text=["x"] * 200_001)
