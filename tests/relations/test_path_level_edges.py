import numpy as np
import pytest

from tgraph_attn.relations import path_level_edges

#       0
#      / \
#     1   4
#    / \
#   2   3
TOY = [-1, 0, 1, 1, 0]


def path_and_level(edges, max_path):
    """{(key, query): (path, level)}"""
    edge_index, edge_type = edges
    path, level = np.divmod(edge_type, 2 * max_path + 1)
    pairs = zip(*edge_index.tolist(), strict=True)
    values = zip((path - max_path).tolist(), (level - max_path).tolist(), strict=True)
    return dict(zip(pairs, values, strict=True))


def test_path_and_level_of_a_small_tree_by_hand():
    edges = path_and_level(path_level_edges(TOY, 3), 3)
    assert len(edges) == 25
    assert edges[2, 4] == (-3, 1)
    assert edges[4, 2] == (3, -1)
    assert edges[0, 3] == (-2, -2)
    assert edges[3, 0] == (2, 2)
    assert edges[2, 3] == (-2, 0)
    assert edges[1, 1] == (0, 0)


def test_path_through_node_0_has_its_true_length():
    edges = path_and_level(path_level_edges([-1, 0, 0]), 19)
    assert edges[1, 2] == (-2, 0) and edges[2, 1] == (2, 0)
    assert edges[0, 1] == (-1, -1) and edges[0, 2] == (-1, -1)  # the root's own edges are there


@pytest.mark.parametrize("max_path", [1, 2, 3, 6, 19])
@pytest.mark.parametrize("max_level", [None, 0, 1, 3, 50])
@pytest.mark.parametrize("self_edges", [True, False])
def test_equals_a_look_at_every_pair(max_path, max_level, self_edges, forests, listed, line):
    for parent in forests[::3] + forests[1:30:3]:
        lines = [set(line(parent, i)) for i in range(len(parent))]
        expected = []
        for i in range(len(parent)):
            for j in range(len(parent)):
                path = len(lines[i] ^ lines[j])
                level = len(lines[j]) - len(lines[i])
                near = path <= max_path and (max_level is None or abs(level) <= max_level)
                if lines[i] & lines[j] and near and (i != j or self_edges):
                    path = path if j > i else -path
                    kind = (path + max_path) * (2 * max_path + 1) + level + max_path
                    expected.append((j, i, kind))
        edges = path_level_edges(parent, max_path, max_level, self_edges=self_edges)
        assert listed(edges) == expected


@pytest.mark.parametrize("max_level", [None, 1])
def test_reversed_edge_has_both_signs_reversed(max_level, forests):
    for parent in forests[::5]:
        edges = path_and_level(path_level_edges(parent, 4, max_level), 4)
        assert all(edges[i, j] == (-path, -level) for (j, i), (path, level) in edges.items())


def test_star_is_refused_at_once_with_the_number_of_its_edges():
    star = np.zeros(100_001, np.int64)
    star[0] = -1
    with pytest.raises(
        ValueError,
        match=r"^path_level_edges: .* at most 50,000,000 edges, .* would have 10,000,200,001 "
        r"\(5,000,050,000 pairs .* 100,001 self edges\)\. Pass a smaller max_path",
    ):
        path_level_edges(star, 2)


def test_max_edges_is_the_number_that_is_still_allowed():
    assert path_level_edges(TOY, 3, max_edges=25)[1].size == 25
    with pytest.raises(ValueError, match="at most 24 edges, but this one would have 25 "):
        path_level_edges(TOY, 3, max_edges=24)
    assert path_level_edges(TOY, 3, self_edges=False, max_edges=20)[1].size == 20


def test_long_chain_is_quick():
    chain = np.arange(-1, 99_999)
    assert path_level_edges(chain, 19)[1].size == 100_000 + 2 * (19 * 100_000 - 190)
    assert path_level_edges(chain, 19, 0)[1].size == 100_000
    with pytest.raises(ValueError, match=r"counting stopped"):
        path_level_edges(chain, 99_999)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"max_level": -1}, ValueError, "max_level must be at least 0, but got -1"),
        ({"max_level": 0.5}, TypeError, "max_level must be an int of at least 0, but got 0.5"),
        ({"max_edges": 0}, ValueError, "max_edges must be at least 1, but got 0"),
    ],
)
def test_size_that_makes_no_sense_is_refused(arguments, error, message):
    with pytest.raises(error, match=f"^path_level_edges: {message}"):
        path_level_edges(TOY, 3, **arguments)
