import numpy as np
import pytest
import torch
from torch.nn import Linear
from torch_geometric.data import Data

from tgraph_attn.convert import tree_to_data
from tgraph_attn.training._checkpoint import (
    about_model,
    fingerprint,
    fingerprint_graphs,
    load_checkpoint,
    save_checkpoint,
)
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab


def test_a_state_comes_back_as_it_was(tmp_path):
    path = tmp_path / "run é.pt"
    assert load_checkpoint("fit", path, {"seed": 0}) is None
    save_checkpoint("fit", path, {"seed": 0}, {"weight": torch.ones(2), "best": (1.0, -0.5)})
    state = load_checkpoint("fit", path, {"seed": 0})
    assert state["weight"].equal(torch.ones(2)) and state["best"] == (1.0, -0.5)


def test_a_checkpoint_of_another_run_is_refused_with_what_differs(tmp_path):
    save_checkpoint("fit", tmp_path / "run.pt", {"seed": 0, "size": 3}, {})
    with pytest.raises(ValueError, match=r"fit: .*run.pt must be .* of this run, .* size"):
        load_checkpoint("fit", tmp_path / "run.pt", {"seed": 0, "size": 4})


@pytest.mark.parametrize("content", [b"", b"no checkpoint", None])
def test_a_file_that_is_none_is_refused_and_stays(tmp_path, content):
    path = tmp_path / "run.pt"
    save_checkpoint("fit", path, {}, {"weight": torch.ones(100)})
    path.write_bytes(path.read_bytes()[:300] if content is None else content)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"fit: .* must be a checkpoint .* Delete it to"):
        load_checkpoint("fit", path, {})
    assert path.read_bytes() == before


def test_a_changed_byte_is_noticed_wherever_it_is(tmp_path):
    path = tmp_path / "run.pt"
    save_checkpoint("fit", path, {"seed": 0}, {"weight": torch.ones(50), "best": 0.5})
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            state = load_checkpoint("fit", path, {"seed": 0})
        except ValueError as error:
            assert "must be a checkpoint that this function wrote" in str(error)
        else:  # a byte that nothing depends on
            assert state["weight"].equal(torch.ones(50)) and state["best"] == 0.5


@pytest.mark.parametrize("wrong", [{"state": 1, "run": 5}, {"state": {}, "run": 5}, [1], {}])
def test_a_file_of_torch_that_holds_something_else_is_refused(tmp_path, wrong):
    torch.save(wrong, tmp_path / "run.pt")
    with pytest.raises(ValueError, match=r"fit: .* must be a checkpoint .* Delete it to"):
        load_checkpoint("fit", tmp_path / "run.pt", {})


def test_texts_that_are_not_utf_8_have_a_fingerprint_and_come_back(tmp_path):
    one, other = (
        fingerprint_graphs([Data(num_nodes=1, origin=f"b{letter}.py")], seed=0)
        for letter in ("\udcff", "\udcfe")
    )
    assert one != other
    save_checkpoint("fit", tmp_path / "run.pt", {"vocab": ["\udcff"]}, {"weight": torch.ones(1)})
    assert load_checkpoint("fit", tmp_path / "run.pt", {"vocab": ["\udcff"]})["weight"] == 1


def test_the_fingerprint_knows_each_weight():
    torch.manual_seed(0)
    one, other = Linear(2, 2), Linear(2, 2)
    assert fingerprint(one) != fingerprint(other)
    other.load_state_dict(one.state_dict())
    assert fingerprint(one) == fingerprint(other)
    with torch.no_grad():
        other.bias[0] += 1e-6
    assert fingerprint(one) != fingerprint(other)
    assert fingerprint(one.to(torch.bfloat16)) != fingerprint(one.to(torch.float16))


@pytest.mark.parametrize("size", [1, 20, 100])
def test_the_fingerprint_of_graphs_knows_what_they_hold_and_draws_nothing(size):
    def graphs(last, name="x"):
        numbers = [*range(size - 1), last]
        return [Data(num_nodes=1, text=["a"], **{name: torch.tensor([n])}) for n in numbers]

    state = torch.get_rng_state()
    one, other = (fingerprint_graphs(graphs(last), seed=0) for last in (-1, -2))
    assert (one != other) == (size < 100)  # of many it reads some only
    assert one == fingerprint_graphs(graphs(-1), seed=1)
    assert one != fingerprint_graphs(graphs(-1, "y"), seed=0)
    assert torch.get_rng_state().equal(state)


def test_the_fingerprint_of_graphs_knows_texts_and_takes_what_is_empty():
    empty = torch.empty(4)[:0].expand(2, 0).t()
    assert empty.numel() == 0
    one, again, other = (
        fingerprint_graphs([Data(num_nodes=1, target=said, faults=empty)], seed=0)
        for said in ("get", "get", "put")
    )
    assert one == again != other
    tree = tree_to_data(Tree([-1, 0]))  # whose lists of faults are empty
    assert fingerprint_graphs([tree], seed=0) == fingerprint_graphs([tree.clone()], seed=0)


def test_numbers_of_numpy_are_kept_as_plain_ones(tmp_path):
    run = {"settings": {"lr": np.float64(0.5), "sizes": (1, np.int64(2))}}
    save_checkpoint("fit", tmp_path / "run.pt", run, {"n": 1})
    assert load_checkpoint("fit", tmp_path / "run.pt", run) == {"n": 1}
    run = {"settings": {"lr": 0.5, "sizes": [1, 2]}}
    assert load_checkpoint("fit", tmp_path / "run.pt", run) == {"n": 1}


def test_a_model_is_told_by_weights_arguments_and_vocabularies():
    model = Linear(2, 2)
    assert about_model(model) == {"first weights": fingerprint(model)}
    model.arguments, model.vocab = {"dropout": 0.1}, Vocab.build(["a"])
    told = about_model(model)
    assert told["arguments"] == {"dropout": 0.1} and Vocab(told["vocab"]) == model.vocab


def test_the_fingerprint_of_graphs_draws_by_its_seed():
    class Drawn:
        def __len__(self):
            return 3

        def __getitem__(self, number):
            return Data(x=torch.rand(2))

    first, again, other = (fingerprint_graphs(Drawn(), seed=seed) for seed in (0, 0, 1))
    assert first == again != other
