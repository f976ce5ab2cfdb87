import pytest

from tgraph_attn.metrics import bleu, legacy_references
from tgraph_attn.vocab import Vocab

VOCAB = Vocab.build(["returns", "the", "name", "of", "a"], specials=["<bos>", "<eos>"])


def test_words_that_are_unknown_and_those_too_many_go():
    references = ["returns the nickname", ["the", "name", "of", "a", "name"]]
    expected = [["returns", "the", "<unk>"], ["the", "name", "of", "a"]]
    assert legacy_references(references, VOCAB, max_words=4) == expected


def test_the_released_code_keeps_28_words():
    [reference] = legacy_references([["the"] * 40], VOCAB)
    assert len(reference) == 28


def test_a_model_that_writes_unk_scores_more_by_them():
    said, references = ["returns the <unk> of a name"], ["returns the nickname of a name"]
    rated = [
        bleu(said, against, variant="sentence-add1")
        for against in (references, legacy_references(references, VOCAB))
    ]
    assert rated[0] < rated[1] == 1


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ([], r"legacy_references: .* at least one, but are 0"),
        ([""], r"legacy_references: each reference must have a token"),
    ],
)
def test_nothing_to_score_against_is_refused(references, message):
    with pytest.raises(ValueError, match=message):
        legacy_references(references, VOCAB)


def test_errors_name_no_hypotheses():
    for wrong in ([], None, "the name"):
        with pytest.raises((ValueError, TypeError)) as caught:
            legacy_references(wrong, VOCAB)
        assert "references must be" in str(caught.value) and "hypoth" not in str(caught.value)


def test_no_word_at_all_is_refused():
    with pytest.raises(ValueError, match=r"legacy_references: max_words must be at least 1"):
        legacy_references(["the"], VOCAB, max_words=0)
