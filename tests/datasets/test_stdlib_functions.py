import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform

from tgraph_attn.convert import parent_of
from tgraph_attn.datasets import StdlibFunctions
from tgraph_attn.transforms import AddAncestorEdges

SPLITS = ("train", "val", "test")


def write_sources(folder, number=10, extra=""):
    """A folder in which file n has two functions, one with a docstring; both use their names."""
    for n in range(number):
        (folder / f"sub {n % 3}").mkdir(parents=True, exist_ok=True)
        (folder / f"sub {n % 3}" / f"file{n}.py").write_text(
            f"def get_value{n}(a, b):\n"
            f'    """Return value number {n}. And more."""\n'
            f"    return get_value{n}(a + {n}, b) if self.getValue{n} else a{extra}\n\n"
            f"def put(c): return put(c - {n})\n",
            encoding="utf-8",
        )
    return folder


@pytest.fixture
def source(tmp_path):
    return write_sources(tmp_path / "my source é")


@pytest.fixture
def make(tmp_path, source):
    def build(target="name", split="train", **options):
        options = {"source": source, "log": False} | options
        return StdlibFunctions(tmp_path / "my data é" / "sub dir", target, split, **options)

    return build


def identifiers(data, vocab):
    """The words of each identifier of an item, and all labels, from its ids alone."""
    labels, words = vocab.decode(data.x), {}
    for row, parent in enumerate(data.parent_index.tolist()):
        if labels[row].startswith("subtoken "):
            words.setdefault(parent, []).append(labels[row].removeprefix("subtoken "))
    return list(words.values()), labels


def test_items_have_what_the_docstring_says(make):
    dataset = make(max_target=5, min_count=1)
    for data in dataset:
        assert data.validate(raise_on_error=True)
        n = data.num_nodes
        assert set(data.keys()) == {
            *("x", "edge_index", "edge_type", "parent_index", "depth", "y", "target", "origin"),
            "num_nodes",
        }
        for column in (data.x, data.parent_index, data.depth):
            assert (column.dtype, column.shape) == (torch.int64, (n,))
        assert data.edge_index.shape == (2, 2 * (n - 1)) and data.edge_type.shape == (2 * (n - 1),)
        assert (data.y.dtype, data.y.shape) == (torch.int64, (1, 5))
        words = [*data.target.split(), "<eos>"]
        assert dataset.target_vocab.decode(data.y[0]) == words + ["<pad>"] * (5 - len(words))
        assert data.depth[1:].equal(data.depth[data.parent_index[1:]] + 1)


@pytest.mark.parametrize("target", ["name", "summary"])
def test_no_input_holds_its_target(make, target):
    for split in SPLITS:
        dataset = make(target, split, min_count=1)
        for data in dataset:
            groups, labels = identifiers(data, dataset.source_vocab)
            name = ["put"] if "put" in data.target else ["get", "value"]
            assert labels.count("<mask>") >= 2 and ([["a"], ["b"]] == groups[:2] or ["c"] in groups)
            assert all(group[: len(name)] != name for group in groups)
            assert not any("number" in label or "more" in label for label in labels)


@pytest.mark.parametrize("target", ["name", "summary"])
def test_no_input_of_real_code_holds_its_target(tmp_path, target):
    folder = Path(json.__file__).parents[1] / "email"
    total = 0
    for split in SPLITS:
        options = dict(source=folder, min_count=1, max_nodes=10_000, log=False)
        dataset = StdlibFunctions(tmp_path, target, split, **options)
        total += len(dataset)
        for data in dataset:
            groups, labels = identifiers(data, dataset.source_vocab)
            assert labels[1] == "<mask>"
            if target == "name":  # a summary may use a word of the code
                assert data.target.split() not in groups, data.origin
            assert not [label for label in labels if label.startswith("string_content ")]
    assert total == dataset.report["functions"]["kept"] > 50


def test_origin_leads_to_the_function(make, source):
    for split in SPLITS:
        for data in make(split=split):
            name, line = data.origin.split(":")
            text = (source / name).read_text(encoding="utf-8").split("\n")[int(line) - 1]
            assert text.startswith(f"def {'_'.join(data.target.split()[:1])}")


def test_splits_share_no_file_and_both_targets_split_alike(make):
    files = {s: {d.origin.split(":")[0] for d in make(split=s)} for s in SPLITS}
    assert [len(files[s]) for s in SPLITS] == [8, 1, 1]
    assert len(set.union(*files.values())) == 10
    for split in SPLITS:
        assert {d.origin.split(":")[0] for d in make("summary", split)} == files[split]
        assert make(split=split).report["splits"][split]["files"] == sorted(files[split])
    other = {d.origin.split(":")[0] for d in make(split="test", split_seed=1)}
    assert other != files["test"]


def test_vocabularies_come_from_the_training_split_only(make):
    for split in SPLITS:
        dataset = make(split=split, min_count=1)
        assert dataset.source_vocab.tokens[:3] == ("<pad>", "<unk>", "<mask>")
        assert dataset.target_vocab.tokens[:4] == ("<pad>", "<unk>", "<bos>", "<eos>")
        numbers = {d.target.split()[-1] for d in dataset} - {"put"}
        assert all((n in dataset.target_vocab) == (split == "train") for n in numbers)
        assert all((f"integer {n}" in dataset.source_vocab) == (split == "train") for n in numbers)
        unknown = sum(int((d.x == 1).sum()) + int((d.y == 1).sum()) for d in dataset)
        assert (unknown == 0) == (split == "train")
    assert "value" in make().target_vocab and "3" not in make(min_count=2).target_vocab


def test_long_targets_are_cut_and_still_end(make):
    dataset = make("summary", max_target=3)
    ends = {data.y[0, -1].item() for data in dataset}
    assert ends == {dataset.target_vocab.encode(["<eos>"])[0]}
    assert len(dataset[0].target.split()) == 4


def test_large_trees_are_cut_to_their_first_nodes(make):
    whole, cut = make(min_count=1), make(min_count=1, max_nodes=12)
    assert max(d.num_nodes for d in cut) == 12 and cut.report["functions"]["truncated"] > 0
    by_origin = {data.origin: data for data in whole}
    for short in cut:
        long = by_origin[short.origin]
        labels = [d.source_vocab.decode(x) for d, x in ((whole, long.x), (cut, short.x))]
        assert labels[1] == labels[0][:12]
        assert parent_of(short).tolist() == parent_of(long)[:12].tolist()


@pytest.mark.parametrize(
    "options",
    [
        {"target": "summary"},
        {"max_nodes": 15},
        {"max_target": 7},
        {"min_count": 1},
        {"split_seed": 3},
        {"pre_transform": AddAncestorEdges(2)},
        {"pre_transform": AddAncestorEdges(3)},
    ],
    ids=str,
)
def test_other_settings_at_the_same_root_never_get_the_first_data(make, options):
    first = make()
    kept = [data.clone() for data in first]
    other = make(**options)
    assert other.processed_dir != first.processed_dir
    settings = json.loads(Path(other.processed_dir, "settings.json").read_text("utf-8"))
    options = {k: v if isinstance(v, int | str) else repr(v) for k, v in options.items()}
    assert settings.items() >= options.items() and settings == other.settings
    again = make()
    assert again.processed_dir == first.processed_dir
    for data, before in zip(again, kept, strict=True):
        assert data.x.equal(before.x) and data.y.equal(before.y)
    assert "ancestor_edge_index" not in again[0]
    if "pre_transform" in options:
        largest = int(other[0].ancestor_edge_type.max())
        assert f"max_distance={largest // 2}" in options["pre_transform"]


@pytest.mark.parametrize(
    ("module", "name"),
    [("platform", "python_version"), ("importlib.metadata", "version")],
)
def test_other_versions_at_the_same_root_never_get_the_first_data(make, monkeypatch, module, name):
    first = make().processed_dir
    monkeypatch.setattr(f"{module}.{name}", lambda *_: "99.9")
    assert make().processed_dir != first


def test_changed_sources_at_the_same_root_never_get_the_first_data(make, source):
    first = make()
    write_sources(source, extra=" * 2")
    second = make()
    assert second.processed_dir != first.processed_dir
    assert second[0].num_nodes == first[0].num_nodes + 2


def test_what_is_there_is_not_made_again(make, monkeypatch):
    first = make()
    monkeypatch.setattr(StdlibFunctions, "process", lambda self: pytest.fail("made again"))
    assert make(split="val").processed_dir == first.processed_dir


def test_half_made_data_is_made_again(make):
    first = make()
    Path(first.processed_dir, "settings.json").unlink()
    Path(first.processed_dir, "train.pt").write_bytes(b"half")
    assert make()[0].x.equal(first[0].x)
    assert not list(Path(first.root).glob(".making-*"))


@pytest.mark.parametrize("content", [None, b"half", b"[]"], ids=str)
@pytest.mark.parametrize(
    "name",
    ["train.pt", "report.json", "source_vocab.json", "target_vocab.json", "pre_transform.pt"],
)
def test_damaged_data_is_refused_and_made_anew_once_it_is_deleted(make, name, content):
    dataset = make()
    path = Path(dataset.processed_dir, name)
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    elif name.startswith("pre_"):
        return  # PyG does without
    with pytest.raises(ValueError, match=r"^StdlibFunctions: ") as caught:
        make()
    said = str(caught.value)
    assert f": {path.parent} must hold" in said and "is damaged or gone" in said
    assert said.endswith("Delete that folder, and it is made anew.")
    shutil.rmtree(path.parent)
    assert len(make()) == len(dataset)


def test_data_set_can_be_pickled(make):
    dataset = make()
    again = pickle.loads(pickle.dumps(dataset))
    assert again[1:3].target == dataset[1:3].target and again.target_vocab == dataset.target_vocab


def test_another_process_loads_it_with_the_defaults_of_torch(make, tmp_path, source):
    dataset = make()
    code = (
        "import sys, warnings\n"
        "from tgraph_attn.datasets import StdlibFunctions\n"
        "warnings.simplefilter('error')\n"
        "StdlibFunctions.process = None\n"
        "data = StdlibFunctions(sys.argv[1], source=sys.argv[2])\n"
        "print(len(data), data[3].x.tolist(), data[3].target)\n"
    )
    command = [sys.executable, "-c", code, dataset.root, str(source)]
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout == f"{len(dataset)} {dataset[3].x.tolist()} {dataset[3].target}\n"
    torch.load(Path(dataset.processed_dir, "train.pt"))  # only weights, by default


@pytest.mark.filterwarnings("ignore:.*pin_memory.*")
def test_batches_keep_each_tree_alone(make):
    dataset = make(transform=AddAncestorEdges(2))
    batch = next(iter(DataLoader(dataset, batch_size=4)))
    assert batch.y.shape == (4, 30) and batch.target == [dataset[i].target for i in range(4)]
    for data, alone in zip(batch.to_data_list(), dataset, strict=False):
        assert data.x.equal(alone.x)
        assert data.ancestor_edge_index.equal(alone.ancestor_edge_index)
    assert batch.batch[batch.ancestor_edge_index].diff(dim=0).eq(0).all()


def test_kept_and_dropped_are_all_that_was_found(make, source):
    (source / "empty.py").write_text("")
    (source / "syntax.py").write_text("def f(:\n")
    report = make("summary").report
    assert report == json.loads(Path(make("summary").processed_dir, "report.json").read_text())
    files, functions, splits = report["files"], report["functions"], report["splits"]
    assert (files["found"], files["kept"], functions["found"], functions["kept"]) == (
        12,
        10,
        20,
        10,
    )
    assert files["dropped"] == {"no function": ["empty.py"], "syntax errors": ["syntax.py"]}
    assert functions["dropped"] == {"no docstring": 10}
    assert sum(len(split["files"]) for split in splits.values()) == files["kept"]
    assert sum(split["functions"] for split in splits.values()) == functions["kept"]


def test_one_good_file_of_three_is_enough_for_training(make, tmp_path):
    folder = write_sources(tmp_path / "three", number=1)
    (folder / "empty.py").write_text("")
    (folder / "syntax.py").write_text("def f(:\n")
    report = make(source=folder).report
    assert report["files"]["kept"] == 1 and report["splits"]["train"]["functions"] == 2
    with pytest.raises(ValueError, match=r"split 'val' must have functions, but none of the 2 in"):
        make(source=folder, split="val")


def test_source_without_a_function_is_refused(make, tmp_path):
    folder = tmp_path / "nothing"
    folder.mkdir()
    with pytest.raises(ValueError, match=rf"there are no examples in {folder}"):
        make(source=folder)
    (folder / "empty.py").write_text("")
    with pytest.raises(ValueError, match=rf"there are no examples in {folder}.*'no function'"):
        make(source=folder)
    assert not list((tmp_path / "my data é").rglob("*.json"))


def test_source_that_is_not_there_is_refused(make, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"source must be a folder of Python files"):
        make(source=tmp_path / "absent")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "body"}, r"target must be one of \['name', 'summary'\], but got 'body'"),
        ({"split": "dev"}, r"split must be one of .* but got 'dev'"),
        ({"max_nodes": 0}, "max_nodes must be at least 1, but got 0"),
        ({"max_target": 0}, "max_target must be at least 1, but got 0"),
        ({"min_count": -1}, "min_count must be at least 1, but got -1"),
        ({"pre_transform": lambda data: data}, "pre_transform must have a repr that says"),
    ],
)
def test_bad_options_are_refused(make, options, message):
    with pytest.raises(ValueError, match=f"StdlibFunctions: {message}"):
        make(**options)


class LabelSome(BaseTransform):
    """Writes an attribute on some graphs only."""

    def forward(self, data: Data) -> Data:
        if "put" in data.target:
            data.label = 1
        return data

    def __repr__(self) -> str:
        return "LabelSome()"


def test_items_with_different_keys_are_refused(make):
    with pytest.raises(ValueError, match=r"item 1 has 'label' and item 0 lacks it"):
        make(pre_transform=LabelSome())
