import inspect
import io
import json
import math

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy, gelu, layer_norm
from torch_geometric.data import Batch
from torch_geometric.loader import DataLoader

from tgraph_attn.models import DocumentGNN
from tgraph_attn.models._document.document_convs import RELATIONS
from tgraph_attn.models._document.documents import check_documents
from tgraph_attn.models._document.linear_path import LinearPath, fit_shares
from tgraph_attn.transforms import DocumentGraph

CLASSES = ["crude", "grain", "trade"]
EVERY_TEXT = ["oil price rises oil", "", "corn", "of the", "wheat harvest falls, oil harvest"]

every_conv = pytest.mark.parametrize("conv", RELATIONS)
every_skeleton = pytest.mark.parametrize("skeleton", ["plain", "residual"])
tokens_too = pytest.mark.parametrize("graph", ["words", "tokens"], indirect=True)


@pytest.fixture
def make(graph):
    """A small model from seed 0, in evaluation mode, whose words differ as if they were trained."""

    def make(conv="self_attention", skeleton="residual", **settings):
        torch.manual_seed(0)
        settings = {"word_channels": 6, "channels": 8, **settings}
        model = DocumentGNN(graph, CLASSES, conv=conv, skeleton=skeleton, **settings)
        torch.nn.init.normal_(model.words.table.weight)
        return model.eval()

    return make


def features(model, data):
    """The vectors of the words of one document, and their mean for its last node."""
    table = model.words.table.weight
    tokens = table[data.x[data.token_index]]
    document = tokens.mean(0) if len(tokens) else torch.zeros_like(table[0])
    return torch.cat([table[data.x[:-1]], document.unsqueeze(0)])


def a_hat(data):
    """D^-1/2 A D^-1/2, with A as formula (13) of the comparison has it."""
    a = torch.zeros(data.num_nodes, data.num_nodes, dtype=torch.float64)
    for name in ("pmi", "tfidf"):
        edge_index, weight = data[f"{name}_edge_index"], data[f"{name}_edge_weight"]
        a = a.index_put((edge_index[1], edge_index[0]), weight.double())
    root = a.sum(1).sqrt()
    return a / root / root.unsqueeze(1)


def layer_of(model, data, conv, x):
    """What the layer makes of x, by the formula."""
    if model.conv == "gcn":
        return a_hat(data) @ x @ conv.lin.weight.t()
    heads = (len(x), conv.heads, conv.out_channels)
    query, key, value = (
        lin(x).view(heads) for lin in (conv.lin_query, conv.lin_key, conv.lin_value)
    )
    alpha = (torch.einsum("ihc,jhc->ijh", query, key) / math.sqrt(conv.out_channels)).softmax(1)
    return torch.einsum("ijh,jhc->ihc", alpha, value).flatten(1)


@tokens_too
@pytest.mark.parametrize(
    ("conv", "heads"), [("gcn", 1), ("self_attention", 1), ("self_attention", 2)]
)
def test_plain_is_the_formula_of_two_layers_at_the_document_node(
    make, documents, exact, conv, heads, same
):
    model = make(conv, "plain", heads=heads).double()
    first, second = model.layers.convs
    rows = []
    for data in documents:
        x = layer_of(model, data, first, features(model, data)).relu()
        rows.append(layer_of(model, data, second, x)[-1])
    same(model(exact(documents)), torch.stack(rows), *model.parameters())


@tokens_too
@pytest.mark.parametrize("feed_forward", [0, 12])
@pytest.mark.parametrize(
    ("conv", "heads"), [("gcn", 1), ("self_attention", 1), ("self_attention", 2)]
)
def test_residual_is_the_formula_of_three_readings(
    make, documents, exact, conv, heads, feed_forward, same
):
    model = make(conv, heads=heads, feed_forward=feed_forward, layers=3).double()
    for parameter in model.layers.parameters():
        torch.nn.init.normal_(parameter)
    layers, rows = model.layers, []

    def norm(x, of):
        return layer_norm(x, (8,), of.weight, of.bias)

    for data in documents:
        x = layers.lin_in(features(model, data))
        for n in range(3):
            x = x + layers.projections[n](
                layer_of(model, data, layers.convs[n], norm(x, layers.norms[n]))
            )
            if feed_forward:
                before, wide, _, _, narrow = layers.feed_forwards[n]
                x = x + narrow(gelu(wide(norm(x, before))))
        x = norm(x, layers.norm)
        of_words = torch.zeros(2, 8, dtype=torch.float64)
        if len(x) > 1:
            of_words = torch.stack([x[:-1].mean(0), x[:-1].max(0).values])
        rows.append(layers.lin_out(torch.cat([x[-1], *of_words])))
    same(model(exact(documents)), torch.stack(rows), *model.parameters())


@every_conv
@every_skeleton
@tokens_too
def test_a_batch_is_each_document_alone_in_any_order(make, documents, conv, skeleton, close):
    model = make(conv, skeleton).double()
    alone = torch.cat([model(data) for data in documents])
    close(model(Batch.from_data_list(documents)), alone)
    order = [3, 0, 5, 2, 1, 4]
    close(model(Batch.from_data_list([documents[n] for n in order])), alone[order])


@every_conv
@every_skeleton
def test_no_document_sees_another(make, graph, documents, conv, skeleton):
    model = make(conv, skeleton)
    before = model(Batch.from_data_list(documents))
    documents[4] = graph("wheat falls").update({"y": torch.tensor([0])})
    after = model(Batch.from_data_list(documents))
    others = [0, 1, 2, 3, 5]
    assert after[others].equal(before[others]) and not after[4].equal(before[4])


@every_conv
@every_skeleton
@tokens_too
def test_each_parameter_gets_a_finite_gradient_that_moves_it(make, documents, conv, skeleton):
    model = make(conv, skeleton, feed_forward=12 * (skeleton == "residual")).train()
    model.loss(Batch.from_data_list(documents)).backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())
    assert all(p.grad.any() for p in model.parameters())


@every_conv
@every_skeleton
@pytest.mark.parametrize("texts", [[""], ["", "of the"], ["corn"]])
def test_documents_without_words_or_with_one_give_finite_gradients(
    make, graph, conv, skeleton, texts
):
    model = make(conv, skeleton)
    batch = Batch.from_data_list([graph(text) for text in texts])
    batch.y = torch.zeros(len(texts), dtype=torch.int64)
    loss = model.loss(batch)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    assert loss.isfinite() and all(grad.isfinite().all() for grad in grads)
    assert model(batch).equal(model(batch))


@every_skeleton
def test_gcn_and_self_attention_differ_in_queries_and_keys_alone(make, skeleton):
    models = {conv: make(conv, skeleton) for conv in ("gcn", "self_attention")}
    shapes = {
        conv: {name: p.shape for name, p in model.named_parameters()}
        for conv, model in models.items()
    }
    learned = {n for n in shapes["self_attention"] if "lin_query" in n or "lin_key" in n}
    assert len(learned) == 4
    shared = {
        name.replace("lin_value", "lin"): shape
        for name, shape in shapes["self_attention"].items()
        if name not in learned
    }
    assert shared == shapes["gcn"]


@every_skeleton
def test_self_attention_without_logits_is_gcn_with_equal_weights(make, documents, skeleton, same):
    attention, convolution = make("self_attention", skeleton), make("gcn", skeleton)
    attention, convolution = attention.double(), convolution.double()
    state = attention.state_dict()
    for name in [name for name in state if "lin_query" in name]:
        state[name].zero_()
    kept = {n.replace("lin_value", "lin"): v for n, v in state.items() if "lin_key" not in n}
    convolution.load_state_dict({n: v for n, v in kept.items() if "lin_query" not in n})
    for data in documents:
        nodes = torch.arange(data.num_nodes)
        data.pmi_edge_index = torch.cartesian_prod(nodes, nodes).t()
        data.pmi_edge_weight = torch.ones(data.num_nodes**2, dtype=torch.float64)
        data.tfidf_edge_index = torch.empty(2, 0, dtype=torch.int64)
        data.tfidf_edge_weight = torch.empty(0, dtype=torch.float64)
    batch = Batch.from_data_list(documents)
    same(
        attention(batch),
        convolution(batch),
        *(attention.words.table.weight, *(c.lin_value.weight for c in attention.layers.convs)),
        others=[
            *(convolution.words.table.weight, *(c.lin.weight for c in convolution.layers.convs))
        ],
    )


def test_the_loss_is_the_mean_cross_entropy_with_smoothing_if_asked(make, documents, close):
    model, batch = make().double(), Batch.from_data_list(documents)
    likelihood = model(batch).log_softmax(1)
    plain = -likelihood[torch.arange(6), batch.y].mean()
    close(model.loss(batch), plain)
    smooth = make(label_smoothing=0.3).double()
    close(smooth.loss(batch), 0.7 * plain - 0.3 * likelihood.mean())


def test_a_prior_shifts_the_logits_of_the_loss_alone(make, documents, close):
    batch = Batch.from_data_list(documents)
    prior = torch.tensor([4.0, 1.0, 0.5])
    model, with_prior = make().double(), make(class_prior=prior.tolist()).double()
    close(with_prior(batch), model(batch))
    expected = cross_entropy(model(batch) + prior.double().log(), batch.y)
    close(with_prior.loss(batch), expected)
    assert (expected - model.loss(batch)).abs() > 0.01


def test_with_the_counts_as_prior_all_classes_weigh_the_same(make, graph):
    documents = [graph("oil"), graph("oil"), graph("oil"), graph("oil")]  # that nothing tells apart
    for data, y in zip(documents, [0, 0, 1, 2], strict=True):
        data.y = torch.tensor([y])
    batch = Batch.from_data_list(documents)
    for prior, expected in ((None, [0.5, 0.25, 0.25]), ([2, 1, 1], [1 / 3, 1 / 3, 1 / 3])):
        model = make(class_prior=prior, dropout=0.0)
        optimizer = torch.optim.Adam(model.parameters(), 1e-2)
        for _ in range(300):
            optimizer.zero_grad()
            model.loss(batch).backward()
            optimizer.step()
        found = model(batch)[0].softmax(0).tolist()
        assert found == pytest.approx(expected, abs=0.02)


@every_conv
@every_skeleton
def test_it_learns_documents_by_heart(make, graph, conv, skeleton):
    texts = ["oil price rises", "wheat harvest falls", "tariff"]
    model = make(conv, skeleton)
    batch = Batch.from_data_list([graph(text) for text in texts])
    batch.y = torch.arange(3)
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(200):
        optimizer.zero_grad()
        model.loss(batch).backward()
        optimizer.step()
    assert [prediction.label for prediction in model.predict(texts)] == CLASSES


def test_predict_takes_a_text_texts_a_graph_or_a_batch(make, graph, close):
    model = make().train()
    together = model.predict(EVERY_TEXT)
    data = [graph(text) for text in EVERY_TEXT]
    assert model.predict(Batch.from_data_list(data)) == together == model.predict(tuple(EVERY_TEXT))
    assert model.training
    for text, one, expected in zip(EVERY_TEXT, data, together, strict=True):
        for [found] in (model.predict(text), model.predict(one)):
            assert found.label == expected.label
            values = (torch.tensor(list(p.probabilities.values())) for p in (found, expected))
            close(*values)
    assert all(
        set(p.probabilities) == set(CLASSES)
        and sum(p.probabilities.values()) == pytest.approx(1)
        and p.label == next(iter(p.probabilities))
        and list(p.probabilities.values()) == sorted(p.probabilities.values(), reverse=True)
        for p in together
    )


def test_a_text_of_unknown_words_is_as_an_empty_one(make):
    model = make()
    assert model.predict("of the unheard") == model.predict("") == model.predict("\x00 ?")


def test_graphs_to_predict_need_no_class(make, documents):
    del documents[0].y
    assert make().predict(documents[0])[0].label in CLASSES


@pytest.mark.parametrize("conv", ["self_attention", "gat", "relation_attention"])
@every_skeleton
def test_attention_of_each_layer_sums_to_one_at_each_node(make, documents, conv, skeleton, close):
    model, batch = make(conv, skeleton, heads=2).train(), Batch.from_data_list(documents)
    seen = model.attention(batch)
    assert model.training and len(seen) == 2
    assert [alpha.size(1) for _, alpha in seen] == [2, 1 if skeleton == "plain" else 2]
    for edge_index, alpha in seen:
        assert batch.batch[edge_index[0]].equal(batch.batch[edge_index[1]])
        total = torch.zeros(batch.num_nodes, alpha.size(1)).index_add(0, edge_index[1], alpha)
        close(total, torch.ones_like(total))
    again = model.attention(batch)  # nothing is dropped, though the model is in training
    assert all(one[1].equal(other[1]) for one, other in zip(seen, again, strict=True))
    assert not any(conv._forward_hooks for conv in model.layers.convs)


@every_skeleton
def test_attention_of_gcn_is_its_matrix_in_each_layer(make, documents, exact, skeleton, close):
    seen = make("gcn", skeleton).attention(exact(documents))
    blocks = torch.block_diag(*(a_hat(data) for data in documents))
    assert len(seen) == 2
    for edge_index, alpha in seen:
        key, query = edge_index
        close(torch.zeros_like(blocks).index_put((query, key), alpha[:, 0]), blocks)


def test_attention_of_labelled_gcn_is_refused(make):
    with pytest.raises(ValueError, match=r"attention: conv must have weights .* \"labelled_gcn\""):
        make("labelled_gcn").attention("oil")


@pytest.mark.parametrize("conv", ["self_attention", "relation_attention"])
def test_word_weights_are_what_the_document_node_attends_to(make, conv):
    model = make(conv, heads=2)
    weights = model.word_weights("The oil price, oil corn")
    assert [word for word, _ in weights] == ["oil", "price", "corn"]
    _, alpha = model.attention("The oil price, oil corn")[-1]
    of_document = alpha.view(4, 4, 2)[3].mean(1)  # of the last query, the keys in order
    assert [weight for _, weight in weights] == of_document[:3].tolist()
    assert 0 < sum(weight for _, weight in weights) < 1


def test_word_weights_of_gcn_are_those_of_tfidf_edges(make, graph):
    text = "oil price rises oil"
    expected = a_hat(graph(text))[-1, :-1].tolist()
    assert [weight for _, weight in make("gcn").word_weights(text)] == pytest.approx(expected)


def test_a_text_without_words_has_no_word_weights(make):
    assert make().word_weights("") == make("gat").word_weights("of the") == []


@every_conv
@every_skeleton
def test_dropout_is_for_training_alone(make, documents, conv, skeleton):
    batch = Batch.from_data_list(documents)
    for settings in ({"dropout": 0.5}, {"dropout": 0.0, "word_dropout": 0.5}):
        model = make(conv, skeleton, **settings)
        expected = make(conv, skeleton, dropout=0.0)(batch)
        assert model(batch).equal(expected)
        assert not model.train()(batch)[[0, 1, 5]].equal(expected[[0, 1, 5]])
    assert make(conv, skeleton, dropout=0.0).train()(batch).equal(expected)


def test_vectors_given_are_those_of_the_words_found_scaled_and_stay_trainable(graph, close):
    vectors = torch.randn(len(graph.vocab), 5)
    found = torch.tensor([0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1], dtype=torch.bool)
    model = DocumentGNN(graph, CLASSES, vectors=(vectors, found), word_channels=77)
    table = model.words.table.weight
    close(table[found], vectors[found] * 0.4 / vectors[found].std(correction=0))
    assert table.requires_grad
    assert table[~found].abs().max() <= 0.01
    assert model.arguments["word_channels"] == 5


@pytest.mark.parametrize(
    ("vectors", "found"),
    [
        (torch.zeros(9, 5), torch.zeros(9, dtype=torch.bool)),
        (torch.zeros(11, 5), torch.zeros(9, dtype=torch.bool)),
        (torch.zeros(11), torch.zeros(11, dtype=torch.bool)),
        (torch.zeros(11, 5), torch.zeros(11, dtype=torch.int64)),
        (torch.zeros(11, 5, dtype=torch.int64), torch.zeros(11, dtype=torch.bool)),
    ],
)
def test_vectors_of_other_words_are_refused(graph, vectors, found):
    with pytest.raises(
        ValueError, match=r"DocumentGNN: vectors must be floating \[11, F\].*Load them for this"
    ):
        DocumentGNN(graph, CLASSES, vectors=(vectors, found))


def test_the_state_dict_is_plain_and_restores_the_model(make, documents):
    batch = Batch.from_data_list(documents)
    for conv in RELATIONS:
        model, other, file = make(conv), make(conv), io.BytesIO()
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter)
        assert not other(batch).equal(model(batch))
        torch.save(model.state_dict(), file)
        file.seek(0)
        other.load_state_dict(torch.load(file, weights_only=True))
        assert other(batch).equal(model(batch))


def test_saved_models_say_the_same_in_a_new_process(make, says_the_same_in_a_new_process):
    models = [
        make(conv, "plain" if conv in ("gcn", "gat") else "residual", heads=2, label_smoothing=0.1)
        for conv in RELATIONS
    ]
    says_the_same_in_a_new_process(models, EVERY_TEXT)


def test_arguments_to_save_are_all_that_the_constructor_was_given(graph):
    settings = {
        "classes": ["yes", "no"],
        "conv": "gat",
        "skeleton": "plain",
        "word_channels": 12,
        "channels": 10,
        "layers": 3,
        "heads": 2,
        "feed_forward": 20,
        "dropout": 0.3,
        "word_dropout": 0.2,
        "label_smoothing": 0.1,
        "class_prior": [3.0, 0.5],
        "counts_and_places": True,
        "frozen": False,
        "linear_path": True,
    }
    parameters = inspect.signature(DocumentGNN).parameters
    assert set(parameters) == {"graph", "vectors", "encoder", *settings}
    assert all(settings[name] != parameters[name].default for name in settings)
    for others in ({"layers": 2, "feed_forward": 0}, {"skeleton": "residual"}):
        given = {**settings, **others, "encoder": None}
        assert json.loads(json.dumps(DocumentGNN(graph, **given).arguments)) == given


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"conv": "gru"}, r"DocumentGNN: conv must be one of .*'self_attention'\], but got 'gru'"),
        ({"skeleton": "bare"}, r"skeleton must be one of \['plain', 'residual'\]"),
        ({"channels": 0}, r"channels must be at least 1, but got 0"),
        ({"word_channels": -1}, r"word_channels must be at least 1"),
        ({"layers": 0}, r"layers must be at least 1"),
        ({"heads": 0}, r"heads must be at least 1"),
        ({"heads": 3}, r"channels must be a multiple of 3, heads, but got 8"),
        ({"feed_forward": -1}, r"feed_forward must be at least 0, but got -1"),
        ({"dropout": 1.0}, r"dropout must be in \[0, 1\)"),
        ({"word_dropout": -0.1}, r"word_dropout must be in \[0, 1\)"),
        ({"label_smoothing": 1.0}, r"label_smoothing must be in \[0, 1\)"),
        (
            {"class_prior": [1.0, 2.0]},
            r"class_prior must be 3 positive .* is \[1.0, 2.0\]",
        ),
        ({"class_prior": [1.0, 0.0, 2.0]}, r"class_prior must be 3 positive numbers"),
        ({"class_prior": [1.0, math.nan, 2.0]}, r"class_prior must be 3 positive numbers"),
        ({"class_prior": [1.0, math.inf, 2.0]}, r"class_prior must be 3 positive numbers"),
        ({"skeleton": "plain", "layers": 3}, r"\"plain\" must have 2 layers .* got 3 and 0"),
        ({"skeleton": "plain", "feed_forward": 9}, r"\"plain\" must have .* got 2 and 9.*residual"),
    ],
)
def test_settings_that_do_not_fit_are_refused(make, settings, message):
    with pytest.raises(ValueError, match=message):
        make(**settings)


@pytest.mark.parametrize("classes", [[], ["one"], ["one", "two", "one"]])
def test_fewer_than_two_different_classes_are_refused(graph, classes):
    with pytest.raises(ValueError, match="DocumentGNN: classes must be at least two different"):
        DocumentGNN(graph, classes)


@pytest.mark.parametrize(
    ("conv", "relation", "kind"),
    [
        ("gcn", "pmi", "weight"),
        ("gat", "tfidf", "weight"),
        ("labelled_gcn", "neighbour", "type"),
        ("relation_attention", "neighbour", "type"),
    ],
)
def test_a_missing_relation_is_refused_by_its_name(make, documents, conv, relation, kind):
    batch = Batch.from_data_list(documents)
    del batch[f"{relation}_edge_{kind}"]
    message = rf"batch must have {relation}_edge_{kind}, .* DocumentGraph whose relations hold"
    with pytest.raises(ValueError, match=message):
        make(conv)(batch)
    del batch[f"{relation}_edge_index"]
    with pytest.raises(ValueError, match=f"must have {relation}_edge_index"):
        make(conv)(batch)
    make("self_attention")(batch)


def test_self_attention_needs_no_relation(graph):
    model = DocumentGNN(DocumentGraph(graph.vocab, relations=[]), CLASSES, word_channels=6)
    assert model.predict("oil")[0].label in CLASSES


@pytest.mark.parametrize("label", [-1, 3])
def test_a_label_out_of_range_is_refused(make, documents, label):
    documents[2].y = torch.tensor([label])
    with pytest.raises(ValueError, match=r"y must be in \[0, 3\), but .*Number the classes from 0"):
        make().loss(Batch.from_data_list(documents))


def test_a_batch_without_labels_is_refused_for_the_loss(make, documents):
    batch = Batch.from_data_list(documents)
    del batch.y
    with pytest.raises(ValueError, match=r"DocumentGNN: y must be int64 of shape \[6\].*None"):
        make().loss(batch)


@pytest.mark.parametrize("wrong", [3, None, [b"oil"], ["oil", None], {"oil"}])
def test_what_is_no_text_and_no_graph_is_refused(make, wrong):
    with pytest.raises(TypeError, match=r"DocumentGNN.predict: .* Pass a text, a list of texts, a"):
        make().predict(wrong)


def test_no_text_at_all_is_refused(make):
    with pytest.raises(ValueError, match=r"documents must be at least one, but there are none"):
        make().predict([])


def test_a_loader_of_lone_graphs_feeds_it(make, documents, close):
    model = make()
    [batch] = DataLoader(documents, batch_size=6)
    close(model.loss(batch), model.loss(Batch.from_data_list(documents)))


@every_conv
def test_the_same_seed_trains_to_the_same_bits(make, documents, conv):
    runs, batch = [], Batch.from_data_list(documents)
    for _ in range(2):
        model = make(conv, word_dropout=0.1).train()
        optimizer = torch.optim.Adam(model.parameters(), 1e-2)
        for _ in range(3):
            optimizer.zero_grad()
            model.loss(batch).backward()
            optimizer.step()
        runs.append(torch.cat([p.detach().flatten() for p in model.parameters()]))
    assert runs[0].equal(runs[1])


@pytest.fixture
def labelled(graph):
    """Documents whose words tell their classes, to fit a linear path on, and to validate it."""
    groups = (
        ["oil price", "oil rises", "price oil"],
        ["corn", "wheat corn", "harvest"],
        ["tariff"],
    )
    return [
        graph(text).update({"y": torch.tensor([label])})
        for label, group in enumerate(groups)
        for text in group * 2
    ]


@every_skeleton
def test_a_linear_path_takes_no_part_until_it_is_fitted(make, documents, labelled, skeleton):
    model, batch = make(skeleton=skeleton, linear_path=True), Batch.from_data_list(documents)
    expected = make(skeleton=skeleton)(batch)
    assert model(batch).equal(expected)
    model.train().fit_linear_path(labelled, labelled)
    assert model.training and model.linear_path.is_fitted
    assert not model.eval()(batch).equal(expected)


def test_with_a_linear_path_the_logits_are_the_shares_of_both(make, documents, labelled, close):
    model, batch = make(linear_path=True), Batch.from_data_list(documents)
    alone = model(batch).log_softmax(1)
    model.fit_linear_path(labelled, labelled)
    linear, shares = model.linear_path(check_documents("test", batch, 11)), model.linear_path.shares
    close(model(batch), shares[0] * alone + shares[1] * linear)
    assert [p.label for p in model.predict(["oil", "wheat corn", "tariff"])] == CLASSES


def test_a_linear_path_lowers_the_loss_of_the_validation_documents(make, labelled):
    model, held = make(linear_path=True), Batch.from_data_list(labelled)
    before = model.loss(held)
    right = model.fit_linear_path(labelled, labelled)
    assert model.loss(held) < 0.5 * before
    assert right == float((model(held).argmax(1) == held.y).float().mean())  # fitted on the same


def test_the_accuracy_of_a_linear_path_is_that_of_documents_it_has_not_seen(make, labelled):
    model, train, held = make(linear_path=True), labelled[::2], labelled[1::2]
    seen, unseen = (
        (check_documents("test", batch, 11), batch)
        for batch in map(Batch.from_data_list, (train, held))
    )
    path = LinearPath(model.graph.vocab, 3)
    path.fit(seen[0], seen[1].y)
    parts = torch.stack(
        [model(unseen[1]).detach().log_softmax(1), path(unseen[0]).to(torch.float64)]
    )
    shares = fit_shares(parts.float(), unseen[1].y)
    found = torch.einsum("p,pbk->bk", shares.double(), parts.double()).argmax(1)
    right = model.fit_linear_path(train, held)
    assert right == pytest.approx(float((found == unseen[1].y).float().mean()))


def test_a_linear_path_that_is_not_fitted_again_has_not_seen_the_validation_documents(
    make, labelled, close
):
    model, train, held = make(linear_path=True), labelled[::2], labelled[1::2]
    right = model.fit_linear_path(train, held, refit=False)
    batch = Batch.from_data_list(held)
    assert right == pytest.approx(float((model(batch).argmax(1) == batch.y).float().mean()))
    path = LinearPath(model.graph.vocab, 3)
    seen = Batch.from_data_list(train)
    path.fit(check_documents("test", seen, 11), seen.y)
    close(model.linear_path.weight, path.weight)
    again = make(linear_path=True)
    assert again.fit_linear_path(train, held) == right
    assert not again.linear_path.weight.allclose(path.weight)
    assert again.linear_path.shares.equal(model.linear_path.shares)


def test_a_linear_path_has_no_parameters_and_is_saved_with_the_model(make, labelled, tmp_path):
    model = make(linear_path=True)
    assert [n for n, _ in model.named_parameters()] == [n for n, _ in make().named_parameters()]
    model.fit_linear_path(labelled, labelled)
    model.save(tmp_path)
    loaded = DocumentGNN.load(tmp_path)
    assert loaded.linear_path.shares.equal(model.linear_path.shares)
    assert loaded.predict(EVERY_TEXT) == model.predict(EVERY_TEXT)


def test_layers_are_not_trained_on_beside_a_fitted_linear_path(make, labelled):
    model, batch = make(linear_path=True), Batch.from_data_list(labelled)
    model.fit_linear_path(labelled, labelled)
    assert model.loss(batch).isfinite()  # in evaluation mode
    with pytest.raises(ValueError, match=r"DocumentGNN.loss: the linear path must not be fitted"):
        model.train().loss(batch)
    model.linear_path.reset()
    assert model.train().loss(batch).isfinite()
    assert model.eval()(batch).equal(make()(batch))


def test_a_linear_path_can_be_fitted_in_every_dtype(make, labelled):
    batch = Batch.from_data_list(labelled)
    for dtype in (torch.float64, torch.bfloat16):
        model = make(linear_path=True).to(dtype)
        assert model.fit_linear_path(labelled, labelled) == 1.0
        assert model(batch).dtype == dtype and model(batch).argmax(1).equal(batch.y)


@pytest.mark.parametrize(
    ("train", "validation", "message"),
    [
        ([0, 2], [], r"train and validation must have documents, but have 2 and 0"),
        ([], [0], r"train and validation must have documents, but have 0 and 1"),
        ([0, 1], [2], r"train must have documents of two classes at least, but all are of class 0"),
        ([0, -1], [2], r"y must be int64 of shape \[1\], .* but graph 1 of train has None"),
        ([0, 6], [-1], r"y must be int64 of shape \[1\], .* but graph 0 of validation has None"),
    ],
)
def test_what_a_linear_path_cannot_be_fitted_on_is_refused(
    make, labelled, train, validation, message
):
    model, batch = make(linear_path=True), Batch.from_data_list(labelled)
    model.fit_linear_path(labelled, labelled)
    before = model(batch)
    without = labelled[-1].clone()
    del without.y
    labelled = [*labelled[:-1], without]
    parts = [[labelled[number] for number in part] for part in (train, validation)]
    with pytest.raises(ValueError, match=rf"DocumentGNN.fit_linear_path: {message}"):
        model.fit_linear_path(*parts)
    assert model(batch).equal(before)  # the earlier fit stays


def test_a_linear_path_that_is_not_there_is_not_fitted(make, labelled):
    with pytest.raises(
        ValueError, match=r"DocumentGNN.fit_linear_path: .* Make it with linear_pat"
    ):
        make().fit_linear_path(labelled, labelled)


def test_counts_and_places_are_more_parameters_of_words(make, documents):
    model, batch = make(counts_and_places=True), Batch.from_data_list(documents)
    more = {n for n, _ in model.named_parameters()} - {n for n, _ in make().named_parameters()}
    assert more == {"words.counts.weight", "words.places.weight"}
    assert not model(batch).equal(make()(batch))


def test_numbers_of_numpy_are_saved_as_pythons(graph, tmp_path):
    settings = {"dropout": np.float32(0.25), "linear_path": np.bool_(True)}
    DocumentGNN(graph, CLASSES, word_channels=6, channels=8, **settings).save(tmp_path)
    loaded = DocumentGNN.load(tmp_path).arguments
    assert {name: loaded[name] for name in settings} == settings
    assert all(type(loaded[name]) in (float, bool) for name in settings)


@pytest.mark.parametrize("wrong", [None, "graph", 3])
def test_what_is_no_graph_of_documents_is_refused(wrong):
    with pytest.raises(TypeError, match=r"DocumentGNN: graph must be a DocumentGraph, but got"):
        DocumentGNN(wrong, CLASSES)
