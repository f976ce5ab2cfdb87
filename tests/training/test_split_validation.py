import pytest
import torch

from tgraph_attn.training import split_validation


@pytest.mark.parametrize("size", [2, 10, 5485])
@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.45])
def test_each_item_is_in_one_of_both_parts_in_order(size, fraction):
    train, validation = split_validation(size, fraction=fraction)
    assert torch.cat([train, validation]).sort().values.equal(torch.arange(size))
    for part in (train, validation):
        assert part.dtype == torch.int64 and part.equal(part.sort().values)
    assert len(validation) == max(1, int(size * fraction))


def test_the_seed_alone_says_which():
    state = torch.get_rng_state()
    first = split_validation(100, seed=3)[1]
    assert torch.get_rng_state().equal(state)
    torch.manual_seed(99)
    assert split_validation(100, seed=3)[1].equal(first)
    assert not split_validation(100, seed=4)[1].equal(first)
    assert not first.equal(torch.arange(10)) and not first.equal(torch.arange(90, 100))


def test_nothing_left_to_train_on_is_refused():
    with pytest.raises(ValueError, match=r"split_validation: something must be left .* 1 of 1"):
        split_validation(1)


@pytest.mark.parametrize("fraction", [-0.1, 1.0, float("nan")])
def test_a_fraction_out_of_range_is_refused(fraction):
    with pytest.raises(ValueError, match=r"split_validation: fraction must be in \[0, 1\)"):
        split_validation(10, fraction=fraction)


def test_no_items_are_refused():
    with pytest.raises(ValueError, match=r"split_validation: size must be at least 1, but got 0"):
        split_validation(0)
    with pytest.raises(TypeError, match=r"split_validation: size must be an int"):
        split_validation(10.0)
