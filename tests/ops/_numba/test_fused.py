import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend

from tgraph_attn.ops import edge_attention


def large_case(attention_case):
    """Work for several threads, in float32."""
    torch.manual_seed(0)
    case = attention_case(3000, 3000, 30_000, heads=8, channels=16, width=16)
    return {n: t.float() if t.is_floating_point() else t for n, t in case.items()}


def run(case, dropout=0.0):
    """Output and gradients, all in one list."""
    case = {n: t.detach().requires_grad_(t.is_floating_point()) for n, t in case.items()}
    out = edge_attention(**case, dropout=dropout, backend="fused")
    leaves = [t for t in case.values() if t.requires_grad]
    upstream = torch.ones_like(out)
    return [out.detach(), *torch.autograd.grad(out, leaves, upstream)]


def same(results, expected):
    return all(torch.equal(a, b) for a, b in zip(results, expected, strict=True))


@pytest.mark.parametrize("method", ["fork", "spawn"])
# CPython 3.12 warns of every fork in a process with threads; that is the case under test.
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_gets_the_same_results_after_the_parent_ran(method, attention_case):
    case = large_case(attention_case)
    inputs = tuple(case.pop(name) for name in ("query", "key", "value"))
    arguments = (partial(edge_attention, **case, backend="fused"), inputs, torch.ones(3000, 8, 16))
    out, gradients = torch.autograd.functional.vjp(*arguments)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as child:
        answer = child.submit(torch.autograd.functional.vjp, *arguments)
        try:
            child_out, child_gradients = answer.result(timeout=120)
        except TimeoutError:
            for process in child._processes.values():
                process.kill()
            raise
    # Not bit for bit: torch's own matrix products round by the number of threads.
    for got, want in zip((child_out, *child_gradients), (out, *gradients), strict=True):
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-4)


def test_three_threads_at_once_get_the_same_results(attention_case):
    case = large_case(attention_case)
    expected = run(case)
    answers = []
    threads = [
        threading.Thread(
            target=lambda: answers.append(all(same(run(case), expected) for _ in "ab"))
        )
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert answers == [True, True, True]


def test_the_bits_do_not_depend_on_the_number_of_threads(attention_case):
    case, before = large_case(attention_case), torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        expected = edge_attention(**case, backend="fused", return_weights=True)
        for number in (2, 3, 7):
            torch.set_num_threads(number)
            got = edge_attention(**case, backend="fused", return_weights=True)
            # The tables' matrix products are torch's; the weights are the kernels' alone.
            assert torch.equal(got[1], expected[1])
            torch.testing.assert_close(got[0], expected[0])
    finally:
        torch.set_num_threads(before)


def test_same_seed_same_bits(attention_case):
    case, results = large_case(attention_case), []
    for _ in range(2):
        torch.manual_seed(3)
        results.append(run(case, dropout=0.2))
    assert same(*results)
    assert not same(run(case, dropout=0.2), results[0])


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_compiles_whole_for_trees_of_any_size(attention_case, close, dropout):
    counter = CompileCounterWithBackend("aot_eager")

    def loss(query, key, value, edge_index, edge_type, key_table, value_table, bias_table):
        out = edge_attention(
            *(query, key, value, edge_index, edge_type),
            key_table=key_table,
            value_table=value_table,
            bias_table=bias_table,
            dropout=dropout,
        )
        return out.square().sum()

    torch._dynamo.reset()
    compiled = torch.compile(loss, backend=counter, fullgraph=True, dynamic=True)
    names = ("query", "key", "value", "key_table", "value_table", "bias_table")
    for size in (9, 17, 40):
        case = attention_case(size, size, 4 * size)
        for unused in ("query_table", "edge_bias"):
            del case[unused]
        results = []
        for way in (compiled, loss):
            leaves = {n: case[n].detach().requires_grad_() for n in names}
            torch.manual_seed(5)
            out = way(**{**case, **leaves})
            results.append([out, *torch.autograd.grad(out, list(leaves.values()))])
        if dropout == 0:  # compiled code draws its random numbers in an order of its own
            for got, want in zip(*results, strict=True):
                close(got, want)
        assert all(torch.isfinite(t).all() for t in results[0])
    assert counter.frame_count <= 2


def test_gradients_equal_finite_differences(attention_case):
    case = attention_case(4, 5, 12)
    names = [n for n, t in case.items() if t.is_floating_point()]

    def function(*tensors):
        return edge_attention(
            **{**case, **dict(zip(names, tensors, strict=True))},
            backend="fused",
            return_weights=True,
        )

    assert torch.autograd.gradcheck(function, [case[n].requires_grad_() for n in names])


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_backward_pass_inside_autocast_equals_one_outside(attention_case, dtype):
    case, gradients = large_case(attention_case), []
    leaves = [t.requires_grad_() for t in case.values() if t.is_floating_point()]
    for inside in (True, False):
        with torch.autocast("cpu", dtype=dtype, enabled=inside):
            with torch.autocast("cpu", enabled=False):
                out = edge_attention(**case, backend="fused")
            gradients.append(torch.autograd.grad(out, leaves, torch.ones_like(out)))
    assert same(*gradients)
