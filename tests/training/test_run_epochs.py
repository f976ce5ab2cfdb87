import dataclasses

import numpy as np
import pytest
import torch
from torch.nn import Dropout, Embedding, Linear, Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data

from tgraph_attn.training import TrainingSettings, fit_classifier
from tgraph_attn.vocab import Vocab

GRAPHS = [
    Data(x=torch.tensor([n % 5, n % 3]), y=torch.tensor([n % 2]), num_nodes=2) for n in range(24)
]


class Toy(Module):
    """With dropout, so that random numbers matter; it may stop, as if it were killed."""

    def __init__(self, seed=0, stops_after=None):
        super().__init__()
        torch.manual_seed(seed)
        self.words, self.lin, self.dropout = Embedding(5, 4), Linear(4, 2), Dropout(0.3)
        self.left = stops_after

    def forward(self, batch):
        x = self.dropout(self.words(batch.x))
        return self.lin(x.new_zeros(batch.num_graphs, 4).index_add(0, batch.batch, x))

    def loss(self, batch):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
        return cross_entropy(self(batch), batch.y)


def told(model, **about):
    """The model, with what a checkpoint tells of it besides."""
    model.arguments, model.vocab = {"dropout": 0.3}, Vocab.build(["a"])
    for name, value in about.items():
        setattr(model, name, value)
    return model


def fit(model, checkpoint=None, train=GRAPHS, held=GRAPHS[:6], **settings):
    settings = {"epochs": 6, "batch_size": 8, "lr": 0.05, "average": 0.5, **settings}
    settings = TrainingSettings(**settings)
    return fit_classifier(model, train, held, settings, log=False, checkpoint=checkpoint)


def numbers(history):
    return {k: v for k, v in dataclasses.asdict(history).items() if k != "seconds"}


@pytest.mark.parametrize("steps", [0, 3, 10, 17])
def test_a_run_that_was_stopped_ends_with_the_same_bits(tmp_path, steps):
    whole = Toy()
    expected = numbers(fit(whole))
    with pytest.raises(KeyboardInterrupt):
        fit(Toy(stops_after=steps), tmp_path / "run.pt")
    assert (tmp_path / "run.pt").exists() == (steps >= 3)
    torch.rand(5)  # what was drawn in between does not matter
    again = Toy()
    assert numbers(fit(again, tmp_path / "run.pt")) == expected
    for name, weight in again.state_dict().items():
        assert weight.equal(whole.state_dict()[name])


def test_a_run_that_is_whole_has_nothing_left_to_do(tmp_path):
    first = Toy()
    expected = fit(first, tmp_path / "run.pt", patience=2)
    again = Toy(stops_after=0)
    assert fit(again, tmp_path / "run.pt", patience=2) == expected
    assert again.lin.weight.equal(first.lin.weight) and not again.training


def test_a_checkpoint_changes_nothing(tmp_path):
    with_one, without = Toy(), Toy()
    assert numbers(fit(with_one, tmp_path / "run.pt")) == numbers(fit(without))
    assert with_one.lin.weight.equal(without.lin.weight)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"lr": 0.01}, "settings"),
        ({"train": GRAPHS[:20]}, "number of graphs, graphs"),
        ({"train": GRAPHS[1:] + GRAPHS[:1]}, "graphs"),
        ({"held": GRAPHS[:5]}, "number of validation graphs, validation graphs"),
        ({"held": GRAPHS[1:7]}, "validation graphs"),
        ({"model": Toy(seed=1)}, "first weights"),
        ({"model": told(Toy(), arguments={"dropout": 0.5})}, "arguments"),
        ({"model": told(Toy(), vocab=Vocab.build(["b"]))}, "vocab"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path, other, what):
    fit(told(Toy()), tmp_path / "run.pt", epochs=1)
    message = rf"fit_classifier: .* must be a checkpoint of this run, .* another {what}\. Delete"
    with pytest.raises(ValueError, match=message):
        fit(other.pop("model", told(Toy())), tmp_path / "run.pt", **{"epochs": 1, **other})


def test_a_run_whose_settings_are_numbers_of_numpy_goes_on(tmp_path):
    expected = numbers(fit(Toy(), lr=0.05))
    stopped = Toy(stops_after=10)
    with pytest.raises(KeyboardInterrupt):
        fit(stopped, tmp_path / "run.pt", lr=np.float64(0.05))
    assert numbers(fit(Toy(), tmp_path / "run.pt", lr=np.float64(0.05))) == expected


def test_a_checkpoint_of_another_version_is_refused(tmp_path, monkeypatch):
    fit(Toy(), tmp_path / "run.pt", epochs=1)
    monkeypatch.setattr("tgraph_attn.training._run_epochs.__version__", "9.0.0")
    with pytest.raises(ValueError, match=r"of one with another version of tgraph_attn\. Delete"):
        fit(Toy(), tmp_path / "run.pt", epochs=1)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"fit_classifier: the folder of .*run.pt must be"):
        fit(Toy(stops_after=0), tmp_path / "nowhere" / "run.pt", epochs=1)
