import threading
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import tree_sitter

from tgraph_attn.parse._code import grammars
from tgraph_attn.parse._code.grammars import (
    LANGUAGES,
    get_language,
    get_parser,
    grammar_version,
    language_name,
    language_of_suffix,
)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("py", "python"), ("PYTHON", "python"), ("Java", "java"), ("JS", "javascript")],
)
def test_names_and_aliases_in_any_case_give_the_same_grammar(alias, name):
    if name == "javascript":
        pytest.importorskip("tree_sitter_javascript")
    assert get_language(alias) == get_language(name)


@pytest.mark.parametrize(
    "name", ["c", "cpp", "c++", "javascript", "typescript", "tsx", "go", "golang", "rust", "rs"]
)
def test_every_language_of_the_extra_can_be_loaded(name):
    pytest.importorskip("tree_sitter_c")
    assert isinstance(get_language(name), tree_sitter.Language)


def test_a_name_or_an_alias_in_any_case_has_one_name():
    aliases = ["Python3", "JS", "c++", "java", "klingon", ""]
    assert [language_name(name) for name in aliases] == [
        "python",
        "javascript",
        "cpp",
        "java",
        *2 * [None],
    ]
    assert "tsx" in LANGUAGES and "py" not in LANGUAGES


def test_a_grammar_is_told_by_its_package_and_version():
    assert grammar_version("java") == f"tree-sitter-java {metadata.version('tree-sitter-java')}"


def test_a_language_is_returned_as_it_is():
    language = get_language("python")
    assert get_language(language) is language


def test_suffixes_tell_the_language():
    names = [
        language_of_suffix(suffix) for suffix in (".py", ".H", ".cc", ".tsx", ".rs", ".txt", "")
    ]
    assert names == ["python", "c", "cpp", "tsx", "rust", None, None]


def test_each_thread_has_one_parser_of_its_own_for_a_language():
    language, found = get_language("python"), []
    thread = threading.Thread(target=lambda: found.append(get_parser(language)))
    thread.start()
    thread.join()
    mine = get_parser(language)
    assert get_parser(language) is mine and found[0] is not mine


def test_an_unknown_language_is_refused_with_those_that_are_known():
    with pytest.raises(
        ValueError, match=r"parse_code: language must be one of \['c', 'cpp', .*'x'"
    ):
        get_language("x")
    with pytest.raises(TypeError, match=r"must be a name or a tree_sitter.Language, but got int"):
        get_language(3)


def test_a_grammar_that_is_not_installed_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(grammars._GRAMMARS, "zig", ("tree_sitter_zig", "language", ()))
    with pytest.raises(ImportError, match=r"tree-sitter-zig.*pip install tree-sitter-zig"):
        get_language("zig")
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    grammars._load.cache_clear()
    with pytest.raises(
        ImportError, match=r'language="rust" needs .* pip install "tgraph_attn\[gra'
    ):
        get_language("rust")
    with pytest.raises(ImportError, match=r"pip install tree-sitter-java"):
        get_language("java")


def test_a_grammar_of_another_abi_is_refused_with_both_versions_and_the_fix(monkeypatch):
    class Refusing:
        def __init__(self, pointer):
            raise ValueError("Incompatible Language version 16. Must be between 13 and 15")

    monkeypatch.setattr(grammars, "Language", Refusing)
    grammars._load.cache_clear()
    message = (
        r"tree-sitter \d.* tree-sitter-python \d.*version 16.*pip install --upgrade tree-sitter"
    )
    with pytest.raises(ValueError, match=message):
        get_language("python")


def test_the_release_that_reads_freed_memory_is_kept_out():
    project = Path(__file__).parents[3] / "pyproject.toml"
    needed = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"]
    assert "tree-sitter>=0.25,!=0.26.0" in needed
