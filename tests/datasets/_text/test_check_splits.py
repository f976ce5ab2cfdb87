import pytest

from tgraph_attn.datasets._text.check_splits import check_heads, check_splits
from tgraph_attn.datasets._text.documents import Document


def splits(train, test):
    return {"train": [Document("x", label) for label in train],
            "test": [Document("x", label) for label in test]}  # fmt: skip


def test_classes_are_sorted():
    assert check_splits(splits("bac", "a"), "here") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ("", "ab", "split 'train' of here must have documents, but has none"),
        ("ab", "", "split 'test' of here must have documents, but has none"),
        ("aa", "a", r"here must have two classes at least, but has \['a'\] only"),
        ("ab", "ac", r"class of test must be in train too, .* \['c'\] of here is in test only"),
        ("ab", "cd", r"\['c', 'd'\] of here are in test only"),
    ],
)
def test_corpus_that_cannot_be_learnt_is_refused(train, test, message):
    with pytest.raises(ValueError, match=message):
        check_splits(splits(train, test), "here")


def test_heads_must_be_there_for_all_if_a_relation_needs_them():
    some = splits("ab", "a")
    assert not check_heads(some, ["pmi"])
    with pytest.raises(ValueError, match=r"relation 'dependency', but 3 of 3 have none"):
        check_heads(some, ["pmi", "dependency"])
    whole = {s: [Document("x", "a", ("x",), (0,))] for s in ("train", "test")}
    assert check_heads(whole, ["dependency"]) and check_heads(whole, [])
    assert not check_heads(whole | {"test": some["test"]}, [])
