import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.convert import corpus_graph, text_to_data
from tgraph_attn.relations import WordStatistics
from tgraph_attn.vocab import Vocab

VOCAB = Vocab(["<pad>", "<unk>", "<document>", "oil", "price", "rises", "rare"])
TEXTS = ["oil price oil", "price rises", "", "rises of oil price", "oil price"]
IDS = [[word for word in VOCAB.encode(text.split()) if word > 2] for text in TEXTS]
STATISTICS = WordStatistics.count(IDS, len(VOCAB))


def documents(nodes="words", classes=None):
    made = [text_to_data(text.split(), VOCAB, nodes=nodes) for text in TEXTS]
    for data, y in zip(made, classes or [], strict=False):
        data.y = torch.tensor([y])
    return made


def by_the_formula():
    """Text-GCN's matrix, entry by entry: five documents, then oil, price, rises and rare."""
    weight, pmi = np.eye(9), STATISTICS.pmi.toarray()
    for document, words in enumerate(IDS):
        for word in set(words):
            value = words.count(word) * np.log(5 / sum(word in other for other in IDS))
            weight[document, word + 2] = weight[word + 2, document] = value
    weight[5:, 5:] += pmi[3:, 3:]
    return weight


@pytest.mark.parametrize("nodes", ["words", "tokens"])
def test_equals_the_formula(nodes):
    graph = corpus_graph(documents(nodes), STATISTICS)
    graph.validate()
    (key, query), weight = graph.edge_index, graph.edge_weight
    assert graph.edge_index.dtype == torch.int64 and weight.dtype == torch.float32
    dense = np.zeros((9, 9))
    dense[query, key] = weight
    np.testing.assert_allclose(dense, by_the_formula(), rtol=1e-6)
    assert (dense == dense.T).all() and STATISTICS.pmi.nnz == 4
    order = (query * 9 + key).tolist()
    assert order == sorted(set(order)) and len(order) == (by_the_formula() != 0).sum()


def test_words_tokens_and_classes_are_there():
    graph = corpus_graph(documents(classes=[1, 0, 1, 0, 0]), STATISTICS)
    assert (graph.num_documents, graph.num_nodes) == (5, 9)
    assert graph.word.tolist() == [3, 4, 5, 6]
    assert graph.num_tokens.tolist() == [3, 2, 0, 3, 2]
    assert graph.token_index.tolist() == [5, 6, 5, 6, 7, 7, 5, 6, 5, 6]
    assert graph.y.tolist() == [1, 0, 1, 0, 0]
    assert "y" not in corpus_graph(documents(), STATISTICS)


def test_documents_may_come_in_another_order():
    order = [3, 0, 4, 1, 2]
    made = documents()
    graph, other = (corpus_graph(d, STATISTICS) for d in (made, [made[i] for i in order]))
    place = np.append(np.argsort(order), [5, 6, 7, 8])
    edges = [
        dict(zip(zip(*g.edge_index.tolist(), strict=True), g.edge_weight, strict=True))
        for g in (graph, other)
    ]
    assert {(place[j], place[i]): weight for (j, i), weight in edges[0].items()} == edges[1]


def test_word_of_all_documents_keeps_an_edge_of_weight_0():
    statistics = WordStatistics.count([[3], [3, 4]], 7)
    made = [text_to_data(text.split(), VOCAB) for text in ("oil", "oil price")]
    graph = corpus_graph(made, statistics)
    weight = {
        (j, i): w for j, i, w in zip(*graph.edge_index.tolist(), graph.edge_weight, strict=True)
    }
    assert weight[0, 2] == weight[2, 0] == weight[1, 2] == 0
    assert weight[1, 3] == pytest.approx(np.log(2))


def test_document_without_a_class_among_others_is_refused():
    message = (
        r"all documents must have a class y, or none, but 2 of 5 have none, such as document 3"
    )
    with pytest.raises(ValueError, match=message):
        corpus_graph(documents(classes=[1, 0, 1]), STATISTICS)


@pytest.mark.parametrize(
    "wrong",
    [
        Data(num_nodes=1),
        Data(x=torch.tensor([2]), num_nodes=1),
        Batch.from_data_list(documents()[:2]),
    ],
    ids=["empty", "no_tokens", "batch"],
)
def test_graph_that_is_no_document_is_refused(wrong):
    with pytest.raises(
        ValueError, match=r"^corpus_graph: document 1 must be one graph with x, token"
    ):
        corpus_graph([documents()[0], wrong], STATISTICS)


def test_tokens_at_the_document_node_are_refused():
    wrong = documents()[0]
    wrong.token_index[1] = wrong.document_index
    with pytest.raises(ValueError, match=r"tokens of document 0 must be words, .* one has id 2"):
        corpus_graph([wrong], STATISTICS)


def test_word_that_was_not_counted_is_refused():
    with pytest.raises(
        ValueError, match=r"each word id must be in \[0, 4\), but ranges from 3 to 5"
    ):
        corpus_graph(documents(), WordStatistics.count([[3]], 4))


def test_no_documents_or_other_things_are_refused():
    with pytest.raises(ValueError, match="documents must hold at least one graph, but is empty"):
        corpus_graph([], STATISTICS)
    with pytest.raises(TypeError, match=r"document 0 must be a Data, but got str\. Make each"):
        corpus_graph(["oil"], STATISTICS)
    with pytest.raises(TypeError, match="statistics must be a WordStatistics, but got NoneType"):
        corpus_graph(documents(), None)
