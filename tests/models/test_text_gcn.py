import inspect
import io
import json

import pytest
import torch

from tgraph_attn.convert import corpus_graph
from tgraph_attn.models import TextGCN

CLASSES = ["crude", "grain", "trade"]
NUM_DOCUMENTS, NUM_WORDS = 6, 8


@pytest.fixture
def corpus(graph, documents):
    return corpus_graph(documents, graph.statistics)


@pytest.fixture
def make():
    """A small model from seed 0, in evaluation mode."""

    def make(**settings):
        torch.manual_seed(0)
        sizes = {"num_documents": NUM_DOCUMENTS, "num_words": NUM_WORDS, "channels": 5}
        return TextGCN(CLASSES, **{**sizes, **settings}).eval()

    return make


def exact(corpus):
    return corpus.clone().apply(lambda t: t.double() if t.is_floating_point() else t)


def a_hat(corpus):
    size = corpus.num_nodes
    key, query = corpus.edge_index
    a = torch.zeros(size, size, dtype=torch.float64)
    a = a.index_put((query, key), corpus.edge_weight.double())
    root = a.sum(1).sqrt()
    return a / root / root.unsqueeze(1)


def test_of_the_identity_it_is_the_formula(make, corpus, same):
    model, a = make().double(), a_hat(corpus)
    first, second = model.first.weight.t(), model.second.weight.t()
    x = torch.eye(NUM_DOCUMENTS + NUM_WORDS, dtype=torch.float64)
    expected = a @ (a @ x @ first).relu() @ second
    same(model(exact(corpus)), expected[:NUM_DOCUMENTS], *model.parameters())
    assert {name for name, _ in model.named_parameters()} == {"first.weight", "second.weight"}


def test_of_vectors_it_is_the_formula_with_the_mean_of_its_tokens_for_a_document(
    make, graph, documents, corpus, same
):
    model, a = make(word_channels=4).double(), a_hat(corpus)
    torch.nn.init.normal_(model.vectors)
    rows = []
    for data in documents:
        tokens = model.vectors[data.x[data.token_index] - 3]
        rows.append(tokens.mean(0) if len(tokens) else torch.zeros(4, dtype=torch.float64))
    x = torch.cat([torch.stack(rows), model.vectors])
    expected = a @ (a @ x @ model.first.weight.t()).relu() @ model.second.weight.t()
    same(model(exact(corpus)), expected[:NUM_DOCUMENTS], *model.parameters())


def test_weights_of_the_graph_take_the_type_of_the_model(make, corpus, close):
    for settings in ({}, {"word_channels": 4}):
        model = make(**settings)
        close(model(corpus), make(**settings).double()(corpus).float())


def test_the_order_of_documents_makes_no_difference(make, graph, documents, close):
    model, order = make(word_channels=4).double(), [3, 0, 5, 2, 1, 4]
    torch.nn.init.normal_(model.vectors)
    other = corpus_graph([documents[n] for n in order], graph.statistics)
    out = model(corpus_graph(documents, graph.statistics))
    close(model(other), out[order])


def test_the_loss_is_the_mean_cross_entropy_of_the_documents_asked_for(make, corpus, close):
    model, asked = make().double(), torch.tensor([5, 1])
    likelihood = model(corpus).log_softmax(1)[asked, corpus.y[asked]]
    close(model.loss(corpus, asked), -likelihood.mean())


@pytest.mark.parametrize("word_channels", [None, 4])
def test_each_parameter_gets_a_finite_gradient(make, corpus, word_channels):
    model = make(word_channels=word_channels).train()
    model.loss(corpus, torch.arange(NUM_DOCUMENTS)).backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in model.parameters())


@pytest.mark.parametrize("word_channels", [None, 4])
def test_it_learns_documents_by_heart(make, corpus, word_channels):
    model, asked = make(word_channels=word_channels), torch.tensor([0, 1, 3, 5])
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    for _ in range(150):
        optimizer.zero_grad()
        model.loss(corpus, asked).backward()
        optimizer.step()
    labels = [prediction.label for prediction in model.predict(corpus)]
    assert [labels[n] for n in asked] == ["crude", "grain", "grain", "trade"]


def test_dropout_is_for_training_alone_and_before_the_second_layer_where_there_are_no_vectors(
    make, corpus, monkeypatch
):
    shapes = []

    def dropout(x, p, training):
        shapes.append((*x.shape, p, training))
        return x

    monkeypatch.setattr("tgraph_attn.models.text_gcn.dropout", dropout)
    make()(corpus)
    make(word_channels=4).train()(corpus)
    assert shapes == [(14, 5, 0.5, False), (14, 4, 0.5, True), (14, 5, 0.5, True)]
    monkeypatch.undo()
    for settings in ({}, {"word_channels": 4}):
        model = make(**settings)
        expected = model(corpus)
        assert expected.equal(model(corpus)) and not model.train()(corpus).equal(expected)


def test_predict_has_the_probabilities_of_each_document(make, corpus):
    model = make().train()
    predictions = model.predict(corpus)
    assert model.training and len(predictions) == NUM_DOCUMENTS
    logits = model.eval()(corpus)
    for prediction, row in zip(predictions, logits, strict=True):
        assert prediction.label == CLASSES[row.argmax()] == next(iter(prediction.probabilities))
        probabilities = [prediction.probabilities[name] for name in CLASSES]
        assert probabilities == pytest.approx(row.softmax(0).tolist())
        assert sum(probabilities) == pytest.approx(1)


def test_vectors_given_are_those_of_the_words_found_scaled_and_stay_trainable(make, close):
    vectors = torch.randn(NUM_WORDS + 3, 7)
    found = torch.tensor([1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1], dtype=torch.bool)
    model = make(vectors=(vectors, found))
    given = vectors[3:][found[3:]]
    close(model.vectors[found[3:]], given * 0.4 / given.std(correction=0))
    assert model.vectors.requires_grad
    assert model.vectors[~found[3:]].abs().max() <= 0.01
    assert model.arguments["word_channels"] == 7


@pytest.mark.parametrize("rows", [NUM_WORDS, NUM_WORDS + 4])
def test_vectors_of_other_words_are_refused(make, rows):
    vectors = (torch.zeros(rows, 7), torch.zeros(rows, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"TextGCN: vectors must be floating \[11, F\].*load_vec"):
        make(vectors=vectors)


def test_the_state_dict_is_plain_and_restores_the_model(make, corpus):
    for settings in ({}, {"word_channels": 4}):
        model, other, file = make(**settings), make(**settings), io.BytesIO()
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter)
        torch.save(model.state_dict(), file)
        file.seek(0)
        other.load_state_dict(torch.load(file, weights_only=True))
        assert other(corpus).equal(model(corpus))


def test_saved_models_say_the_same_in_a_new_process(make, corpus, says_the_same_in_a_new_process):
    models = [make(**settings, dropout=0.25) for settings in ({}, {"word_channels": 4})]
    says_the_same_in_a_new_process(models, corpus)


def test_a_folder_that_holds_no_model_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"TextGCN.load: .* must be the folder of a saved"):
        TextGCN.load(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"must hold what TextGCN.save wrote"):
        TextGCN.load(tmp_path)


def test_arguments_to_save_are_all_that_the_constructor_was_given():
    settings = {
        "classes": ["yes", "no"],
        "num_documents": 2,
        "num_words": 3,
        "channels": 4,
        "dropout": 0.1,
        "word_channels": 5,
    }
    assert set(inspect.signature(TextGCN).parameters) == {"vectors", *settings}
    assert json.loads(json.dumps(TextGCN(**settings).arguments)) == settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_documents": 0}, r"TextGCN: num_documents must be at least 1"),
        ({"num_words": 0}, r"num_words must be at least 1"),
        ({"channels": 0}, r"channels must be at least 1"),
        ({"word_channels": 0}, r"word_channels must be at least 1"),
        ({"dropout": 1.0}, r"dropout must be in \[0, 1\)"),
    ],
)
def test_settings_that_do_not_fit_are_refused(make, settings, message):
    with pytest.raises(ValueError, match=message):
        make(**settings)


def test_fewer_than_two_classes_are_refused():
    with pytest.raises(ValueError, match="TextGCN: classes must be at least two different names"):
        TextGCN(["one"], num_documents=1, num_words=1)


def test_another_corpus_is_refused(make, graph, documents, corpus):
    with pytest.raises(ValueError, match=r"corpus must have .*'num_documents': 5.* but has .*: 6"):
        make(num_documents=5)(corpus)
    with pytest.raises(ValueError, match=r"'num_nodes': 15.* but has .*'num_nodes': 14.*It knows"):
        make(num_words=9)(corpus)
    with pytest.raises(ValueError, match=r"TextGCN: corpus must have .*'num_documents': None"):
        make()(documents[0])


def test_a_corpus_without_weights_is_refused(make, corpus):
    corpus.edge_weight = corpus.edge_weight[1:]
    with pytest.raises(ValueError, match=r"TextGCN: edge_weight must have one row per edge"):
        make()(corpus)
    corpus.edge_weight = None
    with pytest.raises(ValueError, match=r"TextGCN: corpus must have edge_weight, but has none"):
        make()(corpus)


def test_a_text_is_refused_since_it_knows_its_documents_alone(make):
    with pytest.raises(TypeError, match=r"TextGCN: corpus must be a Data, but got str. It knows"):
        make().predict("oil")


def test_a_document_without_a_class_is_refused_only_if_it_is_asked_for(make, corpus):
    corpus.y[2] = -1
    assert make().loss(corpus, torch.tensor([0, 1])).isfinite()
    with pytest.raises(ValueError, match=r"TextGCN: y must be in \[0, 3\), but ranges from -1"):
        make().loss(corpus, torch.tensor([1, 2]))
    corpus.y[2] = 3
    with pytest.raises(ValueError, match=r"y must be in \[0, 3\), .* to 3. Number the classes"):
        make().loss(corpus, torch.tensor([1, 2]))
    del corpus.y
    with pytest.raises(ValueError, match=r"TextGCN: y must be int64 of shape \[2\].*got None"):
        make().loss(corpus, torch.tensor([0, 1]))
