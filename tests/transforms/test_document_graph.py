import copy
import json
import pickle

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.convert import relation_edges, text_to_data
from tgraph_attn.parse import clean_text
from tgraph_attn.relations import WordStatistics
from tgraph_attn.transforms import (
    AddDependencyEdges,
    AddFullEdges,
    AddNeighbourEdges,
    AddPMIEdges,
    AddTFIDFEdges,
    DocumentGraph,
)
from tgraph_attn.vocab import Vocab

ALL = ("pmi", "tfidf", "neighbour", "full", "dependency")


@pytest.fixture
def graph(vocab, statistics):
    return DocumentGraph(vocab, statistics, relations=ALL[:4], neighbours=2)


def test_a_text_gets_the_nodes_and_edges_of_its_cleaned_words(graph, vocab, statistics, same):
    data = graph("The OIL-price rises (oil!), wheat")
    expected = text_to_data("oil price rises oil wheat".split(), vocab)
    for transform in (
        *(AddPMIEdges(statistics), AddTFIDFEdges(statistics)),
        *(AddNeighbourEdges(2), AddFullEdges()),
    ):
        expected = transform(expected)
    assert same(data, expected) and data.num_nodes == 5


def test_words_are_taken_as_they_are(graph, same):
    assert same(graph(["oil", "price"]), graph("Oil price"))
    assert graph(["Oil price"]).num_nodes == 1


def test_only_the_relations_asked_for_are_there_by_default_pmi_and_tfidf(vocab, statistics):
    text = ["oil"]
    assert "full" not in DocumentGraph(vocab, statistics)(text)
    for names in (["pmi", "tfidf"], ["neighbour"], ["full"], []):
        data = DocumentGraph(vocab, statistics, relations=names)(text)
        assert list(relation_edges(data, names)) == names
        assert {key for key in data.keys() if "edge_index" in key} == {
            f"{name}_edge_index" for name in names if name != "full"
        }


@pytest.mark.parametrize("text", ["", "   ", "unknown words, all of them", [], "\x00\ud800é"])
def test_text_without_known_words_is_a_lone_document_node(text, graph):
    data = graph(text)
    data.validate()
    assert data.x.tolist() == [2] and data.num_nodes == 1 and data.full
    assert data.pmi_edge_index.tolist() == data.neighbour_edge_index.tolist() == [[0], [0]]
    assert data.tfidf_edge_index.shape == (2, 0)
    assert Batch.from_data_list([graph("oil"), data]).document_index.tolist() == [1, 2]


def test_tokens_have_nodes_of_their_own(vocab, statistics):
    graph = DocumentGraph(vocab, statistics, nodes="tokens")
    assert graph("oil price oil").x.tolist() == [3, 4, 3, 2]


def test_switches_of_the_cleaning_are_passed_on(statistics):
    vocab = Vocab(["<pad>", "<unk>", "<document>", "(", "\\(", "a", "b"])
    plain = DocumentGraph(vocab, relations=[], cleaning={"legacy_backslashes": False})
    assert plain("(").x.tolist() == [3, 2]
    assert DocumentGraph(vocab, relations=[])("(").x.tolist() == [4, 2]
    assert clean_text("(") == ["\\("]


def test_dependency_needs_heads_unless_there_are_no_words(vocab, same):
    graph = DocumentGraph(vocab, relations=["dependency"])
    expected = AddDependencyEdges()(text_to_data(["oil", "price"], vocab, heads=[1, 1]))
    assert same(graph(["oil", "price"], heads=[1, 1]), expected)
    assert graph("").dependency_edge_index.tolist() == [[0], [0]]
    for text in ("oil", ["oil"]):
        with pytest.raises(ValueError, match="heads must be given for the relation 'dependency'"):
            graph(text)


def test_heads_of_a_raw_text_are_refused(graph):
    with pytest.raises(ValueError, match=r"text is one str, which is still to be cleaned\. Pass a"):
        graph("oil price", heads=[1, 1])


@pytest.mark.parametrize("settings", [{}, {"relations": ["neighbour", "full"], "nodes": "tokens"}])
def test_folder_and_pickle_make_the_same_graphs(settings, vocab, statistics, same, tmp_path):
    made = DocumentGraph(
        vocab, statistics, neighbours=5, cleaning={"legacy_backslashes": False}, **settings
    )
    made.save(tmp_path / "new" / "graph")
    loaded = DocumentGraph.load(tmp_path / "new" / "graph")
    for again in (loaded, pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert again == made and repr(again) == repr(made)
        assert same(again("oil price (of) oil"), made("oil price (of) oil"))
    files = {path.name for path in (tmp_path / "new" / "graph").iterdir()}
    assert files == {"graph.json", "vocab.json", "statistics.npz"}


def test_graph_without_statistics_is_saved_without_them(vocab, tmp_path):
    made = DocumentGraph(vocab, relations=["neighbour"])
    made.save(tmp_path)
    assert DocumentGraph.load(tmp_path) == made and made.statistics is None
    assert {path.name for path in tmp_path.iterdir()} == {"graph.json", "vocab.json"}


def test_settings_are_plain_and_tell_graphs_apart(vocab, statistics):
    made = DocumentGraph(vocab, statistics)
    assert json.loads(json.dumps(made.settings)) == made.settings
    others = [
        DocumentGraph(vocab, statistics, **settings)
        for settings in (
            *({"relations": ["tfidf", "pmi"]}, {"nodes": "tokens"}, {"neighbours": 4}),
            {"cleaning": {"legacy_backslashes": False}},
        )
    ]
    others.append(DocumentGraph(vocab, WordStatistics.count([[3]], 7)))
    others.append(DocumentGraph(Vocab([*vocab.tokens[:-1], "corn"]), statistics))
    assert made == DocumentGraph(vocab, statistics) and made != "graph"
    assert all(other != made for other in others)
    assert len({repr(other) for other in (*others[:-1], made)}) == len(others)


def test_files_of_two_saves_are_never_loaded_together(vocab, statistics, tmp_path):
    DocumentGraph(vocab, statistics).save(tmp_path / "one")
    other = Vocab([*vocab.tokens[:-1], "corn"])
    DocumentGraph(other, statistics).save(tmp_path / "two")
    (tmp_path / "two" / "vocab.json").replace(tmp_path / "one" / "vocab.json")
    with pytest.raises(
        ValueError, match=r"graph\.json belongs to another vocab\.json\)\. Save the"
    ):
        DocumentGraph.load(tmp_path / "one")


def test_folder_that_is_not_whole_is_refused(graph, tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"^DocumentGraph.load: .* Write one with graph\.sa"
    ):
        DocumentGraph.load(tmp_path / "none")
    for name in ("statistics.npz", "vocab.json", "graph.json"):
        graph.save(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(
            ValueError, match=r"^DocumentGraph.load: .* must hold what DocumentGraph"
        ):
            DocumentGraph.load(tmp_path)
    for content in ("{}", '{"format": "other"}', "[]", "words"):
        graph.save(tmp_path)
        (tmp_path / "graph.json").write_text(content)
        with pytest.raises(
            ValueError, match=r"^DocumentGraph.load: .* must hold what DocumentGraph"
        ):
            DocumentGraph.load(tmp_path)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"relations": ["window"]}, ValueError, r"each relation must be one of \['dependency', 'f"),
        ({"relations": "pmi"}, TypeError, r"relations must be a list of names, .*Pass \['pmi'\]"),
        ({"nodes": "all"}, ValueError, r"nodes must be one of \['tokens', 'words'\]"),
        ({"neighbours": 0}, ValueError, "neighbours must be at least 1"),
        ({"cleaning": {"lower": True}}, ValueError, r"cleaning must hold \['legacy_backslashes'\]"),
        ({"statistics": None}, ValueError, r"statistics must be given .*\['pmi', 'tfidf'\], but"),
        ({"statistics": {}}, TypeError, "statistics must be a WordStatistics, but got dict"),
        ({"vocab": Vocab.build([])}, ValueError, "vocab must have '<document>' as id 2"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, error, message, vocab, statistics):
    arguments = {"vocab": vocab, "statistics": statistics, **settings}
    with pytest.raises(error, match=rf"^DocumentGraph: {message}"):
        DocumentGraph(**arguments)


def test_statistics_of_another_vocabulary_are_refused(vocab):
    with pytest.raises(ValueError, match="must be of the 7 words of the vocabulary, but are of 9"):
        DocumentGraph(vocab, WordStatistics.count([[8]], 9))


def test_real_documents_have_text_gcns_graph(data_folder):
    """R8 as its test documents are published, without filters: one graph for each, and for all."""
    lines = (data_folder / "text_gcn/data/R8/test.txt").read_bytes().split(b"\n")[:300]
    texts = [line.decode("latin-1").partition("\t")[2] for line in lines]
    words = [clean_text(text) for text in texts]
    vocab = Vocab.build((word for text in words for word in text), specials=["<document>"])
    statistics = WordStatistics.count([vocab.encode(text) for text in words], len(vocab))
    graph = DocumentGraph(vocab, statistics)
    batch = Batch.from_data_list([graph(text) for text in texts])
    assert batch.num_nodes == sum(len(set(text)) + 1 for text in words)
    assert len(batch.token_index) == sum(map(len, words))
    assert vocab.decode(batch.x[batch.token_index]) == [word for text in words for word in text]
    (key, query), weight = batch.pmi_edge_index, batch.pmi_edge_weight
    apart = key != query
    pmi = statistics.pmi.toarray()[batch.x[key[apart]], batch.x[query[apart]]]
    assert torch.equal(weight[apart], torch.from_numpy(pmi)) and weight.min() > 0
    assert torch.equal(batch.batch[key], batch.batch[query])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "text must be a str or list or tuple, but got NoneType"),
        (b"oil", "text must be a str or list or tuple, but got bytes"),
        (1, "text must be a str or list or tuple, but got int"),
        ({"oil": 1}, "text must be a str or list or tuple, but got dict"),
        ([1, 2], "a list of words must hold str, but holds int"),
        (["oil", None], "a list of words must hold str, but holds NoneType"),
        ((b"oil",), "a list of words must hold str, but holds bytes"),
        ([["oil"]], "a list of words must hold str, but holds list"),
    ],
)
def test_what_is_no_text_is_refused(graph, text, message):
    with pytest.raises(TypeError, match=rf"^DocumentGraph: {message}\. Pass one raw text"):
        graph(text)


def test_words_may_be_a_tuple_and_of_a_kind_of_str(graph, same):
    assert same(graph(("oil", "price")), graph(["oil", "price"]))
    assert same(graph(np.array(["oil", "price"]).tolist()), graph(["oil", "price"]))
    assert same(graph(list(np.array(["oil", "price"]))), graph(["oil", "price"]))


@pytest.fixture(params=[0, 2], ids=["adds none", "adds two"])
def tokenizer(request):
    """Cuts words into letters; puts [CLS] first and [SEP] last, or adds nothing."""
    tokenizers = pytest.importorskip("tokenizers")
    letters = {letter: number for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    made = tokenizers.Tokenizer(tokenizers.models.BPE({**letters, "[CLS]": 26, "[SEP]": 27}, []))
    if request.param:
        made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 27), ("[CLS]", 26))
    return made


def test_a_text_has_at_most_max_pieces_with_those_that_are_added(vocab, tokenizer):
    least = tokenizer.num_special_tokens_to_add(False) + 1
    for limit in (least, least + 1, 5, 256):
        graph = DocumentGraph(vocab, relations=[], tokenizer=tokenizer, max_pieces=limit)
        sizes = [graph(text).piece.numel() for text in ("oil price rises oil", "oil", "")]
        assert sizes == [min(limit, size + least - 1) for size in (16, 3, 0)]


def test_max_pieces_without_room_for_a_piece_of_the_text_is_refused(vocab, tokenizer):
    added = tokenizer.num_special_tokens_to_add(False)
    for limit in range(1, added + 1):
        message = rf"^DocumentGraph: max_pieces must be at least 3, the 2 that .* but got {limit}\."
        with pytest.raises(ValueError, match=message):
            DocumentGraph(vocab, relations=[], tokenizer=tokenizer, max_pieces=limit)
    assert DocumentGraph(vocab, relations=[], max_pieces=1).max_pieces == 1  # nothing reads it
