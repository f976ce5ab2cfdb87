import json
from pathlib import Path

import pytest

from tgraph_attn.datasets._processed import (
    check_repr,
    filled_whole,
    processed_folder,
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
