"""What holds for every transform of texts: it goes through a batch and back, and so on."""

import copy
import pickle

import pytest
import torch
from torch_geometric.data import Batch, Data, InMemoryDataset
from torch_geometric.data.datapipes import DatasetAdapter
from torch_geometric.transforms import Compose

from tgraph_attn.convert import relation_edges, text_to_data
from tgraph_attn.transforms import (
    AddDependencyEdges,
    AddNeighbourEdges,
    AddPMIEdges,
    AddTFIDFEdges,
)

KINDS = {
    "pmi": lambda statistics: AddPMIEdges(statistics),
    "pmi_without_self": lambda statistics: AddPMIEdges(statistics, self_edges=False),
    "tfidf": lambda statistics: AddTFIDFEdges(statistics),
    "neighbour": lambda _: AddNeighbourEdges(2),
    "neighbour_without_self": lambda _: AddNeighbourEdges(2, self_edges=False),
    "dependency": lambda _: AddDependencyEdges(),
    "dependency_without_self": lambda _: AddDependencyEdges(self_edges=False),
    "dependency_labels": lambda _: AddDependencyEdges(3),
}


@pytest.fixture(params=[*KINDS, "all"])
def transform(request, statistics):
    if request.param == "all":
        names = ("pmi", "tfidf", "neighbour", "dependency_labels")
        return Compose([KINDS[name](statistics) for name in names])
    return KINDS[request.param](statistics)


def test_before_or_after_batching_is_the_same(transform, texts, same):
    before = Batch.from_data_list([transform(text) for text in texts])
    assert same(before, transform(Batch.from_data_list(texts)))


def test_batch_can_be_taken_apart_again(transform, texts, same):
    expected = [transform(text) for text in texts]
    for batch in (Batch.from_data_list(expected), transform(Batch.from_data_list(texts))):
        assert all(same(a, b) for a, b in zip(batch.to_data_list(), expected, strict=True))
        assert same(Batch.from_data_list(batch.to_data_list()), batch)


def test_input_is_not_changed(transform, texts, same):
    batch = Batch.from_data_list(texts)
    for data in (texts[0], batch):
        before = copy.deepcopy(data)
        out = transform(data)
        assert same(data, before) and not same(out, before)
    assert same(batch[0], texts[0])


def test_pickle_and_saved_data_sets_keep_everything(transform, texts, same, tmp_path):
    again = pickle.loads(pickle.dumps(transform))
    assert repr(again) == repr(transform)
    InMemoryDataset.save([transform(text) for text in texts], str(tmp_path / "data.pt"))
    dataset = InMemoryDataset()
    dataset.load(str(tmp_path / "data.pt"))
    assert len(dataset) == len(texts)
    assert all(same(a, again(b)) for a, b in zip(dataset, texts, strict=True))


def test_edges_are_valid_sorted_and_differ(transform, texts):
    for data in (transform(text) for text in texts):
        data.validate()
        for name in ("pmi", "tfidf", "neighbour", "dependency"):
            if f"{name}_edge_index" in data:
                (key, query), kind, weight = relation_edges(data, [name])[name]
                value = (weight if kind is None else kind).tolist()
                rows = list(zip(query.tolist(), key.tolist(), value, strict=True))
                assert rows == sorted(rows) and len(set(rows)) == len(rows)
                assert key.dtype == torch.int64 and (kind is None) != (weight is None)
                assert kind is None or kind.dtype == torch.int64
                assert weight is None or weight.dtype == torch.float32


def test_text_without_words_has_its_document_node_alone(transform, texts):
    data = transform(texts[2])
    names = [key for key in data.keys() if key.endswith("_edge_index")]
    for name in names:
        has_self = name != "tfidf_edge_index" and "self_edges=False" not in repr(transform)
        assert data[name].tolist() == ([[0], [0]] if has_self else [[], []])


def test_graph_ids_or_their_bounds_alone_are_enough(transform, texts, same):
    batch = Batch.from_data_list(texts)
    expected = transform(batch)
    for graphs in ("batch", "ptr"):
        keys = [key for key in batch.keys() if key not in ("batch", "ptr")] + [graphs]
        data = transform(Data(**{key: batch[key] for key in keys}))
        for key in expected.keys():
            if "edge" in key:
                assert torch.equal(data[key], expected[key])


NEEDS = {
    "pmi": ["x"],
    "tfidf": ["x", "token_index", "document_index"],
    "neighbour": ["token_index"],
    "dependency_labels": ["token_index", "head_index", "dependency"],
}


@pytest.mark.parametrize(
    ("name", "missing"), [(name, missing) for name in NEEDS for missing in NEEDS[name]]
)
def test_missing_or_unfit_attribute_is_refused(name, missing, texts, statistics):
    transform, owner = KINDS[name](statistics), type(KINDS[name](statistics)).__name__
    message = rf"^{owner}: data must have {missing}, an int64 tensor .* text_to_data or Document"
    with pytest.raises(ValueError, match=message + "Graph"):
        transform(Data(**{k: v for k, v in texts[0].to_dict().items() if k != missing}))
    for unfit in (texts[0][missing].float(), texts[0][missing][None], [1]):
        with pytest.raises(ValueError, match=message):
            transform(texts[0].clone().update({missing: unfit}))


@pytest.mark.parametrize(
    ("name", "unfit", "message"),
    [
        (
            "pmi",
            {"x": torch.tensor([3])},
            r"x must have one number for each node \(\d\), but has 1",
        ),
        ("tfidf", {"document_index": torch.tensor([0, 1])}, r"document_index .* each graph \(1\)"),
        (
            "tfidf",
            {"document_index": torch.tensor([9])},
            r"document_index must hold nodes, in \[0,",
        ),
        ("neighbour", {"token_index": torch.tensor([-1])}, r"token_index must hold nodes, in \[0,"),
        ("dependency", {"head_index": torch.tensor([1])}, r"head_index .* for each token \(4\)"),
        ("dependency_labels", {"dependency": torch.tensor([1])}, r"dependency .* each token \(4\)"),
    ],
)
def test_attributes_that_do_not_fit_the_graph_are_refused(name, unfit, message, texts, statistics):
    transform = KINDS[name](statistics)
    with pytest.raises(ValueError, match=rf"^{type(transform).__name__}: {message}"):
        transform(texts[0].clone().update(unfit))


def test_document_node_of_another_graph_is_refused(texts, statistics):
    batch = Batch.from_data_list(texts[:2])
    batch.document_index = torch.tensor([0, 1])
    with pytest.raises(ValueError, match="document_index must be a node of its own graph, in each"):
        AddTFIDFEdges(statistics)(batch)


def test_tokens_that_are_not_in_the_order_of_the_graphs_are_refused(vocab):
    batch = Batch.from_data_list([text_to_data(["oil"], vocab)] * 2)
    batch.token_index = batch.token_index.flip(0)
    with pytest.raises(
        ValueError, match=r"^AddNeighbourEdges: token_index must hold nodes, in \[0, 4"
    ):
        AddNeighbourEdges(1)(batch)


def test_head_in_another_graph_is_refused(vocab):
    batch = Batch.from_data_list([text_to_data(["oil"], vocab, heads=[0])] * 2)
    batch.head_index = batch.head_index.flip(0)
    with pytest.raises(ValueError, match=r"head_index must be in \[0, 2\), but ranges from 2 to 2"):
        AddDependencyEdges()(batch)


def test_data_pipes_have_a_method_for_it(texts, statistics):
    for name, arguments in (
        *(("pmi", [statistics]), ("tfidf", [statistics])),
        *(("neighbour", []), ("dependency", [])),
    ):
        pipe = getattr(DatasetAdapter([texts[0]]), f"add_{name}_edges")(*arguments)
        assert list(relation_edges(next(iter(pipe)), [name])) == [name]


@pytest.mark.parametrize("kind", [AddPMIEdges, AddTFIDFEdges])
def test_statistics_of_another_type_are_refused(kind):
    with pytest.raises(
        TypeError, match=r"statistics must be a WordStatistics, but got dict\. Make"
    ):
        kind({})


@pytest.mark.parametrize("kind", [AddPMIEdges, AddTFIDFEdges])
def test_word_that_was_not_counted_is_refused(kind, vocab, statistics):
    data = text_to_data(["oil"], vocab)
    data.x[0] = len(vocab)
    with pytest.raises(ValueError, match=r"must be in \[0, 7\).* counted with this vocabulary"):
        kind(statistics)(data)
