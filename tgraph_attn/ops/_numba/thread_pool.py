"""Ranges of nodes on several threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

_WORK_FOR_A_THREAD = 1 << 17  # multiply-adds; below it, handing work over costs more than it saves
_RANGES_PER_THREAD = 4  # so that one slow range does not keep the others waiting
_pools: dict[int, ThreadPoolExecutor] = {}  # by number of threads


def run_over_ranges(
    kernel: Callable[[int, int], None], pointer: NDArray[np.int64], work: int
) -> None:
    """Call `kernel(first, last)` on ranges that together cover all nodes.

    Ranges hold about as many edges each. A kernel writes only what belongs to the nodes of its
    range, so the results have the same bits whatever the number of threads
    (`torch.get_num_threads()`). A pool is made when it is first needed; a forked child makes its
    own, and starts with one thread.

    Args:
        kernel: A function without the GIL.
        pointer: Where each node's edges begin, `[N + 1]`.
        work: How many multiply-adds all of it takes.
    """
    num_nodes = len(pointer) - 1
    num_threads = min(torch.get_num_threads(), work // _WORK_FOR_A_THREAD)
    if num_threads <= 1:
        kernel(0, num_nodes)
        return
    num_ranges = num_threads * _RANGES_PER_THREAD
    # A node costs something also without edges: cut by edges + nodes.
    cost = pointer + np.arange(num_nodes + 1)
    cuts = np.searchsorted(cost, np.linspace(0, cost[-1], num_ranges + 1))
    cuts[0], cuts[-1] = 0, num_nodes
    ranges = [(a, b) for a, b in pairwise(cuts.tolist()) if a < b]
    futures = [_pool(num_threads).submit(kernel, first, last) for first, last in ranges]
    for future in futures:
        future.result()


def _pool(num_threads: int) -> ThreadPoolExecutor:
    if num_threads not in _pools:
        _pools[num_threads] = ThreadPoolExecutor(num_threads, thread_name_prefix="tgraph_attn")
    return _pools[num_threads]


def _start_anew() -> None:
    """In a forked child, forget the parent's threads, of which it has none.

    The same holds for torch's own: a parallel torch operator in a forked child waits for OpenMP
    threads that only the parent has, for ever. So the child gets one thread, as in a DataLoader.
    """
    _pools.clear()
    torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_start_anew)
