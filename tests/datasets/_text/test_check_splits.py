import pytest

from tgraph_attn.datasets._text.check_splits import (
    check_heads,
    check_letters,
    check_splits,
    check_words,
)
from tgraph_attn.datasets._text.count_words import count_words
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


@pytest.mark.parametrize(
    ("train", "min_count", "message"),
    [
        ([["oil", "the"], ["oil"]], 3, r"3 different words found in here, 2 are rare \(below min_c"
         r"ount=3\), 1 are stop words\. Pass a smaller min_count, or stop_words=False"),
        ([["the"], []], 1, "but no word of it is kept: of the 2 different .* 1 are in test only"),
        ([[], []], 3, "of the 1 different words .* no words at all. Cleaning keeps ASCII .*"
         "as the tokens of .jsonl files"),
    ],
)  # fmt: skip
def test_training_without_a_word_that_is_kept_is_refused(train, min_count, message):
    options = dict(counted=("train", "test"), stop=frozenset(["the"]))
    count = count_words({"train": train, "test": [["gold"]]}, min_count=min_count, **options)
    with pytest.raises(ValueError, match=f"TextCorpus: train must have words .*{message}"):
        check_words(count, "here", min_count)
    kept = count_words({"train": [*train, ["tin"]], "test": []}, min_count=1, **options)
    check_words(kept, "here", 1)


def test_texts_most_of_whose_letters_cleaning_takes_out_are_refused():
    fine = [Document("Цена of oil, 1", "a"), Document("", "a"), Document("1, 2?", "b")]
    check_letters(fine, "here")
    check_letters([Document("Цена нефти", "a", ("цена", "нефти"))], "here")
    message = "most letters of train must be ASCII, but of 14 in here only 3 are. .*tokens of .jso"
    with pytest.raises(ValueError, match=message):
        check_letters([Document("Цена oil, 1", "a"), Document("выросла?", "b")], "here")
