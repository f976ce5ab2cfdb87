import json
import pickle

import pytest

from tgraph_attn.vocab import Vocab


def test_most_frequent_words_come_first_and_equals_by_alphabet():
    vocab = Vocab.build("b a c a d b a".split())
    assert vocab.tokens == ("<pad>", "<unk>", "a", "b", "c", "d")
    assert Vocab.build("d c b b a a a".split()) == vocab


def test_padding_is_0_and_unknown_words_are_1():
    vocab = Vocab.build(["a"])
    assert (vocab.PAD, vocab.UNK) == (0, 1)
    assert vocab.encode(["<pad>", "b", "a"]) == [0, 1, 2]
    assert vocab.decode([0, 1, 2]) == ["<pad>", "<unk>", "a"]


def test_specials_come_before_words_whether_they_occur_or_not():
    vocab = Vocab.build(["a", "<eos>", "<unk>"], specials=["<bos>", "<eos>"])
    assert vocab.tokens == ("<pad>", "<unk>", "<bos>", "<eos>", "a")


def test_rare_words_and_those_beyond_the_size_are_left_out():
    words = "a a a b b c".split()
    assert Vocab.build(words, min_count=2).tokens[2:] == ("a", "b")
    assert Vocab.build(words, max_size=3).tokens == ("<pad>", "<unk>", "a")
    assert len(Vocab.build(words, 4, 3)) == 3


def test_words_that_are_in_and_not_in():
    vocab = Vocab.build(["a"])
    assert "a" in vocab and "b" not in vocab and len(vocab) == 3
    assert repr(vocab) == "Vocab(3 tokens)"
    assert vocab != Vocab.build(["b"]) and vocab != "a" and len({vocab, Vocab.build(["a"])}) == 1


def test_saved_and_loaded_is_the_same_whatever_the_words(tmp_path):
    vocab = Vocab.build(["naïve", "a b", 'q"\n', "\ud800", "٢"])
    vocab.save(tmp_path / "my vocab é.json")
    assert Vocab.load(tmp_path / "my vocab é.json") == vocab == pickle.loads(pickle.dumps(vocab))


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "vocab.json"
    Vocab.build(["a"]).save(path)

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        Vocab.build(["b"]).save(path)
    assert list(tmp_path.iterdir()) == [path] and Vocab.load(path) == Vocab.build(["a"])


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": "other", "tokens": []}', '{"tokens": ["a"]}']
)
def test_a_file_that_is_no_vocabulary_is_refused(tmp_path, content):
    (tmp_path / "x.json").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"Vocab.load: .*x\.json must hold what Vocab.save wrote"):
        Vocab.load(tmp_path / "x.json")


def test_a_vocabulary_file_with_a_word_twice_is_refused(tmp_path):
    content = {"format": "tgraph_attn.Vocab", "tokens": ["<pad>", "<unk>", "a", "a"]}
    (tmp_path / "x.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match="each token must be there once, but 'a' comes 2 times"):
        Vocab.load(tmp_path / "x.json")


def test_files_and_folders_that_are_not_there_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"Vocab.load: .*none\.json must be a vocabulary"):
        Vocab.load(tmp_path / "none.json")
    with pytest.raises(FileNotFoundError, match=r"Vocab.save: the folder of .* must be there"):
        Vocab.build([]).save(tmp_path / "none" / "x.json")


def test_an_id_that_is_not_there_is_refused():
    for wrong in (-1, 2):
        with pytest.raises(ValueError, match=rf"an id must be in \[0, 2\), but got {wrong}"):
            Vocab.build([]).decode([0, wrong])


def test_one_str_instead_of_words_is_refused():
    with pytest.raises(TypeError, match="build: tokens must be a series of words, but got one str"):
        Vocab.build("abc")
    with pytest.raises(TypeError, match="encode: tokens must be a series of words"):
        Vocab.build([]).encode("abc")


def test_sizes_without_room_are_refused():
    with pytest.raises(ValueError, match=r"max_size must be at least 3, for .* but got 2"):
        Vocab.build(["a"], 2, specials=["<bos>"])
    with pytest.raises(ValueError, match="min_count must be at least 1, but got 0"):
        Vocab.build(["a"], min_count=0)


def test_other_first_tokens_are_refused():
    with pytest.raises(ValueError, match="the first two tokens must be '<pad>' and '<unk>'"):
        Vocab(["a", "b"])


@pytest.mark.parametrize("tokens", [[1, 2], [None, "a"]])
def test_words_that_are_no_str_are_refused(tokens):
    with pytest.raises(TypeError, match=r"Vocab.build: each token must be a str, but got"):
        Vocab.build(tokens)
    with pytest.raises(TypeError, match=r"Vocab: each token must be a str, but got"):
        Vocab(["<pad>", "<unk>", *tokens])
