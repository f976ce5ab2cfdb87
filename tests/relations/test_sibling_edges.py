import numpy as np
import pytest

from tgraph_attn.relations import sibling_edges

#       0
#      / \
#     1   4
#    / \
#   2   3
TOY = [-1, 0, 1, 1, 0]


def test_edges_of_a_small_tree_by_hand(listed):
    assert listed(sibling_edges(TOY, 2)) == [
        (0, 0, 2),
        *((1, 1, 2), (4, 1, 3)),
        *((2, 2, 2), (3, 2, 3)),
        *((2, 3, 1), (3, 3, 2)),
        *((1, 4, 1), (4, 4, 2)),
    ]


def test_pairs_beyond_the_distance_are_left_out_and_not_clamped(listed):
    assert listed(sibling_edges([-1, 0, 0, 0], 1, self_edges=False)) == [
        *((2, 1, 2), (1, 2, 0), (3, 2, 2), (2, 3, 0)),
    ]


@pytest.mark.parametrize("distance", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("self_edges", [True, False])
def test_equals_a_look_at_every_pair(distance, self_edges, forests, listed):
    for parent in forests:
        n = len(parent)
        position = [parent[:i].count(parent[i]) for i in range(n)]
        expected = []
        for i in range(n):
            for j in range(n):
                signed = position[j] - position[i]
                related = i == j if parent[i] == -1 else parent[i] == parent[j]
                if related and abs(signed) <= distance and (i != j or self_edges):
                    expected.append((j, i, signed + distance))
        assert listed(sibling_edges(parent, distance, self_edges=self_edges)) == expected


def test_reversed_edge_has_the_mirrored_type(forests, listed):
    for parent in forests:
        edges = set(listed(sibling_edges(parent, 3)))
        assert edges == {(i, j, 6 - r) for j, i, r in edges}


def test_list_of_50000_items_has_349972_pairs():
    parent = np.zeros(50_001, np.int64)
    parent[0] = -1
    edge_index, _ = sibling_edges(parent, 7, self_edges=False)
    assert edge_index.shape == (2, 2 * 349_972)


def test_too_many_edges_are_refused_with_their_number():
    parent = np.zeros(50_001, np.int64)
    parent[0] = -1
    with pytest.raises(
        ValueError,
        match=r"^sibling_edges: .* at most 50,000,000 edges, .* would have 2,500,000,001 "
        r"\(1,249,975,000 pairs .* 50,001 self edges\)\. Pass a smaller max_distance",
    ):
        sibling_edges(parent, 50_000)
