import pytest
import torch

from tgraph_attn.datasets import load_vectors
from tgraph_attn.vocab import Vocab

VOCAB = Vocab(["<pad>", "<unk>", "<document>", "oil", "the", "Paris", "été", ". . ."])


@pytest.fixture
def load(tmp_path):
    def read(text, vocab=VOCAB):
        (tmp_path / "vectors.txt").write_text(text, encoding="utf-8")
        return load_vectors(tmp_path / "vectors.txt", vocab, log=False)

    return read


def test_rows_are_those_of_the_vocabulary_and_zeros_where_there_is_none(load):
    loaded = load("the 1 2\nup x y\n. . . 5 6\noil 3 4\n")
    assert (loaded.vectors.dtype, loaded.vectors.shape) == (torch.float32, (8, 2))
    assert loaded.found.dtype is torch.bool and loaded.found.nonzero().flatten().tolist() == [
        3,
        4,
        7,
    ]
    assert loaded.vectors[loaded.found].tolist() == [[3, 4], [1, 2], [5, 6]]
    assert not loaded.vectors[~loaded.found].any()
    assert (loaded.num_words, loaded.num_found, loaded.num_lowercase) == (5, 3, 0)
    assert loaded.coverage == 0.6


@pytest.mark.parametrize("order", [1, -1])
def test_word_with_the_same_capitals_counts_before_one_with_others(load, order):
    lines = ["Oil 1 1", "oil 2 2", "OIL 3 3", "paris 4 4", "ÉTÉ 5 5"]
    loaded = load("\n".join(lines[::order]))
    assert loaded.vectors[VOCAB.encode(["oil", "Paris", "été"])].tolist() == [
        [2, 2],
        [4, 4],
        [5, 5],
    ]
    assert (loaded.num_found, loaded.num_lowercase) == (3, 2)


def test_of_several_lines_of_one_word_the_first_counts(load):
    loaded = load("OIL 1 1\nOil 2 2\nthe 3 3\nthe 4 4")
    assert loaded.vectors[VOCAB.encode(["oil", "the"])].tolist() == [[1, 1], [3, 3]]


def test_special_words_may_have_a_vector_but_are_not_counted(load):
    loaded = load("<unk> 1 2\noil 3 4")
    assert loaded.vectors[Vocab.UNK].tolist() == [1, 2] and loaded.found[Vocab.UNK]
    assert (loaded.num_words, loaded.num_found) == (5, 1)


@pytest.mark.parametrize("numbers", ["1 x", "nan 1", "inf 1", "1_0 1", "1 1_0"])
def test_known_word_without_finite_numbers_is_refused(load, numbers):
    with pytest.raises(ValueError, match=r"finite numbers after its word, but line 2 \('oil'\)"):
        load(f"the 1 2\noil {numbers}\n")


def test_vectors_of_mixed_length_are_refused(load):
    with pytest.raises(ValueError, match=r"a word and 2 numbers, but line 3 has 3"):
        load("the 1 2\noil 3 4\nup 5 6 7\n")


@pytest.mark.parametrize("text", ["", "2 2\n", "gas 1 2\nhuile 3 4\n", "<unk> 1 2\n"])
def test_file_without_a_known_word_is_refused(load, text):
    with pytest.raises(ValueError, match=r"some of the 5 words of the vocabulary, but has none"):
        load(text)


@pytest.mark.parametrize("first", ["", "2 2\n"])
def test_first_word_after_a_mark_of_byte_order_is_found(load, first):
    loaded = load(f"\ufeff{first}oil 1 2\nthe 3 4\n")
    assert loaded.vectors[VOCAB.encode(["oil", "the"])].tolist() == [[1, 2], [3, 4]]


def test_words_in_another_encoding_are_passed_over(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_bytes("été 1 2\noil 3 4\n".encode("latin-1"))
    assert load_vectors(path, VOCAB, log=False).found.sum() == 1


def test_list_of_words_is_refused(tmp_path):
    with pytest.raises(TypeError, match=r"load_vectors: vocab must be a Vocab, but got list"):
        load_vectors(tmp_path / "vectors.txt", ["oil"])


@pytest.mark.parametrize(("name", "size"), [("glove.6B.50d", 50), ("en_core_web_md.300d", 300)])
def test_real_vectors_are_read(data_folder, name, size):
    vocab = Vocab.build(["oil", "price", "january", "qzxv"])
    path = data_folder / "vectors" / f"{name}.subset.txt.gz"
    loaded = load_vectors(path, vocab, log=False)
    assert loaded.vectors.shape == (6, size) and loaded.coverage == 0.75
    oil, price, other = torch.nn.functional.normalize(
        loaded.vectors[vocab.encode(["oil", "price", "january"])]
    )
    assert oil @ price > oil @ other
