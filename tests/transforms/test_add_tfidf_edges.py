import math

import pytest

from tgraph_attn.convert import text_to_data
from tgraph_attn.transforms import AddTFIDFEdges


def test_edges_of_a_small_text_by_hand(vocab, statistics, edges_of):
    data = AddTFIDFEdges(statistics)(text_to_data("oil price oil".split(), vocab))
    found = edges_of(data, "tfidf", "weight")
    oil, price = 2 * math.log(6 / 2), math.log(6 / 3)
    assert [edge[:2] for edge in found] == [(2, 0), (2, 1), (0, 2), (1, 2)]
    assert [edge[2] for edge in found] == pytest.approx([oil, price, oil, price])


def test_each_token_node_counts_once(vocab, statistics, edges_of):
    data = text_to_data("oil oil".split(), vocab, nodes="tokens")
    found = edges_of(AddTFIDFEdges(statistics)(data), "tfidf", "weight")
    assert [edge[:2] for edge in found] == [(2, 0), (2, 1), (0, 2), (1, 2)]
    assert [edge[2] for edge in found] == pytest.approx([math.log(3)] * 4)


def test_repr_names_the_counts(statistics):
    assert repr(AddTFIDFEdges(statistics)) == f"AddTFIDFEdges({statistics})"
