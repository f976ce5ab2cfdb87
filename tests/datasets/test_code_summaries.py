import json
import os
import pickle
import shutil

import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform

from tgraph_attn.convert import tree_to_data
from tgraph_attn.datasets import CodeSummaries
from tgraph_attn.datasets._pairs.published_pairs import PUBLISHED
from tgraph_attn.linearize import tree_of_brackets
from tgraph_attn.models import ASTTrans
from tgraph_attn.parse import parse_code
from tgraph_attn.transforms import AddAncestorEdges

FORMS = ["tree", "code", "brackets", "paths"]
SUM = "def addUp(a, b):\n    return a + b"
SAY = "def say(it):\n    print('It is', it)"
TRAIN = [(SUM, "Adds <b>upTo</b> 9. Never fails."), (SAY, "Says it"), (SAY, "Say it again.")]
VAL = [("def f(: pass", "It is not valid."), (SUM.replace("addUp", "add_up"), "Adds.")]
TEST = [
    (SAY.replace("It is", "Here is"), "Says it."),
    ("def more(x):\n    return x[1]", "Returns more."),
    ("def more(x):\n    return x[1]", None),
    ("", "Nothing."),
    ("def more(x): pass", "."),
]


def write(path, rows):
    lines = [json.dumps({"code": code, "docstring": said}) for code, said in rows]
    path.write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "my functions é"
    folder.mkdir()
    for split, rows in (("train", TRAIN), ("val", VAL), ("test", TEST)):
        write(folder / f"{split}.jsonl", rows)
    return folder


@pytest.fixture
def make(tmp_path, folder):
    def build(split="train", name=folder, **options):
        options = {"language": "python", "log": False} | options
        return CodeSummaries(tmp_path / "my data é" / "sub dir", name, split, **options)

    return build


@pytest.fixture
def published(tmp_path, data_folder):
    """A root with the first lines of a published corpus, as its part without a checksum."""

    def root(name, count, part="valid"):
        raw = tmp_path / "root" / "raw"
        raw.mkdir(parents=True)
        files = zip(PUBLISHED[name].files[part], PUBLISHED[name].missing["train"], strict=True)
        for file, train in files:
            with open(data_folder / name / file.name, "rb") as lines:
                (raw / train).write_bytes(b"".join(next(lines) for _ in range(count)))
        options = {"parts": {"train": "train"}, "log": False}
        return lambda **more: CodeSummaries(tmp_path / "root", name, **options | more)

    return root


@pytest.mark.parametrize("form", FORMS)
def test_items_have_what_the_docstring_says(make, form):
    for split in ("train", "test"):
        data = make(split, form=form, max_target=6)
        for item in data:
            assert item.validate(raise_on_error=True)
            structure = {"parent_index"} if form == "tree" else set()
            assert set(item.keys()) == {"x", "y", "target", "origin", "num_nodes"} | structure
            assert (item.x.dtype, item.x.shape) == (torch.int64, (item.num_nodes,))
            assert (item.y.dtype, item.y.shape) == (torch.int64, (1, 6))
    assert [item.origin for item in data] == ["test.jsonl:1", "test.jsonl:2"]


def test_trees_and_words_of_a_function_by_hand(make):
    data = make()
    tree = parse_code(SUM, "python").subtree(1)
    assert data.source_vocab.decode(data[0].x) == tree.labels
    assert torch.equal(data[0].parent_index, tree_to_data(tree).parent_index)
    assert data[0].target == "adds up to 9" and data[0].y.shape == (1, 30)
    words = data.target_vocab.decode(data[0].y[0, :6])
    assert words == ["adds", "up", "to", "9", "<eos>", "<pad>"]
    assert data.target_vocab.tokens[2:4] == ("<bos>", "<eos>")


def test_each_form_by_hand(make):
    code, brackets, paths = (make(form=form, max_nodes=1000) for form in FORMS[1:])
    assert " ".join(code.source_vocab.decode(code[0].x)) == ("def add up ( a , b ) : return a + b")
    tree = parse_code(SUM, "python").subtree(1)
    assert tree_of_brackets(brackets.source_vocab.decode(brackets[0].x)).labels == tree.labels
    tokens = paths.source_vocab.decode(paths[0].x)
    first = "<path> | subtoken add | subtoken up | identifier | function_definition | parameters"
    assert " | ".join(tokens).startswith(f"{first} | identifier | subtoken a | <path>")


def test_report_accounts_for_every_row_of_every_split(make):
    report = make().report
    assert report["train"] == {
        "found": 3,
        "kept": 3,
        "dropped": {},
        "with syntax errors": 0,
        "truncated": 0,
        "copies of an earlier one": 1,
    }
    assert report["val"] == {
        "found": 2,
        "kept": 2,
        "dropped": {},
        "with syntax errors": 1,
        "truncated": 0,
        "copies of an earlier one": 0,
        "in train": 1,
    }
    assert report["test"] == {
        "found": 5,
        "kept": 2,
        "dropped": {"empty source": 1, "no docstring": 1, "no word in the comment": 1},
        "with syntax errors": 0,
        "truncated": 0,
        "copies of an earlier one": 0,
        "in train": 1,
        "in val": 0,
    }
    assert make("test").report == report


@pytest.mark.parametrize("form", FORMS)
def test_deduplicating_leaves_out_the_same_functions_in_each_form(make, form):
    data = make("test", form=form, deduplicate=True, max_nodes=5)
    assert [item.origin for item in data] == ["test.jsonl:2"]
    assert data.report["test"]["dropped"]["in train"] == 1
    assert [item.origin for item in make("val", form=form, deduplicate=True)] == ["val.jsonl:1"]
    assert len(make(form=form, deduplicate=True)) == 3


def test_syntax_errors_are_kept_or_dropped(make):
    report = make(errors="drop").report["val"]
    assert report["dropped"] == {"syntax errors": 1} and report["with syntax errors"] == 0
    assert report["found"] == report["kept"] + 1 == 2


@pytest.mark.parametrize("form", FORMS)
def test_functions_without_a_path_are_kept_or_dropped_in_each_form_alike(tmp_path, make, form):
    write(tmp_path / "small.jsonl", [(SUM, "Adds."), ("f()", "Calls it.")])
    kept, dropped = (
        make(name=tmp_path / "small.jsonl", form=form, without_path=choice)
        for choice in ("keep", "drop")
    )
    assert [data.target for data in kept] == ["adds", "calls it"]
    assert kept.report["train"]["dropped"] == {} and kept[1].num_nodes >= 1
    assert [data.target for data in dropped] == ["adds"]
    assert dropped.report["train"]["dropped"] == {"without a path": 1}


@pytest.mark.parametrize(
    ("options", "target"),
    [
        ({}, "adds up to 9"),
        ({"comment": "rules"}, "adds up to 9"),
        ({"comment": "tokens"}, "Adds <b>upTo</b> 9. Never fails."),
        ({"comment": {"split": None}}, "adds upTo 9"),
        ({"comment": {"first_sentence": False}}, "adds up to 9 never fails"),
        ({"comment": {"drop_tags": False, "lower": "all"}}, "adds b upto b 9"),
        ({"max_target": 2}, "adds up to 9"),
    ],
)
def test_each_rule_of_the_comment_is_a_switch(make, options, target):
    data = make(**options)
    assert data[0].target == target
    if "max_target" in options:
        assert data.target_vocab.decode(data[0].y[0]) == ["adds", "<eos>"]


@pytest.mark.parametrize(
    ("switch", "label"),
    [
        ({"subtokens": "off"}, "identifier addUp"),
        ({"strings": "keep"}, "string_content It is"),
        ({"numbers": "mark"}, "integer NUM"),
        ({"numbers": "drop"}, "integer"),
    ],
)
def test_switches_of_the_tree_reach_it(make, folder, switch, label):
    write(folder / "train.jsonl", [*TRAIN, ("def g(): return 1", "One.")])
    assert label in make(**switch).source_vocab and label not in make().source_vocab


def test_sub_tokens_can_be_a_chain_and_a_root_be_turned_round(make):
    switches = {}, {"subtokens": "chain"}, {"reverse_root": "always"}, {"max_nodes": 5}
    made = [make(**switch) for switch in switches]
    plain, chain, turned, cut = (data[0] for data in made)
    assert plain.parent_index.tolist()[:4] == [0, 0, 1, 1]
    assert chain.parent_index.tolist()[:4] == [0, 0, 1, 2]
    assert turned.num_nodes == plain.num_nodes and not torch.equal(turned.x, plain.x)
    labels = [data.source_vocab.decode(data[0].x) for data in made]
    assert labels[3] == labels[2][:5] and labels[2][1] == "block" and cut.num_nodes == 5


def test_rare_words_are_unknown_and_vocabularies_are_those_of_train(make):
    data = make(min_count=2)
    assert {"subtoken it", "identifier"} <= set(data.source_vocab.tokens)
    assert "subtoken add" not in data.source_vocab and data[0].x[2] == data.source_vocab.UNK
    assert "subtoken more" not in make("test").source_vocab
    assert make("test").target_vocab == make().target_vocab and "returns" not in make().target_vocab


def test_batches_keep_each_function_apart(make):
    batch = next(iter(DataLoader(make(), batch_size=3)))
    sizes = [item.num_nodes for item in make()]
    assert batch.parent_index[sizes[0]] == sizes[0] and batch.y.shape == (3, 30)
    assert batch.target == ["adds up to 9", "says it", "say it again"]


def test_another_setting_has_another_folder_and_the_same_one_is_read_again(make, folder):
    ways = [{}, {"form": "code"}, {"comment": {"strip": False}}, {"numbers": "mark"}]
    ways += [{"path_seed": 1}, {"deduplicate": True}, {"language": "js"}]
    folders = [make(**way).processed_dir for way in ways[:-1]]
    assert len(set(folders)) == 6 and "language" in make().settings
    before = os.stat(f"{folders[0]}/train.pt").st_mtime_ns
    assert os.stat(f"{make().processed_dir}/train.pt").st_mtime_ns == before
    write(folder / "test.jsonl", TRAIN)
    assert make().processed_dir not in folders


def test_what_is_kept_says_its_settings(make):
    data = make(comment={"lower": "all"})
    with open(f"{data.processed_dir}/settings.json", encoding="utf-8") as file:
        assert json.load(file) == data.settings
    assert data.settings["comment"] == {"first_paragraph": True, "lower": "all"}
    assert data.settings["grammar"].startswith("tree-sitter-python ")


def test_pre_transform_and_transform_are_used(make):
    data = make(pre_transform=AddAncestorEdges(2), transform=lambda item: (item, item.num_nodes))
    item, size = data[0]
    assert item.num_nodes == size and item.ancestor_edge_index.size(0) == 2


def test_a_data_set_can_be_pickled_and_sliced(make):
    data = pickle.loads(pickle.dumps(make()))
    assert [item.target for item in data[1:]] == ["says it", "say it again"]


def test_a_folder_of_source_files_is_dealt_out_by_file(tmp_path, make):
    (tmp_path / "code" / "sub").mkdir(parents=True)
    for k in range(10):
        text = f'def f{k}(a):\n    "Return {k} times a."\n    return {k} * a\n'
        (tmp_path / "code" / "sub" / f"{k}.py").write_text(text)
    (tmp_path / "code" / "empty.py").touch()
    (tmp_path / "code" / "bad.py").write_bytes(b"'\xff'")
    splits = [make(split, name=tmp_path / "code") for split in ("train", "val", "test")]
    assert sum(map(len, splits)) == 10
    assert sum(part["found"] for part in splits[0].report.values()) == 12
    assert {part["files with syntax errors"] for part in splits[0].report.values()} == {0}
    reasons = [reason for part in splits[0].report.values() for reason in part["dropped"]]
    assert sorted(reasons) == ["file not decodable", "file without function"]
    assert splits[2][0].origin.startswith("sub/") and splits[2][0].origin.endswith(".py:1")
    assert splits[0][0].target.endswith("times a")


def test_methods_of_java_come_from_files(tmp_path, make):
    (tmp_path / "code").mkdir()
    text = "class A {\n  /** Gives it. */\n  int get() { return it; }\n}"
    (tmp_path / "code" / "A.java").write_text(text)
    data = make(name=tmp_path / "code", language="Java")
    assert (data[0].target, data[0].origin) == ("gives it", "A.java:3")
    assert data.source_vocab.decode(data[0].x[:1]) == ["method_declaration"]


def test_an_empty_line_ends_what_is_said_in_sources_of_your_own(make, folder):
    said = "Return x\n\nArgs:\n  x: it"
    write(folder / "train.jsonl", [(SUM, said)])
    assert make()[0].target == make(comment={"lower": "all"})[0].target == "return x"
    assert make(comment={"first_paragraph": False})[0].target == "return x args x it"


def test_tl_codesum_in_all_forms(published):
    read = published("tl_codesum", 60)
    for form in FORMS:
        data = read(form=form)
        assert len(data) == 60 and data.report["train"]["with syntax errors"] == 0
    assert data[0].target == (
        "this returns the hash code for the key . the hash code is generated from the internal "
        "string the key represents ."
    )
    code = read(form="code")
    assert " ".join(code.source_vocab.decode(code[0].x)) == (
        "public int hash code ( ) { return value . hash code ( ) ; }"
    )


def test_code_docstring_in_all_forms(published):
    read = published("code_docstring", 30)
    for form in FORMS:
        data = read(form=form, max_nodes=400)
        assert len(data) == 30
    assert data[2].target.startswith("reload the configuration from environment variables")
    assert not any("DCNL" in token for token in read(form="code").source_vocab.tokens)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"split": "dev"}, ValueError, r"split must be one of \['test', 'train', 'val'\]"),
        ({"form": "graph"}, ValueError, r"form must be one of"),
        ({"reverse_root": True}, ValueError, r"reverse_root must be one of"),
        ({"subtokens": "siblings"}, ValueError, r"subtokens must be one of"),
        ({"strings": "mark"}, ValueError, r"strings must be one of"),
        ({"numbers": "split"}, ValueError, r"numbers must be one of"),
        ({"errors": "raise"}, ValueError, r"errors must be one of"),
        ({"comment": "all"}, ValueError, r"comment must be one of"),
        ({"comment": {"tags": True}}, ValueError, r"each rule of comment must be one of"),
        ({"comment": {"strip": "no"}}, TypeError, r"comment's strip must be a bool"),
        ({"deduplicate": 1}, TypeError, r"deduplicate must be a bool"),
        ({"max_nodes": 0}, ValueError, r"max_nodes must be at least 1"),
        ({"max_target": 0}, ValueError, r"max_target must be at least 1"),
        ({"min_count": 0}, ValueError, r"min_count must be at least 1"),
        ({"path_seed": -1}, ValueError, r"path_seed must be at least 0"),
        ({"path_seed": "a"}, TypeError, r"path_seed must be an int"),
        ({"split_seed": "a"}, TypeError, r"split_seed must be a int"),
        ({"split_seed": None}, TypeError, r"split_seed must be a int"),
        ({"without_path": True}, ValueError, r"without_path must be one of"),
        ({"pre_transform": lambda item: item}, ValueError, r"pre_transform must have a repr"),
        ({"language": None}, TypeError, r"language must be a str"),
        ({"language": "klingon"}, ValueError, r"language must be one of .*, but got 'klingon'"),
        ({"name": "codesearchnet"}, ValueError, r"name must be one of"),
        ({"parts": {"train": "valid"}}, ValueError, r"parts must be None"),
    ],
)
def test_wrong_options_are_refused(make, options, error, message):
    with pytest.raises(error, match=f"CodeSummaries: {message}"):
        make(**options)


def test_a_published_part_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"part 'train' of tl_codesum must be in .*raw"):
        CodeSummaries(tmp_path, "tl_codesum", log=False)


def test_a_split_with_nothing_left_is_refused_and_the_others_stay(make, folder):
    write(folder / "test.jsonl", [TRAIN[0], TRAIN[1]])
    with pytest.raises(ValueError, match=r"'test' must have examples, .*'in train': 2.* Pass"):
        make("test", deduplicate=True)
    assert len(make("train", deduplicate=True)) == 3
    (folder / "val.jsonl").unlink()
    with pytest.raises(ValueError, match=r"'val' must have .* there is no file for it.* Pass"):
        make("val")


@pytest.mark.parametrize("rows", [None, [], [("", "Do it."), ("f()", None), ("f()", ".")]])
def test_no_example_in_train_is_refused_and_nothing_is_kept(make, folder, tmp_path, rows):
    (folder / "train.jsonl").unlink()
    if rows is not None:
        write(folder / "train.jsonl", rows)
    with pytest.raises(ValueError, match=r"no examples in .*my functions é that fall to train"):
        make()
    assert not list(tmp_path.rglob("*.pt"))


def test_a_broken_line_is_named(make, folder):
    with open(folder / "test.jsonl", "a", encoding="utf-8") as file:
        file.write('\n{"code": "f()", "comment": "Do."}')
    with pytest.raises(ValueError, match=r"test\.jsonl must be .* line 6 is not \(KeyError: 'docs"):
        make()


class Sometimes(BaseTransform):
    """Write an attribute to some graphs alone."""

    def forward(self, data: Data) -> Data:
        if data.target.startswith("adds"):
            data.more = 1
        return data


def test_a_pre_transform_that_does_not_treat_all_alike_is_refused(make):
    with pytest.raises(ValueError, match=r"CodeSummaries: .*more"):
        make(pre_transform=Sometimes())


def test_damaged_files_are_named(make):
    made = make().processed_dir
    for name in ("train.pt", "source_vocab.json", "target_vocab.json", "report.json"):
        with open(f"{made}/{name}", "rb") as file:
            content = file.read()
        with open(f"{made}/{name}", "wb") as file:
            file.write(content[: len(content) // 2])
        with pytest.raises(ValueError, match=r"CodeSummaries: .* is damaged or gone .* Delete"):
            make()
        with open(f"{made}/{name}", "wb") as file:
            file.write(content)
    shutil.copy(f"{made}/val.pt", f"{made}/train.pt")
    with pytest.raises(ValueError, match=r"CodeSummaries: .* is damaged or gone .* Delete"):
        make()


def test_lone_surrogates_of_json_do_no_harm(make, folder):
    write(folder / "train.jsonl", [("def \ud800(a):\n    return '\ud800'", "Give \ud800 a.")])
    data = make()
    assert data[0].target.split()[0] == "give" and data.report["train"]["kept"] == 1


@pytest.mark.parametrize("form", FORMS)
def test_odd_names_and_texts_give_a_finite_loss(make, folder, form):
    code = 'def f():\n    _ = inf\n    return "a|b,c;d"\n'
    write(folder / "train.jsonl", [(code, said) for said in ("", ".", "Sets x.", "a|b,c;d")])
    data = make(form=form)
    assert [item.target for item in data] == ["sets x", "a b c d"]
    assert data.report["train"]["dropped"] == {"no docstring": 1, "no word in the comment": 1}
    model = ASTTrans(
        data.source_vocab, data.target_vocab, encoder="self", channels=16, hidden=16, layers=1
    )
    assert model.loss(next(iter(DataLoader(data, batch_size=2)))).isfinite()
