import os
import sys
from importlib import import_module
from pathlib import Path

import pytest
import torch
from torch import Tensor

# The one place for tolerances: by the dtype of the expected value.
TOLERANCE = {
    torch.float16: dict(rtol=1e-2, atol=1e-2),
    torch.bfloat16: dict(rtol=2e-2, atol=2e-2),
    torch.float32: dict(rtol=1e-4, atol=1e-5),
    torch.float64: dict(rtol=1e-9, atol=1e-9),
}


def pytest_addoption(parser):
    parser.addoption("--no-skips", action="store_true", help="count a skipped test as failed")


def count_skip_as_failed(report, config):
    if report.skipped and config.getoption("--no-skips"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and --no-skips is given: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return count_skip_as_failed((yield), item.config)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return count_skip_as_failed((yield), collector.config)


@pytest.fixture
def bench(monkeypatch):
    """What imports a script of the benchmarks; all of them are forgotten at the end."""
    folder, before = str(Path(__file__).parents[1] / "benchmarks"), set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    yield import_module
    for name in set(sys.modules) - before:
        if folder in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.fixture
def close():
    def check(actual, expected):
        torch.testing.assert_close(actual, expected, **TOLERANCE[expected.dtype])

    return check


@pytest.fixture
def same(close):
    """Check that two outputs are the same, and their gradients by these tensors.

    `others` are what the second output was made of, where these are not the first one's tensors.
    """

    def check(out: Tensor, expected: Tensor, *tensors: Tensor, others=None) -> None:
        close(out, expected)
        upstream = torch.randn_like(expected)
        got = torch.autograd.grad(out, tensors, upstream, allow_unused=True)
        want = torch.autograd.grad(expected, others or tensors, upstream, allow_unused=True)
        for one, other, tensor in zip(got, want, tensors, strict=True):
            zeros = torch.zeros_like(tensor)
            close(zeros if one is None else one, zeros if other is None else other)

    return check


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The real corpora: TGRAPH_ATTN_DATA, or shared/data beside the repository."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TGRAPH_ATTN_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no corpora at {folder}: set TGRAPH_ATTN_DATA to their folder")
    return folder


@pytest.fixture
def one_thread():
    """Models this small only wait for a second thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
