import subprocess
import sys

import pytest

from tgraph_attn._optional import is_available, require, require_java


@pytest.fixture(autouse=True)
def forget():
    is_available.cache_clear()
    yield
    is_available.cache_clear()


def test_what_is_installed_is_available():
    assert is_available("numpy") and require("op", "numpy").__name__ == "numpy"


def test_a_bare_folder_of_that_name_is_no_package(tmp_path, monkeypatch):
    (tmp_path / "bare_folder").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert not is_available("bare_folder")


def test_what_is_missing_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch_scatter", None)
    with pytest.raises(ImportError, match=r"^op needs torch-scatter, .*Or pip install --no-build"):
        require("op", "torch_scatter", "Use the other way.")


def test_of_a_missing_module_the_package_is_named():
    with pytest.raises(
        ImportError, match=r"^op needs no-such-thing, .*pip install no-such-thing\.$"
    ):
        require("op", "no_such_thing.inner")
    assert require("op", "os.path").join("a", "b")[0] == "a"


def test_java_is_where_path_says_or_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ImportError, match=r"^op: Java not found: .* or leave op out\.$"):
        require_java("op")
    program = tmp_path / ("java.exe" if sys.platform == "win32" else "java")
    program.touch(mode=0o755)
    assert require_java("op") == str(program)


def test_a_compiled_extension_that_does_not_load_counts_as_missing(tmp_path):
    # What a torch-scatter built for another torch does, in a process of its own.
    package = tmp_path / "torch_scatter"
    package.mkdir()
    (package / "__init__.py").write_text("raise OSError('undefined symbol: _ZN5torch')")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import torch, tgraph_attn.ops\n"
        "from tgraph_attn._optional import is_available\n"
        "assert not is_available('torch_scatter')\n"
        "x, edges = torch.ones(2, 1, 1), torch.tensor([[0], [1]])\n"
        "print(tgraph_attn.ops.edge_attention(x, x, x, edges).flatten().tolist())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines()[-1:] == ["[0.0, 1.0]"], ran.stderr
