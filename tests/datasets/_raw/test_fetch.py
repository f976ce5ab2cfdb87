import hashlib
from dataclasses import replace

import pytest

from tgraph_attn.datasets._raw.fetch import fetch
from tgraph_attn.datasets._raw.pinned_file import PinnedFile

CONTENT = b"a\tone\nb\ttwo\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def near(tmp_path):
    """A file that can be fetched without a network."""
    folder = tmp_path / "origin" / "far"
    folder.mkdir(parents=True)
    (folder / "train.txt").write_bytes(CONTENT)
    return PinnedFile("sub/train.txt", (folder / "train.txt").as_uri(), 12, SHA256)


@pytest.fixture
def far(tmp_path):
    return PinnedFile("sub/train.txt", (tmp_path / "nowhere" / "train.txt").as_uri(), 12, SHA256)


def test_file_that_is_not_there_is_fetched_and_kept(tmp_path, near, far):
    raw = tmp_path / "my raw é"
    assert fetch("Texts", raw, near) == CONTENT
    assert [p.name for p in raw.rglob("*") if p.is_file()] == ["train.txt"]
    assert fetch("Texts", raw, far) == CONTENT


def test_file_that_is_there_is_used(tmp_path, far):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "train.txt").write_bytes(CONTENT)
    assert fetch("Texts", tmp_path, far) == CONTENT


def test_another_file_in_its_place_is_refused_and_stays(tmp_path, near):
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "train.txt"
    path.write_bytes(b"a\tone\nb\tTWO\nc")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    message = f"with 12 bytes and SHA-256 {SHA256}, but has 13 bytes .3 lines. and .* {found}"
    with pytest.raises(ValueError, match=message):
        fetch("Texts", tmp_path, near)
    assert path.read_bytes() == b"a\tone\nb\tTWO\nc"


@pytest.mark.parametrize("place", ["raw", "raw/R8"])
def test_file_of_another_corpus_is_to_be_moved_not_deleted(tmp_path, near, place):
    own = replace(near, name="sub/own.txt", size=1, sha256="0" * 64)
    known = {SHA256: ("sub/train.txt", "R52")}
    (tmp_path / place / "sub").mkdir(parents=True)
    (tmp_path / place / "sub" / "own.txt").write_bytes(CONTENT)
    message = r"which is sub/train.txt of R52. Move it to its own sub-folder, raw/R52/sub/train.txt"
    with pytest.raises(ValueError, match=message) as caught:
        fetch("Texts", tmp_path / place, own, known)
    assert "Delete" not in str(caught.value)


def test_wrong_download_is_refused_and_leaves_nothing(tmp_path, near):
    wrong = replace(near, sha256="0" * 64)
    with pytest.raises(ValueError, match=r"far/train.txt must be the published file .* Try again"):
        fetch("Texts", tmp_path / "raw", wrong)
    assert not [p for p in (tmp_path / "raw").rglob("*") if p.is_file()]


def test_no_network_says_where_to_put_the_file(tmp_path, far):
    with pytest.raises(ConnectionError, match=r"train.txt must be there or .* Put the file there"):
        fetch("Texts", tmp_path / "raw", far)
    assert not [p for p in (tmp_path / "raw").rglob("*") if p.is_file()]
