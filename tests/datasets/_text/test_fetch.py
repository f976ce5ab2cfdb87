import hashlib

import pytest

from tgraph_attn.datasets._text.fetch import fetch
from tgraph_attn.datasets._text.published import PUBLISHED, PinnedFile, Published

CONTENT = b"a\tone\nb\ttwo\n"
FILE = PinnedFile("sub/train.txt", "far/train.txt", 12, hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def origin(tmp_path):
    """A place from which the file can be fetched, without a network."""
    folder = tmp_path / "origin" / "far"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_bytes(CONTENT)
    return folder.parent.as_uri() + "/"


@pytest.fixture
def no_origin(tmp_path):
    return (tmp_path / "nowhere").as_uri() + "/"


def test_file_that_is_not_there_is_fetched_and_kept(tmp_path, origin, no_origin):
    raw = tmp_path / "my raw é"
    assert fetch(raw, FILE, origin=origin) == CONTENT
    assert [p.name for p in raw.rglob("*") if p.is_file()] == ["train.txt"]
    assert fetch(raw, FILE, origin=no_origin) == CONTENT


def test_file_that_is_there_is_used(tmp_path, no_origin):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "train.txt").write_bytes(CONTENT)
    assert fetch(tmp_path, FILE, origin=no_origin) == CONTENT


def test_another_file_in_its_place_is_refused_and_stays(tmp_path, origin):
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "train.txt"
    path.write_bytes(b"a\tone\nb\tTWO\nc")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    message = f"with 12 bytes and SHA-256 {FILE.sha256}, but has 13 bytes .3 lines. and .* {found}"
    with pytest.raises(ValueError, match=message):
        fetch(tmp_path, FILE, origin=origin)
    assert path.read_bytes() == b"a\tone\nb\tTWO\nc"


@pytest.mark.parametrize("place", ["raw", "raw/R8"])
def test_file_of_another_corpus_is_to_be_moved_not_deleted(tmp_path, origin, monkeypatch, place):
    own = PinnedFile("sub/own.txt", "far/own.txt", 1, "0" * 64)
    monkeypatch.setitem(PUBLISHED, "R52", Published((FILE, FILE), {}, 0, 0))
    (tmp_path / place / "sub").mkdir(parents=True)
    (tmp_path / place / "sub" / "own.txt").write_bytes(CONTENT)
    message = r"which is sub/train.txt of R52. Move it to its own sub-folder, raw/R52/sub/train.txt"
    with pytest.raises(ValueError, match=message) as caught:
        fetch(tmp_path / place, own, origin=origin)
    assert "Delete" not in str(caught.value)


def test_wrong_download_is_refused_and_leaves_nothing(tmp_path, origin):
    wrong = PinnedFile(FILE.name, FILE.address, FILE.size, "0" * 64)
    with pytest.raises(ValueError, match=r"far/train.txt must be the published file .* Try again"):
        fetch(tmp_path / "raw", wrong, origin=origin)
    assert not [p for p in (tmp_path / "raw").rglob("*") if p.is_file()]


def test_no_network_says_where_to_put_the_file(tmp_path, no_origin):
    with pytest.raises(ConnectionError, match=r"train.txt must be there or .* Put the file there"):
        fetch(tmp_path / "raw", FILE, origin=no_origin)
    assert not [p for p in (tmp_path / "raw").rglob("*") if p.is_file()]
