from tgraph_attn.datasets._text.count_words import count_words

WORDS = {
    "train": [["the", "oil", "oil", "up"], ["the", "gold", "up"], ["the"]],
    "test": [["oil", "tin", "tin", "the"], []],
}
NONE = frozenset()


def test_words_are_numbered_by_how_often_they_come_behind_the_document():
    count = count_words(WORDS, counted=("train", "test"), min_count=1, stop=NONE)
    assert count.vocab.tokens[:3] == ("<pad>", "<unk>", "<document>")
    assert count.vocab.tokens[3:] == ("the", "oil", "tin", "up", "gold")


def test_rare_words_and_stop_words_are_left_out_and_counted():
    stop = frozenset(["the", "of"])
    count = count_words(WORDS, counted=("train", "test"), min_count=2, stop=stop)
    assert count.vocab.tokens[3:] == ("oil", "tin", "up")
    assert count.words == {"found": 5, "kept": 3, "stop_words": 1, "rare": 1}
    assert count.splits["train"] == {
        "documents": 3,
        "empty_documents": 1,
        "tokens": 8,
        "kept_tokens": 4,
        "stop_tokens": 3,
        "unknown_words": 1,
    }
    assert count.splits["test"]["empty_documents"] == 1


def test_counting_train_alone_never_sees_a_word_of_test():
    count = count_words(WORDS, counted=("train",), min_count=1, stop=NONE)
    assert "tin" not in count.vocab and count.splits["test"]["unknown_words"] == 1
    assert count_words(WORDS, counted=("train",), min_count=3, stop=NONE).vocab.tokens[3:] == (
        "the",
    )


def test_special_words_in_a_text_are_words_like_those_that_are_rare():
    words = {"train": [["<document>", "<pad>", "oil"]], "test": [["<unk>"]]}
    count = count_words(words, counted=("train", "test"), min_count=1, stop=NONE)
    assert count.vocab.tokens == ("<pad>", "<unk>", "<document>", "oil")
    assert count.words == {"found": 4, "kept": 1, "stop_words": 0, "rare": 3}
