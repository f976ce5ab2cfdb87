import json
import os
import time
from pathlib import Path

import pytest
import torch

from tgraph_attn.datasets._processed import (
    check_marks,
    check_repr,
    filled_whole,
    processed_folder,
    read_json,
    reading,
    write_json,
)
from tgraph_attn.transforms import AddFullEdges


def made(root, settings):
    folder = Path(processed_folder(str(root), settings))
    folder.mkdir(parents=True, exist_ok=True)  # which PyG does
    return folder


def test_other_settings_have_another_folder_whatever_their_order(tmp_path):
    one, same, other = ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 3})
    folders = [processed_folder(str(tmp_path), settings) for settings in (one, same, other)]
    assert folders[0] == folders[1] != folders[2]
    assert Path(folders[0]).parent == tmp_path


def test_files_move_when_all_are_written_the_settings_last(tmp_path, monkeypatch):
    settings, moved = {"a": 1}, []
    folder = made(tmp_path, settings)
    replace = __import__("os").replace
    monkeypatch.setattr("os.replace", lambda a, b: (moved.append(Path(b).name), replace(a, b)))
    with filled_whole(str(tmp_path), settings) as aside:
        for name in ("z.json", "a.json"):
            write_json(aside, name, {"é": name})
        assert not list(folder.iterdir())
    assert moved == ["a.json", "z.json", "settings.json"]
    assert json.loads((folder / "z.json").read_text(encoding="utf-8")) == {"é": "z.json"}
    assert json.loads((folder / "settings.json").read_text(encoding="utf-8")) == settings
    assert list(tmp_path.iterdir()) == [folder]


def test_an_error_leaves_nothing(tmp_path):
    folder = made(tmp_path, {})

    def fill():
        with filled_whole(str(tmp_path), {}) as aside:
            write_json(aside, "half.json", 1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill()
    assert list(tmp_path.iterdir()) == [folder] and not list(folder.iterdir())


def test_a_transform_must_say_its_settings():
    class Silent(AddFullEdges):
        __repr__ = object.__repr__

    for fine in (None, AddFullEdges()):
        check_repr("Corpus", fine)
    with pytest.raises(ValueError, match=r"Corpus: pre_transform must have a repr that says its"):
        check_repr("Corpus", Silent())


def test_only_folders_that_nobody_wrote_to_for_a_day_are_removed(tmp_path):
    made(tmp_path, {})
    long_ago = time.time() - 25 * 60 * 60

    def leave(name, *, young_file):
        (tmp_path / name).mkdir()
        for file in ("train.pt", "report.json"):
            (tmp_path / name / file).write_bytes(b"half")
            os.utime(tmp_path / name / file, (long_ago, long_ago))
        if young_file:
            os.utime(tmp_path / name / "train.pt")
        os.utime(tmp_path / name, (long_ago, long_ago))

    leave(".making-killed", young_file=False)
    leave(".making-alive", young_file=True)
    leave("making-else", young_file=False)
    (tmp_path / ".making-young").mkdir()
    with filled_whole(str(tmp_path), {}) as aside:
        names = {path.name for path in tmp_path.iterdir() if path != made(tmp_path, {})}
    assert names == {".making-alive", "making-else", ".making-young", Path(aside).name}


@pytest.mark.parametrize(
    "error", [FileNotFoundError("x.json"), RuntimeError("one\ntwo"), KeyError("x"), EOFError()]
)
def test_what_cannot_be_read_is_one_error_that_says_what_to_do(error):
    message = rf"Corpus: a folder must hold .* gone \({type(error).__name__}: .*\). Delete that fo"
    with pytest.raises(ValueError, match=message), reading("Corpus", "a folder"):
        raise error


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_is_no_fault_of_the_files_is_left_as_it_is(error):
    with pytest.raises(error), reading("Corpus", "a folder"):
        raise error


@pytest.mark.parametrize("name", ["pre_transform.pt", "pre_filter.pt"])
def test_damaged_marks_are_one_error_too(tmp_path, name):
    check_marks("Corpus", tmp_path, {})
    folder = made(tmp_path, {})
    torch.save("None", folder / name)
    check_marks("Corpus", tmp_path, {})
    (folder / name).write_bytes(b"")
    with pytest.raises(ValueError, match=rf"Corpus: {folder} must hold .* Delete that folder"):
        check_marks("Corpus", tmp_path, {})


def test_json_is_read_as_it_was_written(tmp_path):
    write_json(str(tmp_path), "a.json", {"é": [1]})
    assert read_json(tmp_path, "a.json") == {"é": [1]}
