from collections import Counter

import pytest

from tgraph_attn.datasets._text.read_published import (
    check_counts,
    pair_lines,
    published_folder,
    read_published,
    split_lines,
)

ODD = b"one\ntwo\x85still two\nsame\nthree"


@pytest.fixture
def raw(tmp_path, data_folder):
    """A raw folder with the published files of all three corpora."""
    origin = data_folder / "text_gcn" / "data"
    places = {f"{name}/{split}.txt": f"{name}/{split}.txt" for name in ("R8", "R52")
              for split in ("train", "test")}  # fmt: skip
    places |= {"Ohsumed/ohsumed.txt": "ohsumed.txt"}
    places |= {"Ohsumed/corpus/ohsumed.txt": "corpus/ohsumed.txt"}
    for place, source in places.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).symlink_to(origin / source)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "train", "test", "classes"),
    [("R8", 5485, 2189, 8), ("R52", 6532, 2568, 52), ("Ohsumed", 3357, 4043, 23)],
)
def test_published_corpora_have_their_published_counts(raw, name, train, test, classes):
    splits = read_published(raw, name)
    labels = {s: Counter(document.label for document in splits[s]) for s in splits}
    assert (labels["train"].total(), labels["test"].total()) == (train, test)
    assert len(labels["train"]) == classes and set(labels["test"]) <= set(labels["train"])
    assert all(document.text == document.text.strip() != "" for document in splits["test"])


def test_files_of_another_corpus_are_refused_and_named(raw):
    for split in ("train", "test"):
        (raw / "R8" / f"{split}.txt").unlink()
        (raw / "R8" / f"{split}.txt").symlink_to(raw / "R52" / f"{split}.txt")
    message = r"3,354,423 bytes .* but has 4,281,452 bytes \(6,532 lines\).*train.txt of R52"
    with pytest.raises(ValueError, match=message):
        read_published(raw, "R8")


def test_files_may_lie_in_the_raw_folder_itself(raw):
    assert published_folder(raw, "R8") == raw / "R8"
    assert published_folder(raw / "R8", "R8") == raw / "R8"
    assert len(read_published(raw / "R8", "R8")["test"]) == 2189
    with pytest.raises(ValueError, match=r"which is train.txt of R8"):
        read_published(raw / "R8", "R52")
    assert published_folder(raw / "empty", "R8") == raw / "empty" / "R8"


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_lines_end_at_a_newline_and_nowhere_else(end):
    lines = split_lines(ODD + end)
    assert lines == ["one", "two\x85still two", "same", "three"]
    assert len((ODD + end).decode("latin-1").splitlines()) == 5
    assert split_lines(b"one\rstill one\x0c\n\n" + end) == [
        "one\rstill one\x0c",
        "",
        *[""] * len(end),
    ]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_index_and_texts_are_paired_line_by_line(end):
    index = b"d/1\ttest\tb\nd/2\ttraining\ta\nd/3\ttrain\tb\nd/4\ttest\ta" + end
    splits = pair_lines(index, ODD + end, "texts")
    assert [(d.text, d.label) for d in splits["train"]] == [
        ("two\x85still two", "a"),
        ("same", "b"),
    ]
    assert [(d.text, d.label) for d in splits["test"]] == [("one", "b"), ("three", "a")]


def test_index_and_texts_out_of_step_are_refused():
    with pytest.raises(ValueError, match=r"one text for each line of its index \(3\), but has 4"):
        pair_lines(b"d\ttest\tb\n" * 3, ODD, "texts")


@pytest.mark.parametrize("row", [b"d/1 test b", b"d/1\tdev\tb", b"", b"d/1\ttest"])
def test_index_in_another_form_is_refused(row):
    with pytest.raises(ValueError, match=r"path, train or test, and class, .* but line 2 is"):
        pair_lines(b"d\ttest\tb\n" + row + b"\nd\ttest\tb\nd\ttest\tb\n", ODD, "texts")


def test_counts_that_differ_are_named():
    check_counts("R8", {"train": 5485}, {"train": 5485})
    message = "TextCorpus: R8 must have 5,485 train, 8 classes, but has 6,532 train, 52 classes"
    with pytest.raises(ValueError, match=message):
        check_counts("R8", {"train": 6532, "classes": 52}, {"train": 5485, "classes": 8})
