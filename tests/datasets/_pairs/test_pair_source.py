import pickle

import pytest

from tgraph_attn.datasets._pairs.pair_source import find_pair_source
from tgraph_attn.parse._code import grammars

ROW = '{"code": "f()", "docstring": "Do."}\n'
SMALL = {"train": "valid", "test": "test"}


@pytest.fixture
def find(tmp_path):
    def source(name, language=None, parts=None, seed=0):
        return find_pair_source(tmp_path / "raw", name, language, parts, seed)

    return source


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine é").mkdir()
    return tmp_path / "mine é"


def test_published_corpora_know_their_language_and_words(find, tmp_path):
    java, python = find("tl_codesum", parts=SMALL), find("code_docstring", "PY", SMALL)
    assert (java.language, java.comment, java.folder) == ("java", "tokens", tmp_path / "raw")
    assert (python.language, python.comment) == ("python", "rules")
    assert java.identity["parts"] == SMALL and java.identity["files"]["valid"][0].startswith("e2f6")


def test_a_part_without_a_checksum_is_told_by_its_content(find, tmp_path):
    (tmp_path / "raw").mkdir()
    seen = [find("tl_codesum").identity]
    for content in (b"1\ta", b"1\tb"):
        for name in ("train.token.code", "train.token.nl"):
            (tmp_path / "raw" / name).write_bytes(content)
        seen.append(find("tl_codesum").identity)
    assert len({str(identity) for identity in seen}) == 3


def test_a_folder_is_rows_if_it_has_any_and_else_sources(find, folder):
    (folder / "a.py").write_text('def f(a):\n    "Do."\n    return a\n')
    sources = find(folder, "Python")
    assert (sources.name, sources.language, sources.comment) == ("own", "python", "rules")
    assert sources.read()[0]["train"][0].origin == "a.py:1"
    (folder / "train.jsonl").write_text(ROW)
    rows = find(str(folder), "js")
    assert rows.language == "javascript" and rows.read()[0]["train"][0].origin == "train.jsonl:1"


def test_a_file_of_rows_is_one_of_your_own(find, folder):
    (folder / "all.jsonl").write_text(ROW)
    source = find(folder / "all.jsonl", "python")
    assert source.folder == folder and len(source.read()[0]["train"]) == 1


def test_another_content_or_seed_is_another_source(find, folder):
    def identities():
        yield from (find(folder, "python", seed=s).identity for s in (0, 1))
        yield find(folder / "all.jsonl", "python").identity

    (folder / "all.jsonl").write_text(ROW)
    (folder / "a.py").write_text("x = 1")
    before = list(identities())
    (folder / "all.jsonl").write_text(ROW * 2)
    (folder / "a.py").write_text("x = 2")
    assert len({str(identity) for identity in [*before, *identities()]}) == 6


@pytest.mark.parametrize("name", ["tl_codesum", "own"])
def test_a_source_can_be_pickled(find, folder, name):
    (folder / "train.jsonl").write_text(ROW)
    source = find("tl_codesum", parts=SMALL) if name != "own" else find(folder, "python")
    assert pickle.loads(pickle.dumps(source)).identity == source.identity


@pytest.mark.parametrize(
    ("parts", "got"),
    [
        ({"test": "test"}, "{'test'"),
        ({"train": "train", "dev": "valid"}, "dev"),
        ({"train": "all"}, "all"),
        ({"train": "valid", "test": "valid"}, "valid"),
    ],
)
def test_parts_that_do_not_fit_are_refused(find, parts, got):
    with pytest.raises(ValueError, match=rf"parts must give train, .* but are .*{got}.* Pass"):
        find("tl_codesum", parts=parts)


def test_parts_are_for_published_corpora(find, folder):
    with pytest.raises(ValueError, match=r"parts must be None for a folder of your own, but got"):
        find(folder, "python", SMALL)
    with pytest.raises(TypeError, match=r"parts must be a Mapping or NoneType, but got str"):
        find("tl_codesum", parts="valid")


@pytest.mark.parametrize("name", ["tl-codesum", "nowhere", "nowhere.jsonl"])
def test_another_name_is_refused(find, name):
    message = rf"name must be one of \['tl_codesum', 'code_docstring'\], a folder .* '{name}'"
    with pytest.raises(ValueError, match=message):
        find(name, "python")
    with pytest.raises(TypeError, match=r"name must be a str or PathLike, but got int"):
        find(5)


def test_a_language_that_is_missing_unknown_or_another_is_refused(find, folder):
    (folder / "train.jsonl").write_text(ROW)
    with pytest.raises(TypeError, match=r'language must be a str, .* Pass language="python"'):
        find(folder)
    with pytest.raises(ValueError, match=r"language must be one of .*'java'.*, but got 'klingon'"):
        find(folder, "klingon")
    for name in (folder, "tl_codesum"):
        with pytest.raises(TypeError, match=r"language must be a str .*, but got int\. Pass"):
            find(name, 5)
    with pytest.raises(ValueError, match=r"language must be 'java' for tl_codesum, .* Leave it"):
        find("tl_codesum", "python")


def test_a_grammar_that_is_not_installed_is_named(find, folder, monkeypatch):
    (folder / "train.jsonl").write_text(ROW)
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    grammars._load.cache_clear()
    with pytest.raises(ImportError, match=r'language="go" needs tree-sitter-go'):
        find(folder, "go")


def test_a_folder_without_functions_is_refused(find, folder):
    with pytest.raises(ValueError, match=r"there are no examples in .*mine é"):
        find(folder, "python")
