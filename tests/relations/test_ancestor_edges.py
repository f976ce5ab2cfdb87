import numpy as np
import pytest

from tgraph_attn.relations import ancestor_edges

#       0
#      / \
#     1   4
#    / \
#   2   3
TOY = [-1, 0, 1, 1, 0]


def test_edges_of_a_small_tree_by_hand(listed):
    assert listed(ancestor_edges(TOY, 2)) == [
        *((0, 0, 2), (1, 0, 3), (2, 0, 4), (3, 0, 4), (4, 0, 3)),
        *((0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 1, 3)),
        *((0, 2, 0), (1, 2, 1), (2, 2, 2)),
        *((0, 3, 0), (1, 3, 1), (3, 3, 2)),
        *((0, 4, 1), (4, 4, 2)),
    ]


def test_pairs_beyond_the_distance_are_left_out_and_not_clamped(listed):
    assert listed(ancestor_edges(TOY, 1, self_edges=False)) == [
        *((1, 0, 2), (4, 0, 2), (0, 1, 0), (2, 1, 2), (3, 1, 2), (1, 2, 0), (1, 3, 0), (0, 4, 0)),
    ]


@pytest.mark.parametrize("distance", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("self_edges", [True, False])
def test_equals_a_look_at_every_pair(distance, self_edges, forests, listed, line):
    for parent in forests:
        lines = [line(parent, i) for i in range(len(parent))]
        expected = []
        for i in range(len(parent)):
            for j in range(len(parent)):
                signed = len(lines[j]) - len(lines[i])
                related = i in lines[j] or j in lines[i]
                if related and abs(signed) <= distance and (i != j or self_edges):
                    expected.append((j, i, signed + distance))
        assert listed(ancestor_edges(parent, distance, self_edges=self_edges)) == expected


def test_reversed_edge_has_the_mirrored_type(forests, listed):
    for parent in forests:
        edges = set(listed(ancestor_edges(parent, 3)))
        assert edges == {(i, j, 6 - r) for j, i, r in edges}


def test_long_chain_is_quick_whatever_hangs_on_it():
    # A chain of 100,000 nodes, and one whose nodes each have one more child, before and after.
    chain = np.arange(-1, 99_999)
    assert ancestor_edges(chain, 7)[1].size == 100_000 + 2 * (7 * 100_000 - 28)
    spine = np.arange(0, 100_000, 2)
    before = np.stack([spine, spine], axis=1).ravel()  # children of node 2k are 2k + 1 and 2k + 2
    assert ancestor_edges(np.append(-1, before), 1, self_edges=False)[1].size == 2 * 100_000
    after = np.concatenate([np.arange(-1, 50_000), np.arange(50_000, 0, -1)])
    assert ancestor_edges(after, 2)[1].size == 100_001 + 2 * (2 * 100_000 - 1)


def test_too_many_edges_are_refused_with_their_number():
    chain = np.arange(-1, 49_999)
    with pytest.raises(
        ValueError,
        match=r"^ancestor_edges: .* at most 50,000,000 edges, .* would have 2,500,000,000 "
        r"\(1,249,975,000 pairs .* 50,000 self edges\)\. Pass a smaller max_distance",
    ):
        ancestor_edges(chain, 50_000)
