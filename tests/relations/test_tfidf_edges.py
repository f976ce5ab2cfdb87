import numpy as np
import pytest

from tgraph_attn.relations import WordStatistics, tfidf_edges

# Word 0 is in one of four documents, 1 in all four, 2 in two, 3 in none.
STATISTICS = WordStatistics.count([[0, 1], [1, 2], [2, 1], [1]], 4)


def edges(words, token_index, document):
    edge_index, edge_weight = tfidf_edges(words, token_index, document, STATISTICS)
    assert edge_index.dtype == np.int64 and edge_weight.dtype == np.float32
    pairs = zip(*edge_index.tolist(), strict=True)
    return dict(zip(pairs, edge_weight.tolist(), strict=True))


def test_weights_of_a_small_text_by_hand():
    found = edges([2, 0, 1, 3], [0, 1, 0, 2, 0], 3)
    weight = {0: 3 * np.log(2), 1: np.log(4), 2: 0}
    assert list(found) == [(3, 0), (3, 1), (3, 2), (0, 3), (1, 3), (2, 3)]
    assert found == pytest.approx({(j, i): weight[min(i, j)] for j, i in found}, rel=1e-6)


def test_each_token_with_a_node_of_its_own_counts_once():
    found = edges([2, 2, 3], [0, 1], 2)
    assert found == pytest.approx(dict.fromkeys([(2, 0), (2, 1), (0, 2), (1, 2)], np.log(2)))


def test_document_may_be_any_node():
    assert list(edges([3, 0, 2], [1, 2], 0)) == [(1, 0), (2, 0), (0, 1), (0, 2)]


def test_text_without_words_has_no_edge():
    assert edges([3], [], 0) == {}


@pytest.mark.parametrize(
    ("words", "token_index", "document", "message"),
    [
        ([0, 3], [0, 2], 1, r"token_index must be in \[0, 2\), but ranges from 0 to 2"),
        ([0, 3], [-1], 1, r"token_index must be in \[0, 2\)"),
        ([0, 3], [0], 2, r"document must be in \[0, 2\)"),
        ([0, 3], [0, 1], 1, r"document must be a node without a word, but tokens stand at node 1"),
        ([4, 3], [0], 1, r"the word of each token must be in \[0, 4\).*this vocabulary"),
    ],
)
def test_nodes_and_words_that_are_not_there_are_refused(words, token_index, document, message):
    with pytest.raises(ValueError, match=rf"^tfidf_edges: {message}"):
        tfidf_edges(words, token_index, document, STATISTICS)


def test_word_of_the_document_node_need_not_be_counted():
    assert list(edges([0, 99], [0], 1)) == [(1, 0), (0, 1)]
