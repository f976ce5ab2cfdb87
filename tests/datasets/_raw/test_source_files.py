import os
import sysconfig
from pathlib import Path

import pytest

from tgraph_attn.datasets._raw.source_files import (
    fingerprint,
    read_python,
    source_files,
    stdlib_folder,
)


def write(folder, name, content=b"x = 1\n"):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def test_library_is_that_of_this_interpreter():
    assert Path(os.__file__).parent == stdlib_folder() == Path(sysconfig.get_path("stdlib"))


def test_files_are_sorted_by_their_path_with_slashes(tmp_path):
    for name in ("b.py", "a/z.py", "a.py", "a/b/c.py", "é ü/d.py", "notes.txt"):
        write(tmp_path, name)
    assert source_files(tmp_path) == ["a.py", "a/b/c.py", "a/z.py", "b.py", "é ü/d.py"]


def test_tests_and_installed_packages_are_left_out_wherever_they_are(tmp_path):
    folder = tmp_path / "test" / "site-packages"  # the folder's own path does not count
    for name in ("test", "tests", "idle_test", "site-packages", "dist-packages", "_bundled"):
        write(folder, f"deep/{name}/more/a.py")
    write(folder, ".venv/a.py")
    write(folder, "testing/a.py")
    write(folder, "test.py")
    assert source_files(folder) == ["test.py", "testing/a.py"]


def test_no_library_file_is_a_test_or_an_installed_package():
    files = source_files(stdlib_folder())
    parts = {part for name in files for part in name.split("/")[:-1]}
    assert {"json", "asyncio"} <= parts and "argparse.py" in files
    assert not parts & {"test", "tests", "idle_test", "site-packages", "dist-packages"}


def test_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"StdlibFunctions: source must be a folder"):
        source_files(tmp_path / "absent")


def test_folder_without_python_files_is_refused(tmp_path):
    write(tmp_path, "test/a.py")
    with pytest.raises(
        ValueError, match=r"StdlibFunctions: there are no examples in .*Pass another one"
    ):
        source_files(tmp_path)


def test_fingerprint_changes_with_names_and_contents(tmp_path):
    for name, content in {"a.py": b"1", "b.py": b"1", "c.py": b"2", "ab.py": b""}.items():
        write(tmp_path, name, content)
    prints = [fingerprint(tmp_path, files) for files in (["a.py"], ["b.py"], ["c.py"], ["ab.py"])]
    assert len(set(prints)) == 4
    assert prints[0] == fingerprint(tmp_path, ["a.py"])


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a = 'x'\r\nb = 2\r\n", "a = 'x'\nb = 2\n"),
        (b"\xef\xbb\xbfa = 1\n", "a = 1\n"),
        (b"# -*- coding: latin-1 -*-\na = '\xe9'\n", "# -*- coding: latin-1 -*-\na = 'é'\n"),
        (b"a = '\xe9'\n", None),
        (b"# coding: no-such-encoding\n", None),
        (b"# coding: rot13\n", None),
        (b"# coding: undefined\n", None),
    ],
)
def test_files_are_read_in_the_encoding_they_declare(tmp_path, content, text):
    write(tmp_path, "a.py", content)
    assert read_python(tmp_path / "a.py") == text
