import numpy as np
import pytest

from tgraph_attn.relations._count_path_level import count_path_level
from tgraph_attn.relations._forest import read_forest


def count(parent, max_path, max_level, limit=2**62):
    forest = read_forest("test", parent)
    return count_path_level(forest.parent, forest.subtree_size, max_path, max_level, limit)


@pytest.mark.parametrize("max_path", [1, 2, 3, 4, 9, 100])
@pytest.mark.parametrize("max_level", [0, 1, 2, 100])
def test_equals_a_look_at_every_pair(max_path, max_level, forests, line):
    for parent in forests:
        lines = [set(line(parent, i)) for i in range(len(parent))]
        near = sum(
            bool(a & b) and len(a ^ b) <= max_path and abs(len(a) - len(b)) <= max_level
            for a in lines
            for b in lines
        )
        assert count(parent, max_path, max_level) == (near, True)


def test_more_edges_than_can_be_looked_at_are_counted():
    star = np.zeros(1_000_001, np.int64)
    star[0] = -1
    assert count(star, 2, 2) == (1_000_001**2, True)
    assert count(star, 2, 0) == (1_000_000**2 + 1, True)


def test_counting_stops_when_it_takes_long_and_the_limit_is_passed():
    chain = np.arange(-1, 149_999)
    number, whole = count(chain, 149_000, 149_000, limit=1_000)
    assert number > 1_000_000_000 and not whole
