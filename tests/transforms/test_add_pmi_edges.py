import math

import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn.convert import text_to_data
from tgraph_attn.transforms import AddPMIEdges

OIL_PRICE = math.log(6 * 2 / (2 * 3))  # 6 windows: 2 with both, 2 with oil, 3 with price


def test_edges_of_a_small_text_by_hand(vocab, statistics, edges_of):
    data = AddPMIEdges(statistics)(text_to_data("oil rises price oil".split(), vocab))
    found = edges_of(data, "pmi", "weight")
    assert [edge[:2] for edge in found] == [(0, 0), (2, 0), (1, 1), (0, 2), (2, 2), (3, 3)]
    assert [edge[2] for edge in found] == pytest.approx([1, OIL_PRICE, 1, OIL_PRICE, 1, 1])


def test_each_token_node_has_the_edges_of_its_word(vocab, statistics, edges_of):
    data = text_to_data("oil price oil".split(), vocab, nodes="tokens")
    found = edges_of(AddPMIEdges(statistics, self_edges=False)(data), "pmi", "weight")
    assert [edge[:2] for edge in found] == [(1, 0), (0, 1), (2, 1), (1, 2)]


def test_any_graph_of_words_will_do(statistics):
    data = AddPMIEdges(statistics)(Data(x=torch.tensor([4, 3])))
    assert data.pmi_edge_index.tolist() == [[0, 1, 0, 1], [0, 0, 1, 1]] and data.num_nodes == 2


def test_repr_names_every_parameter_and_the_counts(statistics):
    expected = f"AddPMIEdges({statistics}, self_edges=False)"
    assert repr(AddPMIEdges(statistics, self_edges=False)) == expected
    assert statistics.fingerprint in expected
