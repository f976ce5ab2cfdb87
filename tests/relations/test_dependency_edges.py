import numpy as np
import pytest

from tgraph_attn.parse import from_heads
from tgraph_attn.relations import dependency_edges

# she <- saw -> him: the labels are 0 (subject), 1 (object) and 2 (root)
HEADS, TOKENS, LABELS = [1, 1, 1], [0, 1, 2], [0, 2, 1]


def test_edges_of_a_sentence_by_hand(listed):
    assert listed(dependency_edges(HEADS, TOKENS, 3, LABELS, num_labels=3)) == [
        *((0, 0, 6), (1, 0, 0)),
        *((0, 1, 3), (1, 1, 6), (2, 1, 4)),
        *((1, 2, 1), (2, 2, 6)),
    ]


def test_without_labels_there_are_three_types(listed):
    assert listed(dependency_edges(HEADS, TOKENS, 4)) == [
        *((0, 0, 2), (1, 0, 0)),
        *((0, 1, 1), (1, 1, 2), (2, 1, 1)),
        *((1, 2, 0), (2, 2, 2)),
        (3, 3, 2),
    ]


def test_self_edges_can_be_left_out_and_a_root_has_none(listed):
    found = listed(dependency_edges(HEADS, TOKENS, 3, self_edges=False))
    assert found == [(1, 0, 0), (0, 1, 1), (2, 1, 1), (1, 2, 0)]


def test_tokens_that_share_a_node_give_each_edge_once_and_each_type(listed):
    # Node 0 hangs under node 1 twice as a subject and once as an object, and once above it.
    heads, tokens, labels = [1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]
    assert listed(dependency_edges(heads, tokens, 2, labels, num_labels=2, self_edges=False)) == [
        *((1, 0, 0), (1, 0, 1), (1, 0, 2)),
        *((0, 1, 0), (0, 1, 2), (0, 1, 3)),
    ]


def test_rows_of_a_tree_are_tokens_of_their_own(listed):
    parent = from_heads([1, 1, 3, 1], virtual_root=False).parent
    nodes = np.arange(4)
    edges = listed(dependency_edges(np.where(parent < 0, nodes, parent), nodes, 4))
    along = {(j, i) for j, i, r in edges if r == 0}
    assert along == {(parent[i], i) for i in range(1, 4)}
    assert {(i, j) for j, i, r in edges if r == 1} == along


def test_no_tokens_have_self_edges_alone(listed):
    assert listed(dependency_edges([], [], 1)) == [(0, 0, 2)]
    assert listed(dependency_edges([], [], 0)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([3], [0], 2), r"head_index must be in \[0, 2\)"),
        (([0], [2], 2), r"token_index must be in \[0, 2\)"),
        (([0, 1], [0], 2), r"head_index must have shape \[1\], but has \[2\]"),
        (([0], [0], 2, [1]), r"labels must be in \[0, 1\), but ranges from 1 to 1\. Pass their"),
        (([0], [0], 2, []), r"labels must have shape \[1\]"),
    ],
)
def test_nodes_and_labels_that_are_not_there_are_refused(arguments, message):
    with pytest.raises(ValueError, match=rf"^dependency_edges: {message}"):
        dependency_edges(*arguments)


def test_no_labels_at_all_are_refused():
    with pytest.raises(ValueError, match=r"^dependency_edges: num_labels must be at least 1"):
        dependency_edges([0], [0], 1, num_labels=0)
