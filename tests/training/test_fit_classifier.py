import copy
import math
from importlib import import_module

import pytest
import torch
from torch.nn import Dropout, Embedding, Linear, Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader

from tgraph_attn.models import DocumentGNN
from tgraph_attn.relations import WordStatistics
from tgraph_attn.training import TrainingSettings, fit_classifier, split_validation
from tgraph_attn.transforms import DocumentGraph
from tgraph_attn.vocab import Vocab

module = import_module("tgraph_attn.training.fit_classifier")  # the function has its name
evaluate = module.evaluate


class Toy(Module):
    """A class for each word: the sum of the vectors of a graph's words, times a matrix."""

    def __init__(self, dropout=0.0):
        super().__init__()
        torch.manual_seed(1)
        self.words, self.lin, self.dropout = Embedding(8, 4), Linear(4, 2), Dropout(dropout)

    def forward(self, batch):
        x = self.dropout(self.words(batch.x))
        return self.lin(x.new_zeros(batch.num_graphs, 4).index_add(0, batch.batch, x))

    def loss(self, batch):
        return cross_entropy(self(batch), batch.y)


def graphs(size, seed=0, flip=False):
    """Words 0 to 3 are of class 0, words 4 to 7 of class 1, or with flip the other way round."""
    draw = torch.Generator().manual_seed(seed)
    made = []
    for number in range(size):
        words = torch.randint(4, (3,), generator=draw) + 4 * (number % 2)
        made.append(Data(x=words, y=torch.tensor([number % 2 ^ flip]), num_nodes=3))
    return made


def fit(model, train=None, validation=None, **settings):
    train = graphs(40) if train is None else train
    validation = graphs(10, seed=1) if validation is None else validation
    settings = {"epochs": 5, "batch_size": 8, "lr": 0.05, "schedule": "constant", **settings}
    return fit_classifier(model, train, validation, TrainingSettings(**settings), log=False)


def weights(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def followed(model, monkeypatch):
    """Keep the weights that are evaluated after each epoch."""
    seen = []

    def keep(candidate, batches):
        seen.append(weights(candidate))
        return evaluate(candidate, batches)

    monkeypatch.setattr(module, "evaluate", keep)
    return seen


def test_it_learns_what_can_be_told_apart():
    model = Toy()
    history = fit(model)
    assert history.validation_accuracy[-1] == 1.0 and not model.training
    assert history.train_loss[-1] < 0.1 * history.train_loss[0]
    assert history.validation_loss[-1] < 0.1
    assert len(history.train_loss) == len(history.validation_loss) == 5
    assert history.seconds > 0


@pytest.mark.parametrize("conv", ["self_attention", "gcn"])
def test_it_trains_a_model_of_documents(conv):
    vocab = Vocab.build(["oil", "price", "corn", "harvest"], specials=["<document>"])
    texts = ["oil price", "oil", "price oil price"] * 5 + ["corn", "harvest corn", "corn corn"] * 5
    counts = WordStatistics.count([vocab.encode(text.split()) for text in texts], len(vocab))
    made = DocumentGraph(vocab, counts)
    data = [made(text).update({"y": torch.tensor([n // 15])}) for n, text in enumerate(texts)]
    train, held = split_validation(len(data), fraction=0.2)
    model = DocumentGNN(made, ["crude", "grain"], conv=conv, word_channels=8, channels=8)
    history = fit(model, [data[n] for n in train], [data[n] for n in held], lr=0.01, epochs=8)
    assert history.validation_accuracy[history.best_epoch - 1] == 1.0
    assert [p.label for p in model.predict(["oil price oil", "corn harvest"])] == ["crude", "grain"]


def test_the_same_seed_gives_the_same_bits_and_another_one_others():
    runs = {}
    for name, seed in {"one": 3, "again": 3, "other": 4}.items():
        model = Toy(dropout=0.3)
        torch.rand(len(name))  # what was drawn before does not matter
        history = fit(model, seed=seed, average=0.5)
        runs[name] = (weights(model), history.train_loss, history.validation_loss)
    assert runs["one"][0].equal(runs["again"][0]) and runs["one"][1:] == runs["again"][1:]
    assert not runs["one"][0].equal(runs["other"][0])


@pytest.mark.parametrize("monitor", ["accuracy", "loss"])
def test_the_model_ends_with_the_weights_of_its_best_epoch_where_validation_gets_worse(
    monitor, monkeypatch
):
    model = Toy()
    seen = followed(model, monkeypatch)
    history = fit(model, validation=graphs(10, flip=True), monitor=monitor)
    assert history.validation_loss == sorted(history.validation_loss) and len(seen) == 5
    assert history.best_epoch == 1
    assert weights(model).equal(seen[0]) and not seen[0].equal(seen[-1])
    assert evaluate(model, [Batch.from_data_list(graphs(10, flip=True))]) == pytest.approx(
        (history.validation_accuracy[0], history.validation_loss[0])
    )


class Scripted(Module):
    """Its validation has the accuracy and the loss of a list, epoch by epoch."""

    def __init__(self):
        super().__init__()
        self.lin, self.epoch = Linear(1, 2), 0
        self.register_buffer("count", torch.zeros(()))

    def forward(self, batch):
        return torch.zeros(batch.num_graphs, 2)

    def loss(self, batch):
        return self.lin.weight.sum()


def scripted(monkeypatch, numbers):
    def evaluate(model, batches):
        model.count += 1
        return numbers[int(model.count) - 1]

    monkeypatch.setattr(module, "evaluate", evaluate)
    return Scripted()


NUMBERS = [(0.5, 0.9), (0.8, 0.7), (0.8, 0.6), (0.8, 0.6), (0.7, 0.1), (0.7, 0.2), (0.6, 0.3)]


@pytest.mark.parametrize(
    ("monitor", "patience", "best", "epochs"),
    [
        ("accuracy", None, 3, 7),  # of equal accuracies the smallest loss, of those the first
        ("loss", None, 5, 7),
        ("accuracy", 1, 3, 4),
        ("accuracy", 2, 3, 5),
        ("accuracy", 4, 3, 7),
        ("loss", 1, 3, 4),
        ("loss", 2, 5, 7),
        ("last", None, 7, 7),
        ("last", 1, 7, 7),
    ],
)
def test_the_epoch_is_chosen_by_what_is_monitored_and_patience_ends_the_wait(
    monitor, patience, best, epochs, monkeypatch
):
    model = scripted(monkeypatch, NUMBERS)
    history = fit(model, epochs=7, monitor=monitor, patience=patience)
    assert (history.best_epoch, len(history.train_loss)) == (best, epochs)
    assert (history.validation_accuracy, history.validation_loss) == tuple(
        map(list, zip(*NUMBERS[:epochs], strict=True))
    )
    assert model.count == best  # a buffer, restored as the weights are


def test_averaging_validates_and_keeps_the_moving_mean_of_the_weights(monkeypatch, close):
    after_steps, model = [], Toy()
    step = torch.optim.Adam.step

    def keep(self, closure=None):
        out = step(self, closure)
        after_steps.append(weights(model))
        return out

    monkeypatch.setattr(torch.optim.Adam, "step", keep)
    seen = followed(model, monkeypatch)
    fit(model, epochs=2, average=0.75)
    mean, means = after_steps[0], []
    for one in after_steps[1:]:
        mean = 0.75 * mean + 0.25 * one
        means.append(mean)
    close(seen[0], means[3])  # 5 steps an epoch
    close(seen[1], means[8])
    close(weights(model), means[8])


@pytest.mark.parametrize(("word_lr", "expected"), [(None, 0.05), (0.5, 0.5)])
def test_word_lr_is_the_step_of_words_alone(word_lr, expected, close):
    model, train = Toy(), [Data(x=torch.arange(8), y=torch.tensor([0]), num_nodes=8)]
    before = copy.deepcopy(model.state_dict())
    fit(model, train, train, epochs=1, word_lr=word_lr)
    step = {name: (p - before[name]).abs() for name, p in model.named_parameters()}
    close(step["words.weight"].round(decimals=2), torch.full((8, 4), expected))  # Adam's first
    close(step["lin.bias"].round(decimals=2), torch.full((2,), 0.05))


def test_encoder_lr_is_the_step_of_an_encoder_alone(close):
    class Encoded(Toy):
        def __init__(self):
            super().__init__()
            self.encoder = Linear(4, 4)

        def forward(self, batch):
            return self.lin(self.encoder(self.words(batch.x)).view(batch.num_graphs, -1, 4).sum(1))

    model, train = Encoded(), [Data(x=torch.arange(8), y=torch.tensor([0]), num_nodes=8)]
    before = copy.deepcopy(model.state_dict())
    fit(model, train, train, epochs=1, encoder_lr=0.02)
    step = {name: (p - before[name]).abs() for name, p in model.named_parameters()}
    close(step["encoder.bias"].round(decimals=2), torch.full((4,), 0.02))
    close(step["lin.bias"].round(decimals=2), torch.full((2,), 0.05))


def test_autocast_has_products_in_bfloat16():
    seen = []

    class Watched(Toy):
        def forward(self, batch):
            out = super().forward(batch)
            seen.append(out.dtype)
            return out

    history = fit(Watched(), autocast=True)
    assert set(seen) == {torch.bfloat16} and history.validation_accuracy[-1] == 1.0
    seen.clear()
    fit(Watched())
    assert set(seen) == {torch.float32}


def test_the_linear_schedule_rises_for_a_hundred_steps_and_falls_to_a_fiftieth(monkeypatch):
    rates, step = [], torch.optim.Adam.step

    def keep(self, closure=None):
        rates.append([group["lr"] for group in self.param_groups])
        return step(self, closure)

    monkeypatch.setattr(torch.optim.Adam, "step", keep)
    fit(Toy(), graphs(40), epochs=60, schedule="linear", lr=0.1, word_lr=0.2, batch_size=8)
    rest, words = zip(*rates, strict=True)
    assert len(rest) == 300 and words == pytest.approx([2 * rate for rate in rest])
    assert rest[0] == pytest.approx(0.001)
    assert rest[49] == pytest.approx(0.1 * 0.5 * (1 - 49 / 300))
    assert rest[150] == pytest.approx(0.1 * 0.5) and rest[299] == pytest.approx(0.1 / 50)
    assert max(rest) == rest[99]
    rates.clear()
    fit(Toy(), epochs=2)
    assert rates == [[0.05, 0.05]] * 10


def test_weight_decay_adds_its_part_to_the_gradient():
    model = Toy()
    still = model.words.weight[7].detach().clone()  # a word that does not come: only decay moves it
    train = [Data(x=torch.tensor([0, 1]), y=torch.tensor([0]), num_nodes=2)]
    fit(model, train, train, epochs=1)
    assert model.words.weight[7].equal(still)
    fit(model, train, train, epochs=1, weight_decay=0.1)
    assert (model.words.weight[7].abs() < still.abs()).all()


def test_the_weight_decay_of_adamw_is_a_part_of_lr_and_not_of_the_gradient():
    model = Toy()
    still = model.words.weight[7].detach().clone()
    train = [Data(x=torch.tensor([0, 1]), y=torch.tensor([0]), num_nodes=2)]
    fit(model, train, train, epochs=1, weight_decay=0.1, optimizer="adamw", lr=0.05)
    torch.testing.assert_close(model.words.weight[7], still * (1 - 0.05 * 0.1))


def test_eps_makes_a_small_gradient_a_small_step():
    steps = []
    for eps in (1e-8, 1e3):
        model = Toy()
        before = model.words.weight.detach().clone()
        fit(model, epochs=1, eps=eps)
        steps.append((model.words.weight - before).abs().max().item())
    assert steps[1] < 0.01 * steps[0]


def test_clip_limits_the_norm_of_the_gradient(monkeypatch):
    norms, step = [], torch.optim.Adam.step

    def keep(self, closure=None):
        grads = [p.grad.flatten() for group in self.param_groups for p in group["params"]]
        norms.append(torch.cat(grads).norm().item())
        return step(self, closure)

    monkeypatch.setattr(torch.optim.Adam, "step", keep)
    fit(Toy(), epochs=1, clip=None)
    free = norms.copy()
    norms.clear()
    fit(Toy(), epochs=1, clip=0.01)
    assert max(free) > 0.1 and norms == pytest.approx([0.01] * 5, rel=1e-3)


def test_a_batch_size_beyond_the_data_and_a_remainder_lose_no_graph():
    sizes, model = [], Toy()
    loss = model.loss

    def keep(batch):
        sizes.append(batch.num_graphs)
        return loss(batch)

    model.loss = keep
    fit(model, graphs(10), epochs=1, batch_size=4)
    fit(model, graphs(10), epochs=1, batch_size=99)
    assert sizes == [4, 4, 2, 10]


def test_the_train_loss_is_the_mean_over_graphs_not_over_batches():
    model = Toy()
    torch.manual_seed(0)  # as the run does, for the same order
    before, data = copy.deepcopy(model), graphs(10)
    batches = list(DataLoader(data, 4, shuffle=True))
    history = fit(model, data, epochs=1, batch_size=4, lr=1e-12)
    expected = sum(float(before.loss(batch).detach()) * batch.num_graphs for batch in batches) / 10
    assert history.train_loss == pytest.approx([expected])


def test_evaluate_counts_each_graph_once_and_leaves_no_gradient():
    model, data = Toy(dropout=0.5).train(), graphs(10)
    batches = [Batch.from_data_list(part) for part in (data[:7], data[7:])]
    accuracy, loss = evaluate(model, batches)
    model.eval()
    whole = Batch.from_data_list(data)
    logits = model(whole)
    assert accuracy == pytest.approx((logits.argmax(1) == whole.y).double().mean().item())
    assert loss == pytest.approx(cross_entropy(logits, whole.y).item())
    assert all(p.grad is None for p in model.parameters())


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_loss_that_is_no_number_is_refused(value):
    class Broken(Toy):
        def forward(self, batch):
            return super().forward(batch) * value

    with pytest.raises(ValueError, match=r"the loss must stay a number, .* after epoch 1. Take a"):
        fit(Broken())


def test_after_a_loss_that_is_no_number_the_model_has_its_best_weights():
    class Breaks(Toy):
        epochs = 0

        def train(self, mode=True):
            self.epochs += mode
            return super().train(mode)

        def forward(self, batch):
            return super().forward(batch) * (math.nan if self.epochs > 3 else 1)

    model = Breaks()
    with pytest.raises(ValueError, match="after epoch 4"):
        fit(model)
    assert weights(model).isfinite().all()
    model.epochs = 0
    assert evaluate(model, [Batch.from_data_list(graphs(10, seed=1))])[0] == 1.0


@pytest.mark.parametrize(("train", "validation"), [(0, 4), (4, 0)])
def test_nothing_to_train_or_to_validate_on_is_refused_and_the_model_left_alone(train, validation):
    model = Toy().train()
    before, state = copy.deepcopy(model.state_dict()), torch.get_rng_state()
    message = rf"fit_classifier: train and .* have {train} and {validation}. split_validation"
    with pytest.raises(ValueError, match=message):
        fit(model, graphs(train), graphs(validation))
    assert model.training and torch.get_rng_state().equal(state)
    assert all(p.grad is None for p in model.parameters())
    assert all(value.equal(before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("log", [True, False])
def test_progress_is_shown_only_if_asked_for(log, capsys):
    settings = TrainingSettings(epochs=1)
    fit_classifier(Toy(), graphs(4), graphs(4), settings, log=log)
    assert ("Training" in capsys.readouterr().err) == log


def test_settings_may_be_left_out():
    history = fit_classifier(Toy(), graphs(4), graphs(4), log=False)
    assert len(history.train_loss) == TrainingSettings().epochs


def relabelled(y):
    changed = graphs(4)
    changed[2].y = y
    return changed


@pytest.mark.parametrize("part", ["train", "validation"])
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, r"y must be int64 of shape \[1\], .* but graph 2 of {part} has None"),
        (torch.tensor([0.0]), r"y must be int64 .* graph 2 of {part} has torch.float32 of shape"),
        (torch.tensor([0, 1]), r".* graph 2 of {part} has torch.int64 of shape \[2\]"),
        (torch.tensor([2]), r"y of {part} must be in \[0, 2\), but ranges from 0 to 2. Number the"),
        (torch.tensor([-1]), r"y of {part} must be in \[0, 2\), but ranges from -1 to 1"),
    ],
)
def test_graphs_without_a_class_of_the_model_are_refused_before_any_step(part, y, message):
    model = Toy()
    before = weights(model)
    with pytest.raises(ValueError, match="fit_classifier: " + message.replace("{part}", part)):
        fit(model, **{part: relabelled(y)})
    assert weights(model).equal(before)


def test_settings_that_are_none_are_refused():
    with pytest.raises(TypeError, match=r"fit_classifier: settings must be a TrainingSett"):
        fit_classifier(Toy(), graphs(4), graphs(4), {"epochs": 1})


def test_a_bleu_is_not_monitored():
    with pytest.raises(ValueError, match=r'must monitor "accuracy", "loss" or "last", but monitor'):
        fit(Toy(), monitor="bleu")
