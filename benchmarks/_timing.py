"""What the benchmarks share: fair repeats, peak memory, the machine, rows in a file."""

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

import torch


def parser(doc: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every benchmark has."""
    made = argparse.ArgumentParser(description=doc.splitlines()[0])
    made.add_argument("--repeats", type=int, default=5)
    made.add_argument("--threads", type=int, default=torch.get_num_threads())
    made.add_argument("--json", help="also write the rows to this file")
    return made


def machine(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a number depends on besides the code: date, processor, versions, threads.

    `packages` are those whose version counts besides the usual ones; one may be missing.
    """
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":", 1)[1].strip() if names else model
    usual = ("torch", "torch-geometric", "numba", "tree-sitter", "numpy")
    more = [name for name in packages if any(distributions(name=name))]
    return {
        "command": " ".join(["python", *map(_short, sys.argv)]),
        "date": datetime.date.today().isoformat(),
        "processor": model,
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        **{package: version(package) for package in (*usual, *more)},
    }


def _short(argument: str) -> str:
    """Return an argument; of a path on this machine, the last part."""
    return Path(argument).name if argument.startswith("/") else argument


def times_ms(ways: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Return the milliseconds of each repeat of each way.

    Each way runs once unmeasured; then they take turns, so that a slow moment of a shared machine
    meets all of them.
    """
    for way in ways.values():
        way()
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            taken[name].append(1e3 * (time.perf_counter() - start))
    return taken


def summary(taken: list[float]) -> dict[str, float]:
    """Return the fastest, the middle and the slowest of the repeats."""
    return {
        "min_ms": round(min(taken), 3),
        "median_ms": round(statistics.median(taken), 3),
        "max_ms": round(max(taken), 3),
    }


def resident_mib() -> float:
    """Return the memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def forget_peak() -> None:
    """Begin to note the peak memory of this process anew.

    `ru_maxrss` is of no use in a child process: it begins at what the parent held.
    """
    Path("/proc/self/clear_refs").write_text("5")


def peak_mib() -> float:
    """Return the most memory that this process has held since `forget_peak`."""
    status = Path("/proc/self/status").read_text().splitlines()
    [line] = [line for line in status if line.startswith("VmHWM")]
    return int(line.split()[1]) / 2**10


def memory_of(script: str, way: str, num_nodes: int) -> float:
    """Return the peak memory of one way in a fresh process of the script, in MiB.

    The script prints it, as its last line, when called with `--memory-of` and `--nodes`.
    """
    threads = str(torch.get_num_threads())
    command = [sys.executable, script, "--memory-of", way, "--nodes", str(num_nodes)]
    ran = subprocess.run([*command, "--threads", threads], check=True, capture_output=True)
    return json.loads(ran.stdout.splitlines()[-1])


def write(rows: list[dict[str, Any]], path: str | None, packages: Sequence[str] = ()) -> None:
    """Write the rows, with the machine, to a JSON file, whole or not at all."""
    if path is None:
        return
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"machine": machine(packages), "rows": rows}, indent=1)
    unfinished = target.with_suffix(".part")
    unfinished.write_text(text + "\n", encoding="utf-8")
    unfinished.replace(target)
