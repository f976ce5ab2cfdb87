import hashlib
from collections import Counter

import pytest

from tgraph_attn.datasets._programs.program import Program
from tgraph_attn.datasets._programs.read_programs import (
    ARCHIVE,
    program_files,
    read_archive,
    read_folder,
)


def test_the_archive_has_53_000_programs_in_order(data_folder):
    folder = data_folder / "poj104"
    content = (folder / ARCHIVE.name).read_bytes()
    assert (len(content), hashlib.sha256(content).hexdigest()) == (ARCHIVE.size, ARCHIVE.sha256)
    programs = read_archive(folder)
    counts = Counter(program.label for program in programs)
    assert list(counts) == [str(number) for number in range(1, 105)]
    assert {counts["65"], counts["81"]} == {1000} and counts.total() == 53_000
    assert [program.name for program in programs[:3]] == ["2", "3", "8"]
    assert b"main" in programs[0].source


def test_another_archive_is_refused(tmp_path):
    (tmp_path / "programs.tar.gz").write_bytes(b"no archive")
    with pytest.raises(ValueError, match=r"POJ104: .* must be the published file .* 10 bytes"):
        read_archive(tmp_path)


def test_a_folder_has_a_sub_folder_for_each_class(tmp_path):
    for name in ("sum/2.c", "sum/10.c", "sort é/a b.c", ".git/x.c", "sum/.hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "README.md").write_text("not a program")
    files = program_files(tmp_path, tmp_path / "root")
    assert files == ["sort é/a b.c", "sum/10.c", "sum/2.c"]
    assert read_folder(tmp_path, files)[0] == Program("sort é", "a b.c", "sort é/a b.c".encode())


def test_a_folder_of_one_class_is_refused(tmp_path):
    (tmp_path / "sum").mkdir()
    (tmp_path / "sum" / "1.c").write_text("int a;")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"must have two sub-folders .* has \['sum'\]"):
        program_files(tmp_path, tmp_path / "root")


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must have two sub-folders .* has \[\]\. Put each"):
        program_files(tmp_path, tmp_path / "root")


def test_a_class_without_a_file_of_its_own_is_refused(tmp_path):
    for name in ("sum/1.c", "sort/1.c", "search/more/1.c"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(name)
    with pytest.raises(ValueError, match=r"but \['search'\] have no file\. Put their programs"):
        program_files(tmp_path, tmp_path / "root")


def test_root_is_no_class_and_not_the_folder_itself(tmp_path):
    for name in ("sum/1.c", "sort/1.c", "root/settings.json"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(name)
    files = ["sort/1.c", "sum/1.c"]
    assert program_files(tmp_path, tmp_path / "sum" / ".." / "root") == files
    with pytest.raises(ValueError, match=r"root must be another folder than source, .* Pass"):
        program_files(tmp_path, tmp_path / "sum" / "..")


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere is not there"):
        program_files(tmp_path / "nowhere", tmp_path)
