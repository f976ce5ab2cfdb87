import math

import numpy as np
import pytest
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC
from torch_geometric.data import Batch

from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.models._document.linear_path import LinearPath, fit_shares, sub_words
from tgraph_attn.transforms import DocumentGraph
from tgraph_attn.vocab import Vocab

WORDS = ["oil", "oils", "corn", "corns", "gold"]
VOCAB = Vocab.build(WORDS, specials=["<document>"])
TEXTS = ["oil oils oil", "corn", "corns corn corn", "oils gold", "gold gold"]
Y = torch.tensor([0, 1, 1, 0, 2])


def documents(*texts):
    graph = DocumentGraph(VOCAB, relations=[])
    return check_documents("test", Batch.from_data_list([graph(t) for t in texts]), len(VOCAB))


def test_sub_words_are_those_that_two_words_share():
    oil, corn, gold = VOCAB.encode(["oil", "corn", "gold"])
    found = sub_words(VOCAB)
    # " oil", "oil", " oi" with oils; " cor", "corn", ... with corns; none of gold's is another's
    assert found[[oil]].sum() == len({" oi", "oil", " oil"})
    assert found[[corn]].sum() == len({" co", "cor", "orn", " cor", "corn", " corn"})
    assert found[[gold]].sum() == 0


def test_a_word_that_has_a_sub_word_twice_counts_it_twice():
    vocab = Vocab.build(["nananan", "banana"], specials=["<document>"])
    assert sub_words(vocab).max() == 3  # "nan" in nananan


def reference(texts):
    """Return the same features by scikit-learn, of the sub-words that two words share."""
    names = [[], []]
    for kind, options in enumerate(
        ({"token_pattern": r"\S+"}, {"analyzer": "char_wb", "ngram_range": (3, 5)})
    ):
        vectorizer = TfidfVectorizer(**options).fit(WORDS)
        held = (vectorizer.transform(WORDS) > 0).sum(0).A1 if kind else None
        names[kind] = [
            name
            for name, column in sorted(vectorizer.vocabulary_.items())
            if held is None or held[column] > 1
        ]
    parts = [
        TfidfVectorizer(sublinear_tf=True, vocabulary=names[0], token_pattern=r"\S+"),
        TfidfVectorizer(
            sublinear_tf=True, vocabulary=names[1], analyzer="char_wb", ngram_range=(3, 5)
        ),
    ]
    fitted = [part.fit(TEXTS) for part in parts]
    return np.hstack([part.transform(texts).toarray() for part in fitted])


def test_it_equals_scikit_learns_machine_on_scikit_learns_features():
    path = LinearPath(VOCAB, 3)
    path.fit(documents(*TEXTS), Y)
    new = ["oil gold gold", "corns"]
    machine = LinearSVC(random_state=0).fit(reference(TEXTS), Y.numpy())
    expected = machine.decision_function(reference(new))
    np.testing.assert_allclose(path(documents(*new)).numpy(), expected, atol=1e-3)


def test_a_document_without_words_gets_the_bias():
    path = LinearPath(VOCAB, 3)
    path.fit(documents(*TEXTS), Y)
    torch.testing.assert_close(path(documents("silver"))[0], path.bias)


def test_two_classes_have_opposite_scores():
    path = LinearPath(VOCAB, 2)
    path.fit(documents(*TEXTS), Y.clamp(max=1))
    score = path(documents(*TEXTS))
    torch.testing.assert_close(score[:, 0], -score[:, 1])
    assert score.argmax(1).equal(Y.clamp(max=1))


def test_a_class_that_no_document_has_is_told_of_none():
    path = LinearPath(VOCAB, 4)
    path.fit(documents(*TEXTS), torch.tensor([0, 3, 3, 0, 3]))
    assert path(documents(*TEXTS))[:, [1, 2]].eq(-1).all()
    assert path(documents(*TEXTS)).argmax(1).tolist() == [0, 3, 3, 0, 3]


def test_shares_minimise_the_cross_entropy():
    # The first part says the class, the second its opposite half as loudly, the third nothing.
    y = torch.tensor([0, 1, 0, 1, 1])
    right = torch.nn.functional.one_hot(y, 2).float()
    right[0] = right[0].flip(0)  # so that no share is infinite
    parts = torch.stack([right, torch.zeros(5, 2)])
    shares = fit_shares(parts, y)
    # One of five is wrong: the odds that fit are four to one.
    assert float(shares[0]) == pytest.approx(math.log(4), abs=1e-3)
    assert float(shares[1]) == 1.0


def test_scores_that_are_worse_than_nothing_have_no_share():
    y = torch.tensor([0, 1, 0, 1, 1])
    right = torch.nn.functional.one_hot(y, 2).float()
    right[0] = right[0].flip(0)
    wrong = 1 - torch.nn.functional.one_hot(y, 2).float()
    wrong[1] = wrong[1].flip(0)
    shares = fit_shares(torch.stack([wrong, right]), y)
    assert float(shares[0]) == 0
    assert float(shares[1]) == pytest.approx(math.log(4), abs=1e-3)  # as if it were alone
    assert fit_shares(wrong.unsqueeze(0), y).tolist() == [0]
