import dataclasses
import json
import random
from importlib import import_module

import pytest
import torch
from torch.nn import Linear, Module
from torch_geometric.data import Batch

from tgraph_attn import __version__
from tgraph_attn.convert import tree_to_data
from tgraph_attn.metrics import bleu
from tgraph_attn.models import ASTTrans
from tgraph_attn.training import TrainingSettings, fit_summarizer
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

module = import_module("tgraph_attn.training.fit_summarizer")  # the function has its name
write = module.write

WORDS = ["get", "put", "name", "size", "file"]
SOURCE = Vocab.build(WORDS)
TARGET = Vocab.build([*WORDS, "the"], specials=["<bos>", "<eos>"])
PARENTS = [[-1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 2, 0]]


def functions(size, seed=0):
    """Trees with a verb at the root and a noun below: "get the name"."""
    draw, made = random.Random(seed), []
    for number in range(size):
        verb, noun = WORDS[number % 2], draw.choice(WORDS[2:])
        parent = draw.choice(PARENTS)
        data = tree_to_data(Tree(parent, text=[verb, *[noun] * (len(parent) - 1)]), SOURCE)
        y = TARGET.encode([verb, "the", noun, "<eos>"])
        data.y, data.target = torch.tensor([[*y, 0, 0]]), f"{verb} the {noun}"
        made.append(AddSiblingEdges(2)(AddAncestorEdges(2)(data)))
    return made


def small(seed=0, target_vocab=TARGET, **settings):
    torch.manual_seed(seed)
    sizes = dict(channels=16, layers=1, hidden=32, max_target=6, dropout=0.1)
    relations = {"ancestor": (1, 2), "sibling": (1, 2)}
    return ASTTrans(SOURCE, target_vocab, relations=relations, **{**sizes, **settings})


def fit(model, train=None, validation=None, checkpoint=None, **settings):
    train = functions(24) if train is None else train
    validation = functions(9, seed=1) if validation is None else validation
    given = {"epochs": 3, "batch_size": 8, "lr": 0.01, "schedule": "constant", "monitor": "bleu"}
    settings = TrainingSettings(**{**given, **settings})
    return fit_summarizer(model, train, validation, settings, log=False, checkpoint=checkpoint)


def weights(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def numbers(history):
    return {k: v for k, v in dataclasses.asdict(history).items() if k != "seconds"}


def test_it_learns_what_trees_say():
    model = small()
    history = fit(model, epochs=12)
    assert history.validation_bleu[history.best_epoch - 1] == 1.0 and not model.training
    assert history.validation_loss[-1] < 0.3 * history.validation_loss[0]
    assert history.train_loss[-1] < 0.3 * history.train_loss[0]
    assert len(history.validation_bleu) == len(history.validation_loss) == 12
    assert history.validation_accuracy == []
    held = functions(9, seed=1)
    assert [" ".join(words) for words in model.predict(Batch.from_data_list(held))] == [
        data.target for data in held
    ]


def test_the_same_seed_gives_the_same_bits_and_another_one_others():
    runs = {}
    for name, seed in {"one": 3, "again": 3, "other": 4}.items():
        model = small()
        torch.rand(len(name))  # what was drawn before does not matter
        runs[name] = numbers(fit(model, epochs=2, seed=seed, average=0.5)), weights(model)
    assert runs["one"][0] == runs["again"][0] and runs["one"][1].equal(runs["again"][1])
    assert not runs["one"][1].equal(runs["other"][1])


class Stopped(ASTTrans):
    """Stops after some steps, as if it were killed."""

    left = 0

    def loss(self, batch):
        if self.training:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
        return super().loss(batch)


@pytest.mark.parametrize("steps", [0, 4, 8])
@pytest.mark.parametrize("monitor", ["bleu", "last"])
def test_a_run_that_was_stopped_ends_with_the_same_bits(tmp_path, steps, monitor):
    whole = small()
    expected = numbers(fit(whole, epochs=4, monitor=monitor, average=0.5))
    stopped = small()
    stopped.__class__, stopped.left = Stopped, steps
    with pytest.raises(KeyboardInterrupt):
        fit(stopped, checkpoint=tmp_path / "run.pt", epochs=4, monitor=monitor, average=0.5)
    assert (tmp_path / "run.pt").exists() == (steps >= 3)
    torch.rand(5)
    again = small()
    history = fit(again, checkpoint=tmp_path / "run.pt", epochs=4, monitor=monitor, average=0.5)
    assert numbers(history) == expected and weights(again).equal(weights(whole))
    done = small()
    done.__class__ = Stopped  # a run that is whole has nothing left to do
    assert history == fit(
        done, checkpoint=tmp_path / "run.pt", epochs=4, monitor=monitor, average=0.5
    )
    assert weights(done).equal(weights(whole))


def test_a_checkpoint_tells_what_the_run_and_the_model_are(tmp_path):
    model = small()
    fit(model, checkpoint=tmp_path / "run.pt", epochs=1)
    found = torch.load(tmp_path / "run.pt", weights_only=True)["run"]
    assert found["arguments"] == model.arguments == json.loads(json.dumps(found["arguments"]))
    vocabs = [Vocab(found[f"{side}_vocab"]) for side in ("source", "target")]
    assert vocabs == [SOURCE, TARGET]
    assert found["settings"]["monitor"] == "bleu" and found["version of tgraph_attn"] == __version__


def test_a_checkpoint_of_another_vocabulary_or_version_is_refused(tmp_path, monkeypatch):
    fit(small(), checkpoint=tmp_path / "run.pt", epochs=1)
    other = Vocab(word.replace("the", "a") for word in TARGET.tokens)
    message = r"fit_summarizer: .*run.pt must be a checkpoint of this run, .* another {}\. Delete"
    for model, what in ((small(target_vocab=other), "target_vocab"), (small(1), "first weights")):
        with pytest.raises(ValueError, match=message.format(what)):
            fit(model, checkpoint=tmp_path / "run.pt", epochs=1)
    monkeypatch.setattr("tgraph_attn.training._run_epochs.__version__", "9.0.0")
    with pytest.raises(ValueError, match=message.format("version of tgraph_attn")):
        fit(small(), checkpoint=tmp_path / "run.pt", epochs=1)


class Scripted(Module):
    """What it writes about the validation graphs, and its loss, are those of lists, by epoch."""

    def __init__(self):
        super().__init__()
        self.lin = Linear(1, 2)
        self.register_buffer("count", torch.zeros(()))

    def loss(self, batch):
        return self.lin.weight.sum()


SAID = [["get the size"], ["get the name"], ["get the name"], [""]]
LOSS = [0.2, 0.9, 0.8, 0.1]


@pytest.mark.parametrize(
    ("monitor", "patience", "best", "epochs"),
    [
        ("bleu", None, 3, 4),  # of equal ones the smallest loss
        ("loss", None, 4, 4),
        ("last", None, 4, 4),
        ("loss", 2, 1, 3),
        ("bleu", 1, 3, 4),
    ],
)
def test_the_epoch_is_chosen_by_what_is_monitored(monitor, patience, best, epochs, monkeypatch):
    def scripted(model, batches):
        model.count += 1
        number = int(model.count) - 1
        return SAID[number], LOSS[number]

    monkeypatch.setattr(module, "write", scripted)
    held = [data for data in functions(20) if data.target == "get the name"][:1]
    model = Scripted()
    history = fit(model, validation=held, epochs=4, monitor=monitor, patience=patience)
    assert (history.best_epoch, len(history.train_loss)) == (best, epochs)
    assert model.count == best  # a buffer, restored as the weights are
    expected = [bleu(said, ["get the name"], variant="sentence-add1") for said in SAID[:epochs]]
    assert history.validation_bleu == expected and expected[0] < expected[1]
    assert history.validation_loss == LOSS[:epochs]


def test_what_is_written_is_compared_with_the_whole_target_not_with_what_the_model_learns():
    held = functions(1)
    held[0].target += " of the thing"
    history = fit(small(), held, held, epochs=25, batch_size=1)
    said = held[0].target.split()[:3]
    expected = bleu([said], [held[0].target], variant="sentence-add1")
    assert max(history.validation_bleu) == pytest.approx(expected) and expected < 0.7


def test_the_validation_loss_is_the_mean_of_a_word_in_whatever_batches():
    model, held = small().eval(), functions(5, seed=1)
    held[1].y = torch.tensor([[*TARGET.encode(["get", "<eos>"]), 0, 0, 0, 0]])
    batches = {n: [Batch.from_data_list(held[i : i + n]) for i in range(0, 5, n)] for n in (2, 5)}
    found = {n: write(model, part) for n, part in batches.items()}
    assert found[2][1] == pytest.approx(found[5][1]) and found[2][0] == found[5][0]
    assert found[5][1] == pytest.approx(model.loss(batches[5][0]).item())
    model.train()
    assert write(model, batches[2]) == found[2] and not model.training  # nothing is dropped
    assert all(p.grad is None for p in model.parameters())


def test_no_label_is_smoothed_in_validation():
    held = [Batch.from_data_list(functions(5, seed=1))]
    plain, smooth = small(), small(label_smoothing=0.5)
    assert write(plain, held) == write(smooth, held)
    model = small(label_smoothing=0.5, dropout=0.0)
    assert model.train().loss(held[0]) > model.eval().loss(held[0]) + 1e-4


def test_autocast_trains_and_writes_too():
    model = small()
    history = fit(model, epochs=12, autocast=True)
    assert max(history.validation_bleu) > 0.8


def test_settings_may_be_left_out_and_progress_is_shown_if_asked_for(monkeypatch, capsys):
    monkeypatch.setattr(module, "write", lambda model, batches: ([["get"]] * 2, 1.0))
    history = fit_summarizer(Scripted(), functions(2), functions(2))
    assert len(history.validation_bleu) == TrainingSettings().epochs
    assert "Training" in capsys.readouterr().err


@pytest.mark.parametrize(("train", "validation"), [(0, 4), (4, 0)])
def test_nothing_to_train_or_to_validate_on_is_refused(train, validation):
    message = rf"fit_summarizer: train and .* have {train} and {validation}. split_validation"
    with pytest.raises(ValueError, match=message):
        fit(small(), functions(train), functions(validation))


@pytest.mark.parametrize("part", ["train", "validation"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": ""}, "target must be a str with a word in it, .* graph 2 of {} has ''"),
        ({"y": torch.tensor([4, 3])}, r"y must be int64 of shape \[1, L\], .* graph 2 of {} has"),
    ],
)
def test_graphs_of_which_nothing_is_said_are_refused_before_any_step(part, change, message):
    graphs, model = functions(4), small()
    graphs[2].update(change)
    before = weights(model)
    with pytest.raises(ValueError, match="fit_summarizer: " + message.format(part)):
        fit(model, **{part: graphs})
    assert weights(model).equal(before)


def test_an_accuracy_is_not_monitored():
    with pytest.raises(ValueError, match=r'must monitor "bleu", "loss" or "last", but monitor "ac'):
        fit(small(), monitor="accuracy")


def test_settings_that_are_none_are_refused():
    with pytest.raises(TypeError, match=r"settings must be a TrainingSettings, but got dict. Pass"):
        fit_summarizer(small(), functions(2), functions(2), {"epochs": 1})


def test_a_loss_that_is_no_number_is_refused():
    class Broken(ASTTrans):
        def loss(self, batch):
            return super().loss(batch) * float("nan")

    model = small()
    model.__class__ = Broken
    with pytest.raises(
        ValueError, match=r"fit_summarizer: the loss must stay a number, but is nan"
    ):
        fit(model)


def test_the_folder_of_a_checkpoint_must_be_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"fit_summarizer: the folder of .*run.pt must be"):
        fit(small(), checkpoint=tmp_path / "nowhere" / "run.pt")
