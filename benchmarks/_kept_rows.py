"""Rows of long experiments: each is one line of JSON, told by its settings, and run once."""

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import torch

RESULTS = Path(__file__).parent / "results"


def parser(doc: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every long experiment has."""
    made = argparse.ArgumentParser(description=doc.splitlines()[0])
    made.add_argument("--data", help="the folder of the data")
    made.add_argument("--seeds", nargs="+", type=int, default=list(range(3)))
    made.add_argument("--threads", type=int, default=torch.get_num_threads())
    made.add_argument("--trial", action="append", metavar="SETTING=VALUE")
    made.add_argument("--render", action="store_true", help="only write the page")
    return made


def changed(settings: dict[str, Any], changes: list[str] | None) -> dict[str, Any]:
    """Return the settings with those of `--trial`, which are JSON values."""
    pairs = (change.split("=", 1) for change in changes or [])
    return {**settings, **{name: json.loads(value) for name, value in pairs}}


def key(*parts: Any) -> str:
    """Return what tells a run from all others: row, data, seed, settings."""
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read(path: Path) -> list[dict[str, Any]]:
    """Return the lines that are there."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, line: dict[str, Any]) -> None:
    """Add a line: in one write, since runs may share the file."""
    with open(path, "ab", buffering=0) as file:
        file.write(json.dumps(line).encode() + b"\n")


def bits(correct: Any) -> str:
    """Return a 0 or a 1 for each of some items, `[M]` bool."""
    return str(correct.tobytes().hex()[1::2])
