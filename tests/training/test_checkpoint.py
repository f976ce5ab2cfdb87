import pytest
import torch
from torch.nn import Linear

from tgraph_attn.training._checkpoint import fingerprint, load_checkpoint, save_checkpoint


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
