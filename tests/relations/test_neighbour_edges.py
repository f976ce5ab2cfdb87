import numpy as np
import pytest

from tgraph_attn.relations import neighbour_edges


def looked_up(token, num_nodes, size, self_edges):
    """The docstring, by a look at all places of all pairs of nodes."""
    edges = []
    for i in range(num_nodes):
        for j in range(num_nodes):
            near = [
                (abs(p - q), p > q)
                for p in range(len(token))
                for q in range(len(token))
                if token[p] == j and token[q] == i and abs(p - q) <= size
            ]
            if i == j and self_edges:
                edges.append((j, i, 1))
            elif i != j and near:
                edges.append((j, i, 2 * min(near)[1]))
    return edges


def test_edges_of_a_small_text_by_hand(listed):
    # a b c a: node 0 stands before 1, and after 2; 1 and 2 are next to each other
    assert listed(neighbour_edges([0, 1, 2, 0], 4, size=1)) == [
        *((0, 0, 1), (1, 0, 2), (2, 0, 0)),
        *((0, 1, 0), (1, 1, 1), (2, 1, 2)),
        *((0, 2, 2), (1, 2, 0), (2, 2, 1)),
        (3, 3, 1),
    ]


def test_the_nearest_places_say_which_comes_first_and_of_equal_ones_the_earlier_key(listed):
    assert listed(neighbour_edges([0, 2, 1, 0], 3, 3, self_edges=False))[:2] == [
        (1, 0, 0),  # two places after the first 0, but one place before the second
        (2, 0, 2),
    ]
    assert listed(neighbour_edges([0, 1, 0], 2, 3, self_edges=False)) == [(1, 0, 0), (0, 1, 0)]


@pytest.mark.parametrize("self_edges", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize("length", [0, 1, 2, 5, 30])
def test_equals_a_look_at_every_pair_of_places(length, size, self_edges, listed):
    token = np.random.default_rng(length).integers(0, 8, length)
    found = neighbour_edges(token, 9, size, self_edges=self_edges)
    assert listed(found) == looked_up(token.tolist(), 9, size, self_edges)


def test_renaming_nodes_renames_the_edges(listed):
    token, name = np.array([0, 1, 2, 0, 3]), np.array([3, 1, 0, 2])
    edges = {(name[j], name[i], r) for j, i, r in listed(neighbour_edges(token, 4, 2))}
    assert edges == set(listed(neighbour_edges(name[token], 4, 2)))


def test_node_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"^neighbour_edges: token_index must be in \[0, 2\)"):
        neighbour_edges([0, 2], 2)


@pytest.mark.parametrize(("size", "error"), [(0, ValueError), (1.5, TypeError)])
def test_size_that_is_no_whole_number_of_steps_is_refused(size, error):
    with pytest.raises(error, match=r"^neighbour_edges: size must be"):
        neighbour_edges([0], 1, size)


def test_too_many_edges_are_refused_with_their_number():
    with pytest.raises(ValueError, match=r"would have 2,500,000,000 \(1,249,975,000 pairs"):
        neighbour_edges(np.arange(50_000), 50_000, 50_000)
