import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from tgraph_attn.models.pretrained import PairCounts, train_tokenizer

TEXTS = ["def area(a):\n    return a * a\n", "b = area(2) + area(3)\n"] * 4


@pytest.fixture
def tokenizer():
    pytest.importorskip("transformers")
    return train_tokenizer(TEXTS, 280)


@pytest.fixture
def model(encoder):
    """Attends unevenly, so that some weights count and others do not."""
    made = encoder(vocab_size=280)
    with torch.no_grad():
        for layer in made.encoder.layer:
            layer.attention.self.query.weight.mul_(40)
            layer.attention.self.key.weight.mul_(40)
    return made


def by_hand(model, tokenizer, text, threshold=0.1):
    """Pairs of ids and how often, one weight after the other."""
    model.set_attn_implementation("eager")
    ids = tokenizer(text)["input_ids"]
    layers = model(torch.tensor([ids]), output_attentions=True).attentions
    count = np.zeros((len(tokenizer), len(tokenizer)), int)
    for layer in layers:
        for head in layer[0]:
            for i in range(1, len(ids) - 1):
                for j in range(1, len(ids) - 1):
                    count[ids[i], ids[j]] += int(head[i, j] > threshold)
    return count


@pytest.mark.parametrize("threshold", [0.1, 0.4])
def test_a_pair_counts_once_for_each_layer_and_head(model, tokenizer, threshold):
    found = PairCounts.measure(model, tokenizer, TEXTS[:2], threshold=threshold, progress=False)
    expected = sum(by_hand(model, tokenizer, text, threshold) for text in TEXTS[:2])
    assert (found.count.toarray() == expected).all() and 0 < found.count.nnz < 2000


def test_the_model_stays_as_it_was(model, tokenizer):
    model.train()
    before = model.config._attn_implementation
    PairCounts.measure(model, tokenizer, TEXTS[:1], progress=False)
    assert model.training and model.config._attn_implementation == before


def test_long_texts_are_read_part_by_part(model, tokenizer):
    ids = tokenizer(TEXTS[0] * 3, add_special_tokens=False)["input_ids"]
    whole = PairCounts.measure(model, tokenizer, [TEXTS[0] * 3], max_length=12, progress=False)
    parts = [tokenizer.decode(ids[k : k + 10]) for k in range(0, len(ids), 10)]
    assert [tokenizer(p, add_special_tokens=False)["input_ids"] for p in parts] == [
        ids[k : k + 10] for k in range(0, len(ids), 10)
    ]
    expected = sum(by_hand(model, tokenizer, part) for part in parts)
    assert (whole.count.toarray() == expected).all()


def test_counts_of_parts_of_a_corpus_add_up(model, tokenizer, monkeypatch):
    one, two, both = (
        PairCounts.measure(model, tokenizer, texts, progress=False)
        for texts in (TEXTS[:1], TEXTS[1:2], TEXTS[:2])
    )
    assert ((one + two).count != both.count).nnz == 0
    monkeypatch.setattr("tgraph_attn.models.pretrained.pair_counts._MOST_PAIRS", 1)
    again = PairCounts.measure(model, tokenizer, TEXTS[:2], progress=False)
    assert (again.count != both.count).nnz == 0
    none = PairCounts.measure(model, tokenizer, [], progress=False)
    assert none.count.nnz == 0 and ((none + one).count != one.count).nnz == 0


def test_counts_come_back_from_a_file(tmp_path):
    counts = PairCounts(csr_array([[0, 3], [1, 0]]), "words")
    counts.save(tmp_path / "é.npz")
    again = PairCounts.load(tmp_path / "é.npz")
    assert again.count.toarray().tolist() == [[0, 3], [1, 0]] and again.vocabulary == "words"
    assert repr(again) == "PairCounts(2 words, 2 pairs)"


@pytest.mark.parametrize("content", [b"", b"nothing", None])
def test_a_file_that_is_none_is_refused(tmp_path, content):
    path = tmp_path / "counts.npz"
    with pytest.raises(FileNotFoundError, match=r"PairCounts.load: path must be a file"):
        PairCounts.load(path)
    PairCounts(csr_array((50, 50)), "words").save(path)
    path.write_bytes(path.read_bytes()[:200] if content is None else content)
    with pytest.raises(ValueError, match=r"must be what PairCounts.save wrote, but is not"):
        PairCounts.load(path)


def test_counts_of_another_vocabulary_are_refused(tokenizer):
    counts = PairCounts(csr_array((280, 280)), "other")
    with pytest.raises(ValueError, match=r"PairCounts: counts must be of one vocabulary"):
        counts.check(tokenizer)
    with pytest.raises(ValueError, match=r"PairCounts: counts must be of one vocabulary"):
        counts + PairCounts(csr_array((9, 9)), "other")


def test_counts_that_are_not_square_are_refused():
    with pytest.raises(ValueError, match=r"count must have shape \[V, V\], but has \[2, 3\]"):
        PairCounts(csr_array((2, 3)), "words")


def test_a_model_of_fewer_words_is_refused(encoder, tokenizer):
    with pytest.raises(ValueError, match=r"the tokenizer, \d+, but has 60"):
        PairCounts.measure(encoder(), tokenizer, TEXTS)
    with pytest.raises(ValueError, match="max_length must be at least 3"):
        PairCounts.measure(encoder(vocab_size=280), tokenizer, TEXTS, max_length=2)
    with pytest.raises(ValueError, match="threshold must be"):
        PairCounts.measure(encoder(vocab_size=280), tokenizer, TEXTS, threshold=1.0)


def test_sums_of_blocks_are_those_of_pair_block_counts():
    counts = PairCounts(csr_array([[0, 5], [1, 0]]), "words")
    assert counts.of_blocks([0, 0, 1], 2).tolist() == [[0, 10], [2, 0]]
