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
    assert (report["found"], report["dropped"]) == (20, {"duplicate": 2})
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
    ],
)
def test_wrong_options_are_refused(tmp_path, source, settings, message):
    with pytest.raises(ValueError, match=message):
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
