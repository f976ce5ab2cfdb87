import threading

import numpy as np
import pytest
import torch

from tgraph_attn.ops._numba.thread_pool import run_over_ranges


@pytest.fixture(autouse=True)
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("num_threads", [1, 2, 5])
@pytest.mark.parametrize("degrees", [[], [0], [0, 0, 0, 0, 0], [1] * 50, [1000, *[0] * 20], [0, 9]])
def test_each_node_is_in_exactly_one_range(num_threads, degrees):
    torch.set_num_threads(num_threads)
    seen = []
    run_over_ranges(
        lambda first, last: seen.extend(range(first, last)), np.cumsum([0, *degrees]), work=10**9
    )
    assert sorted(seen) == list(range(len(degrees)))


def test_small_work_stays_on_the_calling_thread():
    torch.set_num_threads(4)
    names = set()
    run_over_ranges(lambda a, b: names.add(threading.get_ident()), np.arange(100), work=1000)
    assert names == {threading.get_ident()}


def test_large_work_leaves_it_and_is_cut_by_edges():
    torch.set_num_threads(2)
    ranges = []
    degrees = [100] * 10 + [0] * 10
    run_over_ranges(lambda a, b: ranges.append((a, b)), np.cumsum([0, *degrees]), work=10**9)
    assert len(ranges) == 8 and max(b - a for a, b in ranges if b <= 10) <= 2


def test_what_a_kernel_raises_arrives():
    torch.set_num_threads(2)

    def kernel(first, last):
        raise RuntimeError("from the pool")

    with pytest.raises(RuntimeError, match="from the pool"):
        run_over_ranges(kernel, np.arange(100), work=10**9)
