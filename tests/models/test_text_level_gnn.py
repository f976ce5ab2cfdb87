import inspect
import io
import json

import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.models import TextLevelGNN
from tgraph_attn.transforms import DocumentGraph

CLASSES = ["crude", "grain", "trade"]
EVERY_TEXT = ["oil price rises oil", "", "corn", "of the", "wheat harvest falls, oil harvest"]
tokens_too = pytest.mark.parametrize("graph", ["words", "tokens"], indirect=True)


@pytest.fixture
def pairs(documents):
    return TextLevelGNN.pairs_of(documents)


@pytest.fixture
def make(graph, pairs):
    """A small model with weights of every pair and word drawn from seed 0, in evaluation mode."""

    def make(pairs=pairs, **settings):
        torch.manual_seed(0)
        model = TextLevelGNN(graph, CLASSES, pairs, **{"word_channels": 6, **settings}).eval()
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter)
        return model

    return make


def logits_of(model, data, eta=True):
    """The formula, one word after the other."""
    ids, table = data.x.tolist(), model.words.table.weight
    places = {pair: place for place, pair in enumerate(model.pairs.tolist())}
    total = torch.zeros_like(table[0])
    for n in range(data.num_nodes - 1):
        messages = []
        for j, i in data.neighbour_edge_index.t().tolist():
            if i == n:
                place = places.get(ids[j] * 2**32 + ids[i], len(places))
                messages.append(model.pair_weight[place] * table[ids[j]])
        m = torch.stack(messages).max(0).values
        if eta:
            own = model.eta[ids[n]]
            m = (1 - own) * m + own * table[ids[n]]
        total = total + m
    return total.relu() @ model.lin_out.weight.t() + model.lin_out.bias


@tokens_too
@pytest.mark.parametrize("keeps_own", [True, False])
def test_it_is_the_formula(make, documents, exact, keeps_own, same):
    model = make(keeps_own=keeps_own).double()
    assert (model.eta is not None) == keeps_own
    expected = torch.stack([logits_of(model, data, keeps_own) for data in documents])
    same(model(exact(documents)), expected, *model.parameters())


def test_pairs_are_those_that_are_neighbours_in_enough_edges_of_the_training_documents(graph):
    # oil 3, price 4, rises 5: oil -> price in two documents, rises in one of them
    documents = [graph(text) for text in ("oil price", "oil price rises")]

    def pair(key, query):
        return key * 2**32 + query

    twice = [(k, q) for k in (3, 4) for q in (3, 4)]
    own = [(2, 2)]  # the document node and itself
    once = [(3, 5), (4, 5), (5, 3), (5, 4), (5, 5)]
    assert TextLevelGNN.pairs_of(documents).tolist() == sorted(pair(*p) for p in [*own, *twice])
    every = sorted(pair(*p) for p in [*own, *twice, *once])
    assert TextLevelGNN.pairs_of(documents, min_count=1).tolist() == every
    assert TextLevelGNN.pairs_of(documents, min_count=3).tolist() == []
    assert TextLevelGNN.pairs_of([]).dtype == torch.int64
    assert TextLevelGNN.pairs_of([]).shape == (0,)


def test_rare_pairs_share_the_last_weight(graph, make, close):
    pairs = TextLevelGNN.pairs_of([graph("oil price"), graph("oil price")])
    model = make(pairs, keeps_own=False)
    assert model.pair_weight.shape == (len(pairs) + 1,)
    model.loss(graph("wheat corn").update({"y": torch.tensor([1])})).backward()
    grad = model.pair_weight.grad
    assert grad[-1] != 0 and not grad[:-1].any()
    model.zero_grad()
    model.loss(graph("oil price").update({"y": torch.tensor([1])})).backward()
    assert model.pair_weight.grad[-1] == 0 and model.pair_weight.grad[:-1].any()


def test_without_pairs_all_share_one_weight(graph, make, documents, exact, same):
    model = make(torch.empty(0, dtype=torch.int64)).double()
    assert model.pair_weight.shape == (1,)
    expected = torch.stack([logits_of(model, data) for data in documents])
    same(model(exact(documents)), expected, *model.parameters())


def test_a_pair_has_an_order(graph, make, pairs):
    assert (3 * 2**32 + 4 in pairs.tolist()) and (4 * 2**32 + 3 in pairs.tolist())
    model = make()
    before = model(graph("oil price"))
    with torch.no_grad():
        place = pairs.tolist().index(3 * 2**32 + 4)
        model.pair_weight[place] += 7.0
    assert not model(graph("oil price")).equal(before)


def test_weights_begin_at_one_and_eta_at_a_half(graph, pairs):
    model = TextLevelGNN(graph, CLASSES, pairs, word_channels=6)
    assert model.pair_weight.eq(1).all() and model.eta.eq(0.5).all()
    assert model.eta.shape == (len(graph.vocab),)


@tokens_too
def test_a_batch_is_each_document_alone_in_any_order(make, documents, close):
    model = make().double()
    alone = torch.cat([model(data) for data in documents])
    close(model(Batch.from_data_list(documents)), alone)
    order = [3, 0, 5, 2, 1, 4]
    close(model(Batch.from_data_list([documents[n] for n in order])), alone[order])


def test_a_document_without_words_has_the_bias_alone(make, graph):
    model = make()
    for text in ("", "of the"):
        assert model(graph(text))[0].equal(model.lin_out.bias)


@tokens_too
def test_each_parameter_gets_a_finite_gradient_that_moves_it(make, documents):
    model = make()
    model.loss(Batch.from_data_list(documents)).backward()
    assert all(p.grad.isfinite().all() and p.grad.any() for p in model.parameters())


@pytest.mark.parametrize("texts", [[""], ["", "of the"], ["corn"]])
def test_documents_without_words_or_with_one_give_finite_gradients(make, graph, texts):
    model, batch = make(), Batch.from_data_list([graph(text) for text in texts])
    batch.y = torch.zeros(len(texts), dtype=torch.int64)
    loss = model.loss(batch)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    assert loss.isfinite() and all(grad.isfinite().all() for grad in grads)


def test_the_loss_is_the_mean_cross_entropy(make, documents, close):
    model, batch = make().double(), Batch.from_data_list(documents)
    likelihood = model(batch).log_softmax(1)
    close(model.loss(batch), -likelihood[torch.arange(6), batch.y].mean())


def test_it_learns_documents_by_heart(graph, pairs):
    texts = ["oil price rises", "wheat harvest falls", "tariff"]
    model = TextLevelGNN(graph, CLASSES, pairs, word_channels=6)
    batch = Batch.from_data_list([graph(text) for text in texts])
    batch.y = torch.arange(3)
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(200):
        optimizer.zero_grad()
        model.loss(batch).backward()
        optimizer.step()
    assert [prediction.label for prediction in model.predict(texts)] == CLASSES


def test_dropout_is_for_training_alone(make, documents):
    batch, model = Batch.from_data_list(documents), make()
    expected = model(batch)
    assert expected.equal(model(batch)) and not model.train()(batch).equal(expected)
    assert make(dropout=0.0).train()(batch).equal(expected)


def test_predict_takes_a_text_texts_a_graph_or_a_batch(make, graph):
    model = make().train()
    together = model.predict(EVERY_TEXT)
    data = [graph(text) for text in EVERY_TEXT]
    assert model.predict(Batch.from_data_list(data)) == together
    assert model.predict(EVERY_TEXT[0]) == model.predict(data[0])
    assert [p.label for p in together] == [model.predict(text)[0].label for text in EVERY_TEXT]
    assert model.training
    assert all(sum(p.probabilities.values()) == pytest.approx(1) for p in together)


def test_the_state_dict_is_plain_and_restores_the_model_with_its_pairs(make, documents):
    batch, file = Batch.from_data_list(documents), io.BytesIO()
    model = make()
    other = make(len(model.pairs))
    torch.nn.init.zeros_(other.eta)
    assert not other(batch).equal(model(batch))
    torch.save(model.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    assert other(batch).equal(model(batch)) and other.pairs.equal(model.pairs)


def test_saved_models_say_the_same_in_a_new_process(make, says_the_same_in_a_new_process):
    says_the_same_in_a_new_process([make(keeps_own=own) for own in (True, False)], EVERY_TEXT)


def test_arguments_to_save_are_all_that_the_constructor_was_given(graph):
    settings = {
        "classes": ["yes", "no"],
        "pairs": 7,
        "word_channels": 12,
        "dropout": 0.3,
        "keeps_own": False,
    }
    parameters = inspect.signature(TextLevelGNN).parameters
    assert set(parameters) == {"graph", "vectors", *settings}
    assert all(settings[name] != parameters[name].default for name in settings)
    assert json.loads(json.dumps(TextLevelGNN(graph, **settings).arguments)) == settings


def test_vectors_given_are_those_of_the_words_found_scaled(make, graph, pairs, close):
    vectors, found = torch.randn(11, 5), torch.arange(11) % 2 == 1
    model = TextLevelGNN(graph, CLASSES, pairs, vectors=(vectors, found))
    table = model.words.table.weight
    close(table[found], vectors[found] * 0.4 / vectors[found].std(correction=0))
    assert model.arguments["word_channels"] == 5 and table[~found].abs().max() <= 0.01


def test_vectors_of_other_words_are_refused(make):
    with pytest.raises(ValueError, match=r"TextLevelGNN: vectors must be floating \[11, F\]"):
        make(vectors=(torch.zeros(10, 5), torch.zeros(10, dtype=torch.bool)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"word_channels": 0}, r"TextLevelGNN: word_channels must be at least 1"),
        ({"dropout": 1.0}, r"TextLevelGNN: dropout must be in \[0, 1\)"),
        ({"pairs": -1}, r"TextLevelGNN: pairs must be at least 0, but got -1"),
        ({"pairs": torch.tensor([5, 3])}, r"pairs must be int64 .* ascending.*pairs_of"),
        ({"pairs": torch.tensor([3, 3])}, r"pairs must be int64 .* ascending"),
        ({"pairs": torch.tensor([1.0])}, r"pairs must be int64 .* torch.float32"),
        ({"pairs": torch.tensor([[1], [2]])}, r"pairs must be int64 of shape \[M\].*\[2, 1\]"),
    ],
)
def test_settings_that_do_not_fit_are_refused(make, settings, message):
    with pytest.raises(ValueError, match=message):
        make(**settings)


def test_fewer_than_two_classes_are_refused(graph):
    with pytest.raises(ValueError, match="TextLevelGNN: classes must be at least two different"):
        TextLevelGNN(graph, ["one"], 0)


def test_min_count_below_one_is_refused():
    with pytest.raises(ValueError, match=r"TextLevelGNN.pairs_of: min_count must be at least 1"):
        TextLevelGNN.pairs_of([], min_count=0)


def test_a_graph_without_neighbours_is_refused(graph, documents, make):
    with pytest.raises(ValueError, match=r"graph must have the relation 'neighbour', but has \[\]"):
        TextLevelGNN(DocumentGraph(graph.vocab, relations=[]), CLASSES, 0)
    del documents[0].neighbour_edge_index
    with pytest.raises(ValueError, match=r"must have neighbour_edge_index.*AddNeighbourEdges"):
        make()(documents[0])


@pytest.mark.parametrize("label", [-1, 3])
def test_a_label_out_of_range_or_none_is_refused(make, documents, label):
    documents[2].y = torch.tensor([label])
    batch = Batch.from_data_list(documents)
    with pytest.raises(ValueError, match=r"TextLevelGNN: y must be in \[0, 3\)"):
        make().loss(batch)
    del batch.y
    with pytest.raises(ValueError, match=r"TextLevelGNN: y must be int64 of shape \[6\].*None"):
        make().loss(batch)


def test_a_folder_that_holds_no_model_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"TextLevelGNN.load: .* must be the folder of a"):
        TextLevelGNN.load(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"must hold what TextLevelGNN.save wrote"):
        TextLevelGNN.load(tmp_path)
