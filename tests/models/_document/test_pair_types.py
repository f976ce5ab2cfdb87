import torch
from torch_geometric.data import Batch

from tgraph_attn.models._document.document_convs import conv_inputs
from tgraph_attn.models._document.documents import Documents, check_documents
from tgraph_attn.models._document.pair_types import NUM_PAIR_TYPES, pair_types

SELF, FROM_DOCUMENT, TO_DOCUMENT, WORDS = 0, 1, 2, 3


def none(dtype):
    return torch.empty(2, 0, dtype=torch.int64), torch.empty(0, dtype=dtype)


def documents(graph, document_index):
    graph, empty = torch.tensor(graph), torch.empty(2, 0, dtype=torch.int64)
    return Documents(graph, graph, torch.tensor(document_index), empty, empty)


def test_every_pair_of_one_document_comes_once_sorted_by_query_then_key():
    # two documents of three and one nodes: 0 1 2* and 3*
    edge_index, types = pair_types(
        documents([0, 0, 0, 1], [2, 3]), none(torch.float), none(torch.int64)
    )
    keys, queries = [0, 1, 2] * 3 + [3], [0] * 3 + [1] * 3 + [2] * 3 + [3]
    assert edge_index.tolist() == [keys, queries]
    assert types.tolist() == [
        *(SELF, WORDS, FROM_DOCUMENT),
        *(WORDS, SELF, FROM_DOCUMENT),
        *(TO_DOCUMENT, TO_DOCUMENT, SELF),
        SELF,
    ]


def test_pairs_of_words_are_typed_by_pmi_and_by_places():
    # document 1 is nodes 2 to 6 with the document node last; all is about its words 2 to 5
    nodes = documents([0, 0, 1, 1, 1, 1, 1], [1, 6])
    pmi = torch.tensor([[2, 3, 2, 4, 2, 5, 3, 3], [3, 2, 4, 2, 5, 2, 4, 3]])
    weight = torch.tensor([1.0, 1.0, 1.01, 2.0, 3.5, 4.5, 0.1, 1.0])
    near = torch.tensor([[2, 3, 4, 5, 3], [3, 2, 5, 4, 3]])
    order = torch.tensor([0, 2, 0, 2, 1])  # earlier, later, itself
    edge_index, types = pair_types(nodes, (pmi, weight), (near, order))
    found = dict(zip(zip(*edge_index.tolist(), strict=True), types.tolist(), strict=True))

    def expected(amount, place):
        return WORDS + 3 * amount + place

    assert found[2, 3] == expected(1, 1) and found[3, 2] == expected(1, 2)
    assert found[2, 4] == expected(2, 0) and found[4, 2] == expected(2, 0)
    assert found[2, 5] == expected(4, 0) and found[5, 2] == expected(5, 0)
    assert found[3, 4] == expected(1, 0) and found[4, 3] == expected(0, 0)
    assert found[4, 5] == expected(0, 1) and found[5, 4] == expected(0, 2)
    assert found[3, 3] == SELF and found[6, 6] == SELF
    assert expected(5, 2) == NUM_PAIR_TYPES - 1
    assert all(found[6, word] == FROM_DOCUMENT for word in (2, 3, 4, 5))
    assert all(found[word, 6] == TO_DOCUMENT for word in (2, 3, 4, 5))
    assert len(found) == 2 * 2 + 5 * 5


def test_a_batch_has_the_pairs_of_each_document_alone(graph):
    texts = [graph(text) for text in ("oil price rises oil", "", "corn", "wheat harvest falls")]
    batch = Batch.from_data_list(texts)
    whole = conv_inputs("relation_attention", batch, check_documents("test", batch, 11))
    pairs, types, start = [], [], 0
    for data in texts:
        one = conv_inputs("relation_attention", data, check_documents("test", data, 11))
        pairs.append(one["edge_index"] + start)
        types.append(one["edge_type"])
        start += data.num_nodes
    assert whole["edge_index"].equal(torch.cat(pairs, 1)) and whole["edge_type"].equal(
        torch.cat(types)
    )
