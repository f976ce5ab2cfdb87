import json

import pytest
import torch

from tgraph_attn.datasets import POJ104
from tgraph_attn.transforms import AddAncestorEdges

pytest.importorskip("tree_sitter_cpp")


@pytest.fixture
def source(tmp_path):
    """Two classes of ten programs, of which two are the same."""
    for name, sign in (("sum", "+"), ("product", "*")):
        (tmp_path / "source" / name).mkdir(parents=True)
        for k in range(10):
            text = f"int f(int a) {{ return a {sign} {max(k, 1)}; }}"
            (tmp_path / "source" / name / f"{k}.c").write_text(text)
    return tmp_path / "source"


def test_copies_are_left_out_and_each_class_is_split(tmp_path, source):
    splits = {
        split: POJ104(tmp_path, split=split, source=source, log=False)
        for split in ("train", "val", "test")
    }
    report = splits["train"].report
    assert (report["found"], report["dropped"]) == (20, {"empty": 0, "duplicate": 2})
    assert report["splits"] == {s: len(data) for s, data in splits.items()}
    assert report["splits"] == {"train": 10, "val": 4, "test": 4}
    origins = [data.origin for split in splits.values() for data in split]
    assert len(set(origins)) == 18 and "sum/0.c" in origins and "sum/1.c" not in origins
    assert splits["train"].classes == ["product", "sum"]
    assert all(data.y.item() == ("sum/" in data.origin) for s in splits.values() for data in s)


def test_structure_has_no_name_and_no_value(tmp_path, source):
    full, bare = (
        POJ104(tmp_path, task, source=source, log=False) for task in ("full", "structure")
    )
    assert "identifier a" in full.vocab and "number_literal 1" not in bare.vocab
    assert "identifier" in bare.vocab and "binary_expression +" in bare.vocab
    assert "primitive_type int" in bare.vocab
    assert [data.num_nodes for data in full] == [data.num_nodes for data in bare]
    assert [data.origin for data in full] == [data.origin for data in bare]


def test_large_trees_are_cut_and_counted(tmp_path, source):
    data = POJ104(tmp_path, source=source, max_nodes=5, log=False)
    assert {item.num_nodes for item in data} == {5} and data.report["truncated"] == 18


def test_syntax_errors_are_counted_and_kept(tmp_path, source):
    (source / "sum" / "9.c").write_text("int f( {")
    assert POJ104(tmp_path, source=source, log=False).report["with syntax errors"] == 1


@pytest.mark.parametrize("text", ["(", "def f(a):\n    return a\n", "\0", "/* nothing */"])
def test_whatever_is_in_a_file_gives_a_tree(tmp_path, source, text):
    (source / "sum" / "9.c").write_text(text)
    splits = [POJ104(tmp_path, split=s, source=source, log=False) for s in ("train", "val", "test")]
    [data] = [data for split in splits for data in split if data.origin == "sum/9.c"]
    assert data.num_nodes >= 1 and data.parent_index[0] == 0
    assert splits[0].report["with syntax errors"] == (text != "/* nothing */")


def test_empty_files_are_left_out_and_counted(tmp_path, source):
    for number, text in enumerate(("", " \n\t\n")):
        (source / "sum" / f"{number + 8}.c").write_text(text)
    report = POJ104(tmp_path, source=source, log=False).report
    assert report["dropped"] == {"empty": 2, "duplicate": 2}
    assert sum(report["splits"].values()) + 4 == report["found"] == 20


def test_classes_stay_in_order_though_a_later_one_has_a_copy(tmp_path, source):
    for k in range(10):
        text = (source / "product" / f"{k}.c").read_text()
        (source / "sum" / f"{k + 20}.c").write_text(text)
    data = POJ104(tmp_path, source=source, log=False)
    assert data.classes == ["product", "sum"] and data.report["dropped"]["duplicate"] == 12
    assert data.y.tolist() == sorted(data.y.tolist())


@pytest.mark.parametrize("text", ["", "int f(int a) { return a + 1; }"])
def test_a_class_without_a_program_of_its_own_is_refused(tmp_path, source, text):
    (source / "zero").mkdir()
    (source / "zero" / "1.c").write_text(text)
    with pytest.raises(ValueError, match=r"all of \['zero'\] in .* are empty, or copies"):
        POJ104(tmp_path, source=source, log=False)


def test_a_class_of_two_programs_is_in_train_alone(tmp_path, source):
    (source / "zero").mkdir()
    for number in range(2):
        (source / "zero" / f"{number}.c").write_text(f"int f(int a) {{ return {number}; }}")
    splits = [POJ104(tmp_path, split=s, source=source, log=False) for s in ("train", "val", "test")]
    assert [sum(int(data.y) == 2 for data in split) for split in splits] == [2, 0, 0]
    assert {split.num_classes for split in splits} == {3}


def test_root_may_be_in_the_folder_of_programs_but_not_be_it(tmp_path, source):
    for _ in range(2):
        data = POJ104(source / "made", source=source, log=False)
        assert data.classes == ["product", "sum"]
    with pytest.raises(ValueError, match=r"POJ104: root must be another folder than source"):
        POJ104(source, source=source, log=False)


def test_a_damaged_archive_is_refused_and_nothing_is_made(tmp_path):
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "programs.tar.gz").write_bytes(b"\x1f\x8b half")
    with pytest.raises(ValueError, match=r"POJ104: .* must be the published file .* but has 7 byt"):
        POJ104(tmp_path, log=False)
    assert not list(tmp_path.rglob("*.pt"))


def test_another_seed_deals_out_in_another_way(tmp_path, source):
    one, other = (POJ104(tmp_path, source=source, split_seed=s, log=False) for s in (0, 1))
    assert [d.origin for d in one] != [d.origin for d in other]


def test_pre_transform_is_kept_under_its_settings(tmp_path, source):
    one, other = (
        POJ104(tmp_path, source=source, pre_transform=AddAncestorEdges(reach), log=False)
        for reach in (1, 3)
    )
    assert one.processed_dir != other.processed_dir
    assert one[0].ancestor_edge_index.size(1) < other[0].ancestor_edge_index.size(1)


def test_damaged_files_are_named(tmp_path, source):
    made = POJ104(tmp_path, source=source, log=False).processed_dir
    for name in ("train.pt", "vocab.json", "report.json"):
        with open(f"{made}/{name}", "rb") as file:
            content = file.read()
        with open(f"{made}/{name}", "wb") as file:
            file.write(content[: len(content) // 2])
        with pytest.raises(
            ValueError, match=r"POJ104: .* is damaged or gone .* Delete that folder"
        ):
            POJ104(tmp_path, source=source, log=False)
        with open(f"{made}/{name}", "wb") as file:
            file.write(content)
    assert len(POJ104(tmp_path, source=source, log=False)) == 10


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "names"}, r"POJ104: task must be one of"),
        ({"split": "dev"}, r"POJ104: split must be one of"),
        ({"protocol": "retrieval"}, r"POJ104: protocol must be one of"),
        ({"max_nodes": 0}, r"POJ104: max_nodes must be at least 1"),
        ({"split_seed": "0"}, r"POJ104: split_seed must be a int"),
    ],
)
def test_wrong_options_are_refused(tmp_path, source, settings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        POJ104(tmp_path, source=source, log=False, **settings)


def test_a_split_without_programs_is_refused_and_nothing_is_kept(tmp_path):
    for name in ("sum", "product"):
        (tmp_path / "source" / name).mkdir(parents=True)
        (tmp_path / "source" / name / "1.c").write_text(f"int {name};")
    with pytest.raises(ValueError, match=r"each split must have programs, .* none fell to 'val'"):
        POJ104(tmp_path / "root", source=tmp_path / "source", log=False)
    assert not list((tmp_path / "root").rglob("*.pt"))


def test_what_is_kept_says_its_settings(tmp_path, source):
    data = POJ104(tmp_path, "structure", source=source, log=False)
    with open(f"{data.processed_dir}/settings.json", encoding="utf-8") as file:
        assert json.load(file) == data.settings
    assert data.num_classes == 2 and torch.equal(data.parent_index[:1], torch.tensor([0]))
