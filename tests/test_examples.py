import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# What the docstring of each example promises of the number on its last line.
PROMISES = {"01_quickstart.py": lambda number: number > 1}


def test_each_example_is_numbered_short_and_has_a_promise():
    assert [path.name for path in EXAMPLES] == sorted(PROMISES)
    for number, path in enumerate(EXAMPLES, start=1):
        text = path.read_text(encoding="utf-8")
        assert path.name.startswith(f"{number:02d}_")
        assert len(text.splitlines()) <= 120
        assert "The last line is the promised number" in text and '"--small"' in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_keeps_its_promise_and_says_the_same_again(path, tmp_path):
    pytest.importorskip("matplotlib")
    command = [sys.executable, "-W", "error::UserWarning", str(path), "--small"]
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "MPLBACKEND")}
    said = []
    for _ in range(2):
        ran = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
        )
        assert ran.returncode == 0, ran.stderr
        assert PROMISES[path.name](float(ran.stdout.splitlines()[-1])), ran.stdout
        said.append(re.sub(r"( +\S+) +\d+\.\d( +[\d,]+ +\d+)$", r"\1\2", ran.stdout, flags=re.M))
    assert said[0] == said[1]  # but for the seconds
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")
