import pytest
from torch.nn import Dropout, Linear, Sequential

from tgraph_attn.models._evaluating import evaluating


@pytest.mark.parametrize("fails", [False, True])
def test_each_part_gets_its_own_mode_back(fails):
    model = Sequential(Linear(1, 1), Dropout(), Dropout())
    model[1].eval()
    try:
        with evaluating(model):
            assert not any(part.training for part in model.modules())
            if fails:
                raise RuntimeError
    except RuntimeError:
        assert fails
    assert [part.training for part in model.modules()] == [True, True, False, True]
