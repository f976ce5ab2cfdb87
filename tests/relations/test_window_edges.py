import numpy as np
import pytest

from tgraph_attn.relations import window_edges


def test_edges_of_two_small_graphs_by_hand(listed):
    assert listed(window_edges([0, 3, 5], 1)) == [
        *((0, 0, 1), (1, 0, 2), (0, 1, 0), (1, 1, 1), (2, 1, 2), (1, 2, 0), (2, 2, 1)),
        *((3, 3, 1), (4, 3, 2), (3, 4, 0), (4, 4, 1)),
    ]


@pytest.mark.parametrize("size", [1, 2, 5, 100])
@pytest.mark.parametrize("self_edges", [True, False])
def test_equals_a_look_at_every_pair(size, self_edges, listed):
    graph = [0] * 7 + [2] + [3] * 4  # graph 1 has no node
    expected = [
        (j, i, j - i + size)
        for i in range(12)
        for j in range(12)
        if graph[i] == graph[j] and abs(j - i) <= size and (i != j or self_edges)
    ]
    assert listed(window_edges([0, 7, 7, 8, 12], size, self_edges=self_edges)) == expected


def test_no_graph_has_no_edge(listed):
    assert listed(window_edges([0], 2)) == [] and listed(window_edges([0, 0], 2)) == []


@pytest.mark.parametrize("pointer", [[], [1, 2], [0, 3, 2]])
def test_pointer_that_falls_is_refused(pointer):
    with pytest.raises(
        ValueError, match=r"^window_edges: pointer must begin with 0 and never fall"
    ):
        window_edges(pointer, 1)


@pytest.mark.parametrize(("size", "error"), [(0, ValueError), (1.5, TypeError)])
def test_size_that_is_no_whole_number_of_steps_is_refused(size, error):
    with pytest.raises(error, match=r"^window_edges: size must be"):
        window_edges([0, 1], size)


def test_too_many_edges_are_refused_with_their_number():
    with pytest.raises(ValueError, match=r"would have 2,500,000,000 \(1,249,975,000 pairs"):
        window_edges(np.array([0, 50_000]), 50_000)
