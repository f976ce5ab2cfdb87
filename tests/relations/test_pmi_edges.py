from importlib import import_module

import numpy as np
import pytest

from tgraph_attn.relations import WordStatistics, pmi_edges


@pytest.fixture
def statistics():
    draw = np.random.default_rng(0)
    return WordStatistics.count([draw.integers(0, 30, 25) for _ in range(40)], 32, window=6)


@pytest.mark.parametrize("self_edges", [True, False])
@pytest.mark.parametrize("num_nodes", [0, 1, 2, 30, 200])
def test_equals_a_look_at_every_pair(num_nodes, self_edges, statistics):
    words = np.random.default_rng(num_nodes).integers(
        0, 32, num_nodes
    )  # some of them several times
    table = statistics.pmi.toarray()
    expected = [
        (j, i, 1 if i == j else table[words[i], words[j]])
        for i in range(num_nodes)
        for j in range(num_nodes)
        if (self_edges if i == j else table[words[i], words[j]] > 0)
    ]
    edge_index, edge_weight = pmi_edges(words, statistics, self_edges=self_edges)
    assert edge_index.dtype == np.int64 and edge_weight.dtype == np.float32
    assert list(zip(*edge_index.tolist(), edge_weight, strict=True)) == expected
    assert num_nodes < 30 or len(expected) > 5 * num_nodes


def test_nodes_with_the_same_word_have_no_edge(statistics):
    edge_index, edge_weight = pmi_edges([4, 4], statistics)
    assert edge_index.tolist() == [[0, 1], [0, 1]] and edge_weight.tolist() == [1, 1]


@pytest.mark.parametrize("word", [-1, 32])
def test_word_that_was_not_counted_is_refused(word, statistics):
    with pytest.raises(
        ValueError, match=r"^pmi_edges: words must be in \[0, 32\).*this vocabulary"
    ):
        pmi_edges([0, word], statistics)


def test_too_many_edges_are_refused_with_their_number(statistics, monkeypatch):
    words, module = np.arange(30), import_module("tgraph_attn.relations.pmi_edges")
    number = pmi_edges(words, statistics)[1].size
    monkeypatch.setattr(module, "MAX_EDGES", number)
    assert pmi_edges(words, statistics)[1].size == number
    monkeypatch.setattr(module, "MAX_EDGES", 100)
    with pytest.raises(
        ValueError, match=rf"at most 100 edges, but this one would have {number:,} "
    ):
        pmi_edges(words, statistics)


def test_pairs_beyond_the_limit_are_counted_but_not_kept(statistics):
    find = import_module("tgraph_attn.relations.pmi_edges")._find_pairs
    pmi, words = statistics.pmi, np.arange(30)
    number, *pairs = find(words, pmi.indptr, pmi.indices, pmi.data, 10)
    assert number == pmi.nnz // 2 and [column.size for column in pairs] == [10] * 3
