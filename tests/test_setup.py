"""What `make` and .ci/install would do: nothing is installed here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PINNED = "torch==2.13.0"
needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="apt install make")
RECORDS = '#!/bin/sh\necho "$@" >>log\ncase "$*" in *"import torch_scatter"*) exit {} ;; esac\n'


@pytest.fixture
def project(tmp_path):
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / ".ci/constraints.txt").write_text(f"{PINNED}\nnumpy==2.4.6\n")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    return tmp_path


def run(folder, *command, **variables):
    """The output of a command that does not see what this run of make was given."""
    env = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(
        command, cwd=folder, env=env, check=True, capture_output=True, text=True
    ).stdout


def planned(folder, goal="test", **variables):
    """The torch and the extras that `make` would install, or None."""
    for line in run(folder, "make", "-n", goal, **variables).splitlines():
        if ".ci/install" in line:
            return line.split('"')[3::2]
    return None


def stamp(folder, name):
    (folder / ".venv" / name).touch()


@needs_make
@pytest.mark.parametrize("torch", ["torch==2.9.1", "torch>=2.9", "torch<2.10", "torch==2.9.1+cpu"])
def test_another_torch_is_installed_though_there_is_a_stamp(project, torch):
    assert planned(project) == [PINNED, "test"]
    stamp(project, "installed-torch2.13.0-test")
    assert planned(project) is None
    assert planned(project, TORCH=torch) == [torch, "test"]
    stamp(project, f"installed-{torch.replace('=', '')}-test")
    assert planned(project, TORCH=torch) is None


@needs_make
def test_each_set_of_extras_has_its_stamp(project):
    assert planned(project, EXTRAS="scatter,grammars") == [PINNED, "test,scatter,grammars"]
    stamp(project, "installed-torch2.13.0-test-scatter-grammars")
    assert planned(project, EXTRAS="scatter,grammars") is None
    assert planned(project, EXTRAS="scatter") == [PINNED, "test,scatter"]
    assert planned(project, "lint") == [PINNED, "lint"]


@needs_make
def test_installing_a_torch_takes_the_stamps_of_others_away(project):
    (project / ".ci/install").write_text("")
    shutil.copy("/bin/true", project / ".venv/bin/python")
    for name in ("torch2.13.0-test", "torch2.13.0-lint", "torch<2.10-test"):
        stamp(project, f"installed-{name}")
    for torch, kept in [
        (PINNED, ["torch2.13.0-lint", "torch2.13.0-test", "torch2.13.0-test-viz"]),
        ("torch<2.10", ["torch<2.10-test-viz"]),
        (PINNED, ["torch2.13.0-test-viz"]),
    ]:
        run(project, "make", "test", TORCH=torch, EXTRAS="viz")
        assert sorted(p.name for p in project.glob(".venv/installed-*")) == [
            f"installed-{name}" for name in kept
        ]


@pytest.mark.parametrize(("status", "builds"), [(0, 1), (1, 2)])
def test_what_does_not_load_is_built_again_without_the_cache(project, status, builds):
    python = project / ".venv/bin/python"
    python.write_text(RECORDS.format(status))
    python.chmod(0o755)
    run(project, "sh", ".ci/install", "test,scatter")
    log = (project / "log").read_text().splitlines()
    built = [line for line in log if "torch-scatter torch-sparse" in line]
    assert len(built) == builds
    assert ["--no-cache-dir --force-reinstall --no-deps" in line for line in built] == [
        False,
        True,
    ][:builds]
    assert "--editable .[test,scatter]" in log[-1]


def test_without_the_extra_nothing_is_built(project):
    python = project / ".venv/bin/python"
    python.write_text(RECORDS.format(1))
    python.chmod(0o755)
    run(project, "sh", ".ci/install", "test")
    assert "scatter" not in (project / "log").read_text()
