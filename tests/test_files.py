import hashlib

import pytest

from tgraph_attn._files import sha256_of, whole_file


def test_a_file_has_its_name_when_it_is_whole_and_not_before(tmp_path):
    path = tmp_path / "numbers"
    with whole_file("Save", path) as file:
        file.write(b"12")
        assert not path.exists()
    assert path.read_bytes() == b"12" and [p.name for p in tmp_path.iterdir()] == ["numbers"]
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path, error):
    path = tmp_path / "numbers"
    path.write_bytes(b"old")

    def save():
        with whole_file("Save", path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        save()
    assert path.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1


def test_what_was_written_can_be_read_before_the_end(tmp_path):
    with whole_file("Save", tmp_path / "numbers") as file:
        file.write(b"12")
        file.seek(0)
        assert file.read() == b"12"


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "none" / "numbers"
    with (
        pytest.raises(FileNotFoundError, match=r"Save: the folder of .* but is not\. Make it fir"),
        whole_file("Save", path),
    ):
        pass


def test_the_checksum_is_that_of_the_content(tmp_path):
    (tmp_path / "numbers").write_bytes(b"12")
    assert sha256_of(tmp_path / "numbers") == hashlib.sha256(b"12").hexdigest()
