import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform

from tgraph_attn.convert import text_to_data
from tgraph_attn.datasets import TextCorpus
from tgraph_attn.datasets._text.published import PUBLISHED, Published
from tgraph_attn.relations import WordStatistics
from tgraph_attn.transforms import AddNeighbourEdges, DocumentGraph

SPLITS = ("train", "test")
TRAIN = """\
oil\tOil is up: the price of oil (crude) is up
gold\tGold is down, the price of gold is down
oil\tOPEC says oil is crude
gold\tThe of and
"""
TEST = "gold\tGold and silver\noil\t\noil\tzinc?\n"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "my texts é"
    folder.mkdir()
    (folder / "train.txt").write_text(TRAIN, encoding="utf-8")
    (folder / "test.txt").write_text(TEST, encoding="utf-8")
    return folder


@pytest.fixture
def make(tmp_path, folder):
    def build(split="train", name=folder, **options):
        options = {"min_count": 1, "log": False} | options
        return TextCorpus(tmp_path / "my data é" / "sub dir", name, split, **options)

    return build


@pytest.fixture
def published(tmp_path, data_folder):
    """A root, in whose raw folder are the files of a published corpus."""

    def root(name):
        for file in PUBLISHED[name].files:
            place = tmp_path / "root" / "raw" / name / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(data_folder / "text_gcn" / "data" / file.address.split("/data/")[1])
        return tmp_path / "root"

    return root


def words_of(dataset):
    return [dataset.graph.vocab.decode(data.x[:-1]) for data in dataset]


def test_items_have_what_the_docstring_says(make):
    for split in SPLITS:
        dataset = make(split)
        assert dataset.classes == ["gold", "oil"] and dataset.num_classes == 2
        for data in dataset:
            assert data.validate(raise_on_error=True)
            assert set(data.keys()) == {
                *("x", "token_index", "document_index", "y", "num_nodes"),
                *("pmi_edge_index", "pmi_edge_weight", "tfidf_edge_index", "tfidf_edge_weight"),
            }
            assert data.x[-1] == 2 and data.document_index.tolist() == [data.num_nodes - 1]
            assert (data.y.dtype, data.y.shape) == (torch.int64, (1,))


def test_words_texts_and_classes_are_in_the_order_of_the_file(make):
    dataset = make()
    assert words_of(dataset) == [
        ["oil", "price", "\\(", "crude", "\\)"],
        ["gold", ",", "price"],
        ["opec", "says", "oil", "crude"],
        [],
    ]
    assert [dataset.classes[data.y] for data in dataset] == ["oil", "gold", "oil", "gold"]
    assert dataset.texts == [line.split("\t")[1] for line in TRAIN.splitlines()]
    assert words_of(make("test")) == [["gold", "silver"], [], ["zinc", "\\?"]]
    assert make("test").texts == ["Gold and silver", "", "zinc?"]


def test_documents_that_lose_every_word_keep_one_node_and_their_class(make):
    empty = make("test")[1]
    assert (empty.num_nodes, empty.x.tolist(), empty.y.tolist()) == (1, [2], [1])
    assert empty.token_index.numel() == empty.tfidf_edge_weight.numel() == 0
    assert empty.pmi_edge_index.tolist() == [[0], [0]]
    assert make().report["train"]["empty_documents"] == 1
    batch = next(iter(DataLoader(make("test"), batch_size=3)))
    assert batch.document_index.tolist() == [2, 3, 6] and batch.y.tolist() == [0, 1, 1]


def test_each_filter_is_a_switch(make):
    assert words_of(make(stop_words=False))[1] == ["gold", "is", "down", ",", "the", "price", "of"]
    assert words_of(make(min_count=3)) == [["oil"], ["gold"], ["oil"], []]
    plain = words_of(make(legacy_backslashes=False))[0]
    assert plain == ["oil", "price", "(", "crude", ")"]


def test_stop_words_count_before_they_are_taken_out(make):
    assert make(min_count=3).report["words"] == {
        "found": 18,
        "kept": 2,
        "stop_words": 6,
        "rare": 10,
    }


def test_transductive_counts_on_both_splits_and_inductive_on_train_alone(make):
    both, alone = make("test"), make("test", statistics="inductive")
    assert words_of(both) == [["gold", "silver"], [], ["zinc", "\\?"]]
    assert words_of(alone) == [["gold"], [], []]
    assert both.graph.statistics.num_documents == 7 and alone.graph.statistics.num_documents == 4
    assert (
        alone.report["test"]["unknown_words"] == 3 and alone.report["test"]["empty_documents"] == 2
    )


def test_statistics_are_those_of_the_words_that_are_left(make):
    for legacy in (False, True):
        dataset = make(window=2, legacy_counts=legacy, min_count=2)
        vocab, texts = dataset.graph.vocab, []
        for split in SPLITS:
            for data in make(split, window=2, legacy_counts=legacy, min_count=2):
                texts.append(data.x[data.token_index].numpy())
        counted = WordStatistics.count(texts, len(vocab), window=2, legacy_counts=legacy)
        assert dataset.graph.statistics == counted
        gold = vocab.encode(["gold"])[0]
        assert np.isclose(dataset.graph.statistics.idf[gold], np.log(7 / 2))


def test_graph_makes_of_a_text_what_the_corpus_holds(make):
    for split in SPLITS:
        dataset = make(split, relations=["tfidf", "neighbour", "full"], neighbours=1)
        for data, text in zip(dataset, dataset.texts, strict=True):
            made = dataset.graph(text)
            assert set(made.keys()) == set(data.keys()) - {"y"}
            for key, value in made.to_dict().items():
                same = (
                    value.equal(data[key])
                    if isinstance(value, torch.Tensor)
                    else value == data[key]
                )
                assert same, key
    assert dataset.graph("platinum").num_nodes == 1
    assert "neighbours=1" in repr(dataset.graph)


def test_texts_are_those_of_the_graphs_however_they_are_chosen(make):
    whole = make()
    mask = torch.tensor([True, False, True, False])
    some = [whole[1:], whole[[2, 0]], whole[mask], whole.shuffle(), whole[1:][[2, 0]], whole[:0]]
    some += [part.copy() for part in (whole, whole[1:], whole[[2, 0]])]
    some += [whole.copy([3, 2]), whole[1:].copy(slice(1, 3)), whole.copy([1]), whole.copy(mask)[1:]]
    for part in (*some, pickle.loads(pickle.dumps(whole[[2, 0]]))):
        assert len(part.texts) == len(part)
        for data, text in zip(part, part.texts, strict=True):
            assert data.x.equal(whole.graph(text).x)
    assert [len(part) for part in some] == [3, 2, 2, 4, 2, 0, 4, 3, 2, 2, 2, 1, 1]
    copied = whole.copy()
    copied.texts.pop()
    assert len(whole.texts) == 4


def test_corpus_can_be_pickled(make):
    dataset = make("test", transform=AddNeighbourEdges(1))
    again = pickle.loads(pickle.dumps(dataset))
    assert (again.texts, again.classes, again.report) == (
        dataset.texts,
        dataset.classes,
        dataset.report,
    )
    assert again.graph == dataset.graph and again.raw_dir == dataset.raw_dir
    for data, before in zip(again, dataset, strict=True):
        assert data.neighbour_edge_index.equal(before.neighbour_edge_index)


def test_each_token_may_be_a_node(make):
    data = make(nodes="tokens")[0]
    assert data.num_nodes == 7 and data.token_index.tolist() == list(range(6))


def test_tokens_and_heads_of_json_lines_become_dependency_edges(make, tmp_path):
    folder = tmp_path / "parsed"
    folder.mkdir()
    rows = [
        {"label": "a", "tokens": ["Oil", "prices", "rise"], "heads": [1, 2, 2]},
        {"label": "b", "tokens": [], "heads": []},
    ]
    for split in SPLITS:
        lines = "\n".join(map(json.dumps, rows))
        (folder / f"{split}.jsonl").write_text(lines, encoding="utf-8")
    dataset = make(name=folder, relations=["dependency"])
    expected = text_to_data(["oil", "prices", "rise"], dataset.graph.vocab, heads=[1, 2, 2])
    assert dataset[0].head_index.equal(expected.head_index)
    assert dataset[0].dependency_edge_index.shape[1] == 2 * 2 + 4
    assert dataset.texts == ["Oil prices rise", ""]
    assert "head_index" in make(name=folder)[1]
    rows[1] = {"label": "b", "text": "No heads"}
    (folder / "test.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert "head_index" not in make(name=folder)[0]
    with pytest.raises(ValueError, match=r"relation 'dependency', but 1 of 4 have none"):
        make(name=folder, relations=["dependency"])


def test_report_accounts_for_every_document_and_word(make):
    report = make().report
    assert report == make("test").report
    words = report["words"]
    assert words["found"] == words["kept"] + words["stop_words"] + words["rare"]
    assert report["train"]["classes"] == {"gold": 2, "oil": 2} and report["classes"] == [
        "gold",
        "oil",
    ]
    assert report["train"]["documents"] == 4 and report["test"]["documents"] == 3
    train = report["train"]
    assert train["tokens"] == train["kept_tokens"] + train["stop_tokens"] == 30
    assert report["settings"]["stop_words"] == "nltk_english_179.txt"
    assert make(stop_words=False).report["settings"]["stop_words"] is None


@pytest.mark.parametrize(
    "options",
    [
        {"relations": ("pmi",)},
        {"nodes": "tokens"},
        {"statistics": "inductive"},
        {"min_count": 2},
        {"stop_words": False},
        {"window": 3},
        {"legacy_counts": True},
        {"legacy_backslashes": False},
        {"neighbours": 2},
        {"encoding": "latin-1"},
        {"pre_transform": AddNeighbourEdges(2)},
    ],
    ids=str,
)
def test_other_settings_at_the_same_root_never_get_the_first_data(make, options):
    first = make()
    kept = [data.clone() for data in first]
    assert make(**options).processed_dir != first.processed_dir
    again = make()
    assert again.processed_dir == first.processed_dir
    for data, before in zip(again, kept, strict=True):
        assert data.x.equal(before.x) and data.pmi_edge_weight.equal(before.pmi_edge_weight)


def test_changed_texts_at_the_same_root_never_get_the_first_data(make, folder):
    first = make()
    (folder / "test.txt").write_text("gold\tOil", encoding="utf-8")
    assert make().processed_dir != first.processed_dir and len(make("test")) == 1


def test_what_is_there_is_not_made_again(make, monkeypatch):
    first = make()
    monkeypatch.setattr(TextCorpus, "process", lambda self: pytest.fail("made again"))
    assert make("test").processed_dir == first.processed_dir


def test_half_made_data_is_made_again(make):
    first = make()
    Path(first.processed_dir, "settings.json").unlink()
    Path(first.processed_dir, "train.pt").write_bytes(b"half")
    assert make()[0].x.equal(first[0].x)
    assert not list(Path(first.root).glob(".making-*"))


@pytest.mark.parametrize("content", [None, b"half", b"[]"], ids=str)
@pytest.mark.parametrize(
    "name",
    [
        *("train.pt", "texts-train.json", "report.json", "graph.json", "vocab.json"),
        *("statistics.npz", "pre_transform.pt", "pre_filter.pt"),
    ],
)
def test_damaged_data_is_refused_and_made_anew_once_it_is_deleted(make, name, content):
    dataset = make()
    path = Path(dataset.processed_dir, name)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    elif name.startswith("pre_"):
        return  # PyG does without
    with pytest.raises(ValueError, match=r"^TextCorpus: ") as caught:
        make()
    said = str(caught.value)
    assert f": {path.parent} must hold" in said and "is damaged or gone" in said
    assert said.endswith("Delete that folder, and it is made anew.")
    shutil.rmtree(path.parent)
    assert make().texts == dataset.texts


def test_interrupted_making_is_made_again(make, monkeypatch):
    replace = os.replace

    def stop(source, target):
        if str(target).endswith("train.pt"):
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr("os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        make()
    monkeypatch.undo()
    assert len(make()) == 4


def test_number_of_classes_is_that_of_the_corpus(make, folder):
    (folder / "test.txt").write_text("gold\tGold", encoding="utf-8")
    assert (make("test").num_classes, make("test").classes) == (2, ["gold", "oil"])


def test_another_process_loads_it_with_the_defaults_of_torch(make, folder):
    dataset = make("test", relations=["full"])
    code = (
        "import sys, warnings\n"
        "from tgraph_attn.datasets import TextCorpus\n"
        "warnings.simplefilter('error')\n"
        "TextCorpus.process = None\n"
        "data = TextCorpus(sys.argv[1], sys.argv[2], 'test', min_count=1, relations=['full'])\n"
        "print(len(data), data[0].x.tolist(), data.classes, data.graph('gold').num_nodes)\n"
    )
    command = [sys.executable, "-c", code, dataset.root, str(folder)]
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout == f"3 {dataset[0].x.tolist()} ['gold', 'oil'] 2\n"


def test_progress_is_shown_unless_it_is_switched_off(make, capsys):
    make()
    assert capsys.readouterr().err == ""
    make(log=True, window=7)
    assert "Converting train" in capsys.readouterr().err


class LabelSome(BaseTransform):
    """Writes an attribute on some graphs only."""

    def forward(self, data: Data) -> Data:
        if data.num_nodes > 5:
            data.label = 1
        return data

    def __repr__(self) -> str:
        return "LabelSome()"


def test_items_with_different_keys_are_refused(make):
    with pytest.raises(ValueError, match=r"TextCorpus: .*item 0 has 'label' and item 1 lacks it"):
        make(pre_transform=LabelSome())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"split": "val"}, ValueError, r"split must be one of .* but got 'val'"),
        ({"nodes": "letters"}, ValueError, r"nodes must be one of .* but got 'letters'"),
        ({"statistics": "test"}, ValueError, r"statistics must be one of .* but got 'test'"),
        ({"relations": ["pmo"]}, ValueError, r"each relation must be one of .* but got 'pmo'"),
        ({"relations": "pmi"}, TypeError, r"relations must be a list or tuple, but got str"),
        ({"min_count": 0}, ValueError, "min_count must be at least 1, but got 0"),
        ({"window": 0}, ValueError, "window must be at least 1, but got 0"),
        ({"neighbours": -1}, ValueError, "neighbours must be at least 1, but got -1"),
        ({"pre_transform": lambda data: data}, ValueError, "pre_transform must have a repr"),
        ({"name": "20ng"}, ValueError, r"name must be one of .* or a folder, but '20ng'"),
        ({"encoding": "utf-88"}, ValueError, "encoding must be one that Python knows"),
        ({"encoding": "base64"}, ValueError, "encoding must be one that Python knows"),
        ({"encoding": None}, TypeError, "encoding must be a str, but got NoneType"),
    ],
)
def test_bad_options_are_refused(make, options, error, message):
    with pytest.raises(error, match=f"TextCorpus: {message}"):
        make(**options)


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ("", TEST, "split 'train' of .* must have documents, but has none"),
        (TRAIN, "", "split 'test' of .* must have documents, but has none"),
        ("oil\tOil\noil\tUp\n", "oil\tOil\n", r"two classes at least, but has \['oil'\] only"),
        (TRAIN, "tin\tTin\n", r"in train too, .* but \['tin'\] of .* is in test only"),
        (TRAIN + "gold price\n", TEST, "line 5 of .*train.txt must have label, tab and text"),
        (
            "oil\tНефть растёт\ngold\tЗолото\n",
            "oil\tНефть\n",
            r"TextCorpus: .* no word of it is kept: of the 0 different words found in .*my texts é"
            r", 0 are rare \(below min_count=1\), 0 are stop .* ASCII letters, .*tokens of .jsonl",
        ),
        ("oil\tНефть, да\ngold\tЗолото?\n", TEST, "most letters of train must be ASCII, but of"),
        ("oil\tThe of\ngold\tAnd\n", TEST, "of the 7 different .* 3 are stop .* 4 are in test"),
    ],
)
def test_corpus_that_makes_no_sense_is_refused_and_leaves_nothing(
    make, folder, train, test, message
):
    (folder / "train.txt").write_text(train, encoding="utf-8")
    (folder / "test.txt").write_text(test, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        make()
    assert not list((folder.parent / "my data é").rglob("*.json"))


def test_small_corpus_with_the_default_min_count_is_refused(make):
    message = (
        r"of the 18 different words .* 12 are rare \(below min_count=5\), 6 are stop words. Pas"
    )
    with pytest.raises(ValueError, match=message):
        make(min_count=5)


def test_latin_1_needs_to_be_said(make, folder):
    (folder / "test.txt").write_bytes("oil\tcafé zinc\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r'test.txt must be in utf-8, .*encoding="latin-1"'):
        make("test")
    assert words_of(make("test", encoding="latin-1")) == [["caf", "zinc"]]


def test_missing_split_is_refused(make, folder):
    (folder / "test.txt").unlink()
    with pytest.raises(FileNotFoundError, match=r"must hold one of \['test.txt', 'test.csv'"):
        make()


@pytest.mark.parametrize(
    ("name", "words", "average"),
    [("R8", 7688, 65.72), ("R52", 8892, 69.82), ("Ohsumed", 14157, 135.82)],
)
def test_published_corpora_have_the_published_words(published, name, words, average):
    root = published(name)
    train, test = (TextCorpus(root, name, split, relations=["full"], log=False) for split in SPLITS)
    assert len(train.graph.vocab) - 3 == train.report["words"]["kept"] == words
    assert {"train": len(train), "test": len(test)} == PUBLISHED[name].documents
    assert (
        len(train.classes) == PUBLISHED[name].num_classes == train.num_classes == test.num_classes
    )
    tokens = sum(data.token_index.numel() for dataset in (train, test) for data in dataset)
    assert round(tokens / (len(train) + len(test)), 2) == average
    if name == "R8":
        nodes = sum(data.num_nodes - 1 for dataset in (train, test) for data in dataset)
        assert round(nodes / (len(train) + len(test)), 1) == 42.2
    assert train.report["train"]["empty_documents"] == train.report["test"]["empty_documents"] == 0
    assert train[0].full and train.raw_dir == str(root / "raw" / name)


def test_files_of_another_corpus_are_refused(published):
    root = published("R52")
    (root / "raw" / "R52").rename(root / "raw" / "R8")
    with pytest.raises(ValueError, match=r"3,354,423 bytes .* \(6,532 lines\).*train.txt of R52"):
        TextCorpus(root, "R8", log=False)


def test_published_corpus_with_other_words_is_refused(published, monkeypatch):
    root, r8 = published("R8"), PUBLISHED["R8"]
    monkeypatch.setitem(PUBLISHED, "R8", Published(r8.files, r8.documents, 8, num_words=7689))
    message = "R8 must have 7,689 words in the vocabulary, but has 7,688 words in the vocabulary"
    with pytest.raises(ValueError, match=message):
        TextCorpus(root, "R8", relations=[], log=False)
    assert (
        TextCorpus(root, "R8", relations=[], min_count=50, log=False).report["words"]["kept"] < 7688
    )


def test_stdlib_is_eight_classes_of_docstrings_without_a_network(tmp_path):
    train, test = (
        TextCorpus(tmp_path, split=split, relations=["full"], log=False) for split in SPLITS
    )
    assert len(train.classes) == 8 and len(train) > 3000 and len(test) > 700
    assert isinstance(train.graph, DocumentGraph)
    for split in SPLITS:
        classes = train.report[split]["classes"]
        assert len(classes) == 8 and max(classes.values()) < 5 * min(classes.values())
        assert max(classes.values()) < 0.4 * sum(classes.values())
    said = [{" ".join(text.split()) for text in dataset.texts} for dataset in (train, test)]
    assert [len(texts) for texts in said] == [len(train), len(test)] and not said[0] & said[1]
