import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.models._document.documents import check_documents

NUM_WORDS = 11


@pytest.fixture
def batch(documents):
    return Batch.from_data_list([documents[n] for n in (0, 2, 3)])  # oil price rises, "", corn


def test_words_and_tokens_have_edges_to_their_document(batch):
    found = check_documents("test", batch, NUM_WORDS)
    assert found.x.tolist() == [3, 4, 5, 2, 2, 9, 2]
    assert found.graph.tolist() == [0, 0, 0, 0, 1, 2, 2]
    assert found.document_index.tolist() == [3, 4, 6]
    assert found.word_edges.tolist() == [[0, 1, 2, 5], [0, 0, 0, 2]]
    assert found.token_edges.tolist() == [[0, 1, 2, 0, 5], [0, 0, 0, 0, 2]]


def test_a_lone_graph_is_one_document(documents):
    found = check_documents("test", documents[0], NUM_WORDS)
    assert found.graph.tolist() == [0, 0, 0, 0] and found.document_index.tolist() == [3]
    assert found.word_edges.tolist() == [[0, 1, 2], [0, 0, 0]]


def test_what_is_no_data_is_refused():
    with pytest.raises(
        TypeError, match=r"test: batch must be a Data, but got str. Make it with Do"
    ):
        check_documents("test", "oil", NUM_WORDS)


@pytest.mark.parametrize("x", [None, torch.randn(7), torch.zeros(7, 2, dtype=torch.int64)])
def test_features_in_place_of_ids_are_refused(batch, x):
    batch.x = x
    with pytest.raises(ValueError, match=r"test: x must be ids, int64 of shape \[N\]"):
        check_documents("test", batch, NUM_WORDS)


def test_words_of_another_vocabulary_are_refused(batch):
    with pytest.raises(ValueError, match=r"test: x must be in \[0, 9\), the vocabulary, .* 2 to 9"):
        check_documents("test", batch, 9)


@pytest.mark.parametrize("name", ["token_index", "document_index"])
def test_what_text_to_data_did_not_make_is_refused(batch, name):
    del batch[name]
    with pytest.raises(ValueError, match=rf"must have token_index and .*, but lacks \['{name}'\]"):
        check_documents("test", batch, NUM_WORDS)
    with pytest.raises(ValueError, match=r"lacks \['token_index', 'document_index'\]. Make it"):
        check_documents("test", Data(x=torch.tensor([3])), NUM_WORDS)


def test_documents_must_have_one_document_node_each(batch):
    batch.document_index = torch.tensor([3, 6])
    with pytest.raises(ValueError, match=r"each of the 3 documents must have one document node"):
        check_documents("test", batch, NUM_WORDS)
    batch.document_index = torch.tensor([3, 6, 4])
    with pytest.raises(ValueError, match=r"but document_index is \[3, 6, 4\]"):
        check_documents("test", batch, NUM_WORDS)


def test_an_unsorted_batch_is_refused(batch):
    batch.batch = batch.batch.flip(0)
    with pytest.raises(ValueError, match="test: batch must be sorted"):
        check_documents("test", batch, NUM_WORDS)
