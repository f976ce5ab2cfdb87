import pytest
import torch
from torch.nn.functional import cross_entropy

from tgraph_attn.convert import corpus_graph
from tgraph_attn.models import TextGCN
from tgraph_attn.relations import WordStatistics
from tgraph_attn.training import fit_text_gcn
from tgraph_attn.transforms import DocumentGraph
from tgraph_attn.vocab import Vocab

TEXTS = ["oil price rises", "price of oil", "corn harvest", "wheat and corn"] * 5
Y = torch.tensor([0, 0, 1, 1] * 5)
TRAIN, HELD = torch.arange(12), torch.arange(12, 20)


@pytest.fixture
def corpus():
    words = [text.split() for text in TEXTS]
    vocab = Vocab.build((word for text in words for word in text), specials=["<document>"])
    statistics = WordStatistics.count([vocab.encode(text) for text in words], len(vocab))
    graph = DocumentGraph(vocab, statistics)
    documents = [graph(t).update({"y": y.view(1)}) for t, y in zip(TEXTS, Y, strict=True)]
    return corpus_graph(documents, statistics)


def model_of(corpus, **settings):
    torch.manual_seed(0)
    sizes = {"num_documents": corpus.num_documents, "num_words": len(corpus.word), "channels": 8}
    return TextGCN(["crude", "grain"], **sizes, **settings)


def test_it_learns_what_can_be_told_apart(corpus):
    model = model_of(corpus)
    history = fit_text_gcn(model, corpus, TRAIN, HELD, epochs=60, log=False)
    assert history.validation_accuracy[-1] == 1.0 and not model.training
    assert history.train_loss[-1] < 0.3 * history.train_loss[0] and history.seconds > 0


def test_a_step_is_one_of_adam_on_all_training_documents(corpus, close):
    model, by_hand = model_of(corpus, dropout=0.0), model_of(corpus, dropout=0.0)
    fit_text_gcn(model, corpus, TRAIN, HELD, lr=0.1, epochs=1, log=False)
    optimizer = torch.optim.Adam(by_hand.parameters(), 0.1)
    by_hand.loss(corpus, TRAIN).backward()
    optimizer.step()
    for got, expected in zip(model.parameters(), by_hand.parameters(), strict=True):
        close(got, expected)


def test_the_model_has_its_last_weights_and_the_history_tells_them(corpus):
    model = model_of(corpus)
    history = fit_text_gcn(model, corpus, TRAIN, HELD, epochs=3, log=False)
    assert history.best_epoch == len(history.validation_loss) == 3
    loss = cross_entropy(model(corpus)[HELD], Y[HELD]).item()
    assert history.validation_loss[-1] == pytest.approx(loss)


def test_it_stops_when_validation_is_worse_than_the_mean_of_the_ten_epochs_before(corpus):
    wrong = corpus.clone()
    wrong.y[HELD] = 1 - wrong.y[HELD]  # the better it learns, the worse it validates
    history = fit_text_gcn(model_of(corpus), wrong, TRAIN, HELD, epochs=60, log=False)
    losses = history.validation_loss
    assert len(losses) == 11 and losses[-1] > sum(losses[:10]) / 10


def test_no_epoch_is_refused(corpus):
    with pytest.raises(ValueError, match="fit_text_gcn: epochs must be at least 1"):
        fit_text_gcn(model_of(corpus), corpus, TRAIN, HELD, epochs=0)


def test_another_corpus_is_refused(corpus):
    model = model_of(corpus)
    corpus.num_documents = 3
    with pytest.raises(ValueError, match="corpus must"):
        fit_text_gcn(model, corpus, TRAIN, HELD, log=False)


@pytest.mark.parametrize("part", ["train", "validation"])
@pytest.mark.parametrize("numbers", [torch.arange(0), torch.tensor([20]), torch.tensor([-1])])
def test_documents_that_are_none_are_refused(corpus, part, numbers):
    parts = {"train": TRAIN, "validation": HELD, part: numbers}
    with pytest.raises(ValueError, match=rf"fit_text_gcn: {part} must be "):
        fit_text_gcn(model_of(corpus), corpus, **parts, log=False)


def test_a_loss_that_is_no_number_leaves_the_weights_before_it(corpus):
    model = model_of(corpus)
    with pytest.raises(ValueError, match=r"fit_text_gcn: the loss must .*, but is .* after epoch"):
        fit_text_gcn(model, corpus, TRAIN, HELD, lr=1e30, log=False)
    assert model(corpus).isfinite().all()
