import pytest
import torch

from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.models._document.word_vectors import (
    WordVectors,
    check_vectors,
    count_and_place,
    scaled,
)


@pytest.fixture
def found(documents, exact):
    return check_documents("test", exact(documents), 11)


def test_words_have_their_vectors_and_a_document_the_mean_of_its_tokens(found, documents, close):
    words = WordVectors(11, 4).double()
    table, rows = words.table.weight, []
    for data in documents:
        tokens = table[data.x[data.token_index]]
        rows += [table[data.x[:-1]], tokens.sum(0, keepdim=True) / max(len(tokens), 1)]
    close(words(found), torch.cat(rows))


def test_a_document_without_words_has_zeros(found):
    out = WordVectors(11, 4, counts_and_places=True).double()(found)
    empty = found.document_index[[2, 4]]
    assert out[empty].eq(0).all() and out[found.document_index[[0, 1, 3, 5]]].any(dim=1).all()


def test_dropout_takes_whole_words_in_training_alone(found, close):
    words = WordVectors(11, 4, dropout=0.5).double()
    expected = words.eval()(found)
    assert expected.equal(words(found))
    out = words.train()(found)
    lost = out[found.word_edges[0]].eq(0)
    assert lost.any() and not lost.all() and lost.all(dim=1).equal(lost.any(dim=1))
    kept = found.word_edges[0][~lost.all(dim=1)]
    close(out[kept], 2 * expected[kept])
    means = [  # of what is left of the words
        out[found.token_edges[0][found.token_edges[1] == n]].mean(0).nan_to_num() for n in range(6)
    ]
    close(out[found.document_index], torch.stack(means))


def test_vectors_begin_small_and_near_nothing():
    words = WordVectors(11, 300)
    assert 0 < words.table.weight.abs().max() <= 0.01


def test_set_changes_the_words_that_are_found_alone():
    words, vectors = WordVectors(11, 4), torch.randn(11, 4, dtype=torch.float64)
    found, before = torch.arange(11) < 5, words.table.weight.detach().clone()
    words.set(vectors, found)
    assert words.table.weight[~found].equal(before[~found])
    assert words.table.weight[found].equal(scaled(vectors[found]).float())
    assert words.table.weight.requires_grad
    words.set(vectors, torch.zeros(11, dtype=torch.bool))  # none: nothing happens
    assert words.table.weight.isfinite().all()


def test_scaled_vectors_have_a_standard_deviation_of_four_tenths(close):
    vectors = torch.randn(30, 5) * 7 + 1
    close(scaled(vectors).std(correction=0), torch.tensor(0.4))
    close(scaled(vectors) / scaled(vectors)[0, 0], vectors / vectors[0, 0])
    assert scaled(torch.zeros(3, 2)).eq(0).all() and scaled(torch.ones(1, 2)).eq(1).all()
    assert scaled(vectors[:0]).shape == (0, 5)


@pytest.mark.parametrize("graph", ["words", "tokens"], indirect=True)
def test_counts_are_of_tokens_and_places_from_each_documents_first_word_on(found, graph):
    count, place = count_and_place(found)
    last = found.graph == 5  # price oil wheat price corn harvest rises (of) price
    if graph.nodes == "words":
        assert count[last].tolist()[:-1] == [2, 0, 0, 0, 0, 0]
    else:
        assert not count.any()
    ranges = [0, 1, 2, 3, 3, 3, 4, 4, 4]  # floor of 1.5 log2(n + 1)
    assert place[last].tolist() == ranges[: int(last.sum())]
    assert place[found.graph == 3].tolist() == [0, 1]


def test_counts_and_places_add_a_vector_each(found, close):
    words = WordVectors(11, 4, counts_and_places=True).double()
    plain = words.table(found.x)
    count, place = count_and_place(found)
    word = found.word_edges[0]
    close(words(found)[word], (plain + words.counts(count) + words.places(place))[word])
    words(found).sum().backward()
    assert words.counts.weight.grad.any() and words.places.weight.grad.any()


VALUES, FOUND = torch.zeros(11, 5), torch.zeros(11, dtype=torch.bool)


def test_vectors_that_fit_are_given_back():
    values, found = check_vectors("test", (VALUES, FOUND), 11)
    assert values is VALUES and found is FOUND


@pytest.mark.parametrize(
    "wrong",
    [
        (VALUES[1:], FOUND[1:]),
        (VALUES, FOUND[1:]),
        (VALUES[1:], FOUND),
        (VALUES[0], FOUND),
        (VALUES.long(), FOUND),
        (VALUES, FOUND.long()),
        (VALUES, FOUND.unsqueeze(1)),
    ],
)
def test_vectors_of_other_words_are_refused(wrong):
    message = r"test: vectors must be floating \[11, F\] and bool \[11\], .*, but got .* Load them"
    with pytest.raises(ValueError, match=message):
        check_vectors("test", wrong, 11)


def test_vectors_that_are_no_pair_or_not_finite_are_refused():
    with pytest.raises(TypeError, match=r"test: vectors must be a tuple, but got Tensor. .* Load"):
        check_vectors("test", VALUES, 11)
    values, found = VALUES.clone(), FOUND.clone()
    values[3] = torch.nan
    check_vectors("test", (values, found), 11)  # word 3 has none
    found[3] = True
    with pytest.raises(ValueError, match=r"test: vectors must be finite for words that have one"):
        check_vectors("test", (values, found), 11)
