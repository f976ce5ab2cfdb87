import copy
import pickle

import pytest
import torch

from tgraph_attn.datasets import WordVectors
from tgraph_attn.relations import WordStatistics


@pytest.fixture
def loaded():
    return WordVectors(torch.ones(5, 2), torch.tensor([0, 0, 1, 1, 1]).bool(), 4, 3, 1)


def test_coverage_is_the_fraction_of_words(loaded):
    assert loaded.coverage == 0.75
    expected = "WordVectors(2 dimensions, 3 of 4 words, 75.0 %, 1 of them by other capitals)"
    assert repr(loaded) == expected


def test_they_are_a_pair_of_tensors(loaded):
    vectors, found = loaded
    assert vectors is loaded.vectors and found is loaded.found and len(loaded) == 2


def test_copies_keep_the_counts(loaded):
    for copied in (copy.copy(loaded), pickle.loads(pickle.dumps(loaded))):
        assert repr(copied) == repr(loaded) and copied.vectors.equal(loaded.vectors)


#       oil, petrol and corn, wheat come together; petrol and wheat have no vector, lone comes alone
STATISTICS = WordStatistics.count(
    [[0, 1, 4], [0, 1, 4], [2, 3, 5], [2, 3, 5], [6]], num_words=7, window=20
)


def vectors_of_some():
    vectors = torch.zeros(7, 3)
    vectors[[0, 4]] = torch.tensor([2.0, 0.0, 0.0])
    vectors[[2, 5]] = torch.tensor([0.0, 2.0, 0.0])
    found = torch.tensor([1, 0, 1, 0, 1, 1, 0]).bool()
    return WordVectors(vectors, found, 7, 4, 0)


def test_a_guess_is_like_the_words_that_it_comes_with():
    wider = vectors_of_some().with_corpus(STATISTICS, channels=4)
    assert wider.found.tolist() == [True] * 6 + [False]  # the last one comes with none
    assert wider.num_found == 6 and wider.coverage == pytest.approx(6 / 7)
    guess = wider.vectors[:, :3]
    near = torch.cosine_similarity(guess[1:2], guess)
    assert near[0] > 0.95 and near[2].abs() < 0.3
    assert torch.cosine_similarity(guess[3], guess[2], dim=0) > 0.95
    assert guess[6].eq(0).all()


def test_the_corpus_tells_of_each_word_what_it_comes_with():
    wider = vectors_of_some().with_corpus(STATISTICS, channels=2)
    rows = wider.vectors[:, 3:]
    near = torch.cosine_similarity(rows[0:1], rows)
    assert near[1] > 0.9 and near[2].abs() < 0.1 and rows[6].eq(0).all()


def test_the_vectors_that_were_found_and_their_scale_stay():
    before = vectors_of_some()
    wider = before.with_corpus(STATISTICS, channels=4)
    assert wider.vectors[before.found, :3].equal(before.vectors[before.found])
    assert before.vectors[1].eq(0).all() and before.vectors.size(1) == 3  # it changes none in place
    deviation = before.vectors[before.found].numpy().std()
    assert wider.vectors[[1, 3], :3].numpy().std() == pytest.approx(deviation, rel=1e-4)
    assert wider.vectors[:6, 3:].numpy().std() == pytest.approx(deviation, rel=1e-4)


def test_where_all_words_are_found_none_is_guessed():
    every = WordVectors(torch.randn(7, 3), torch.ones(7).bool(), 7, 7, 0)
    assert every.with_corpus(STATISTICS, channels=4).vectors[:, :3].equal(every.vectors)


def test_statistics_of_other_words_and_too_many_channels_are_refused(loaded):
    with pytest.raises(ValueError, match="statistics must be of the 5 words of the vocabulary, an"):
        loaded.with_corpus(STATISTICS, channels=4)
    with pytest.raises(ValueError, match=r"and channels fewer, but are of 7, and 7\."):
        vectors_of_some().with_corpus(STATISTICS, channels=7)
