import pickle

import pytest

from tgraph_attn.datasets._text.corpus_source import find_source


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "train.txt").write_text("a\tx\nb\ty", encoding="utf-8")
    (tmp_path / "test.txt").write_text("a\tx", encoding="utf-8")
    return tmp_path


def test_published_names_are_pinned_and_lie_below_raw(tmp_path):
    source = find_source(tmp_path, "R8", "utf-8", progress=False)
    assert source.folder == tmp_path / "raw" / "R8" and source.num_words == 7688
    assert set(source.identity) == {"train.txt", "test.txt"}


def test_path_is_a_folder_even_if_it_has_a_published_name(folder, tmp_path, monkeypatch):
    (tmp_path / "R8").mkdir()
    for split in ("train", "test"):
        (folder / f"{split}.txt").rename(tmp_path / "R8" / f"{split}.txt")
    monkeypatch.chdir(tmp_path)
    path = (tmp_path / "R8").relative_to(tmp_path)
    assert find_source(tmp_path, path, "utf-8", progress=False).folder == path
    assert find_source(tmp_path, "./R8", "utf-8", progress=False).num_words is None


def test_identity_of_a_folder_follows_its_content_and_encoding(folder):
    first = find_source(folder, folder, "utf-8", progress=False)
    assert first.identity == find_source(folder, str(folder), "utf-8", progress=False).identity
    assert first.identity != find_source(folder, folder, "latin-1", progress=False).identity
    (folder / "test.txt").write_text("a\tz", encoding="utf-8")
    assert first.identity != find_source(folder, folder, "utf-8", progress=False).identity
    splits, dropped = first.read()
    assert (len(splits["train"]), dropped) == (2, {})


def test_stdlib_is_told_by_its_files_and_python(tmp_path):
    source = find_source(tmp_path, "stdlib", "utf-8", progress=False)
    assert set(source.identity) == {"python", "files"} and (source.folder / "json").is_dir()


@pytest.mark.parametrize("name", ["r8", "20ng", "nowhere/at/all"])
def test_unknown_name_is_refused(tmp_path, name):
    with pytest.raises(
        ValueError, match=r"one of \['R8', 'R52', 'Ohsumed', 'stdlib'\] or a folder"
    ):
        find_source(tmp_path, name, "utf-8", progress=False)


def test_unknown_encoding_is_refused(folder):
    with pytest.raises(
        ValueError, match="encoding must be one that Python knows, but got 'utf-88'"
    ):
        find_source(folder, folder, "utf-88", progress=False)


@pytest.mark.parametrize("name", ["base64", "rot13", "utf-8\0"])
def test_encoding_that_is_none_of_texts_is_refused(folder, name):
    with pytest.raises(ValueError, match=r"one that Python knows, but got .*Pass \"utf-8\" or"):
        find_source(folder, folder, name, progress=False)


def test_encoding_in_which_a_lone_letter_is_no_text_is_fine(folder):
    for split in ("train", "test"):
        text = (folder / f"{split}.txt").read_text(encoding="utf-8")
        (folder / f"{split}.txt").write_text(text, encoding="utf-16")
    splits, _ = find_source(folder, folder, "utf-16", progress=False).read()
    assert [document.text for document in splits["train"]] == ["x", "y"]


@pytest.mark.parametrize("encoding", [None, b"utf-8"])
def test_encoding_that_is_no_str_is_refused(folder, encoding):
    with pytest.raises(TypeError, match="TextCorpus: encoding must be a str, but got"):
        find_source(folder, folder, encoding, progress=False)


@pytest.mark.parametrize("name", ["R8", "stdlib", None])
def test_every_source_can_be_pickled(folder, name):
    source = find_source(folder, name or folder, "utf-8", progress=False)
    again = pickle.loads(pickle.dumps(source))
    assert (again.identity, again.folder) == (source.identity, source.folder)
    if name is None:
        assert again.read() == source.read()
