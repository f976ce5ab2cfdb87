import pytest

from tgraph_attn.datasets import POJ104, write_toy_programs
from tgraph_attn.datasets._programs.toy_programs import TASKS, toy_program


def test_each_task_has_a_folder_with_as_many_programs(tmp_path):
    folder = write_toy_programs(tmp_path / "some" / "fôlder", 3)
    assert folder == tmp_path / "some" / "fôlder"
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert files == sorted(f"{task}/{number}.cpp" for task in TASKS for number in range(3))
    text = (folder / "sort" / "2.cpp").read_bytes().decode("ascii")
    assert text == toy_program("sort", "0 sort 2")


def test_written_again_they_are_the_same_and_another_seed_draws_others(tmp_path):
    def texts(name, seed):
        files = write_toy_programs(tmp_path / name, 2, seed=seed).rglob("*.cpp")
        return [path.read_text() for path in sorted(files)]

    first = texts("a", 0)
    assert texts("a", 0) == texts("b", 0) == first != texts("c", 1)


def test_a_folder_with_other_files_is_refused_and_stays(tmp_path):
    write_toy_programs(tmp_path, 2)
    for programs, seed in ((1, 0), (2, 1)):
        before = {path: path.read_bytes() for path in tmp_path.rglob("*.cpp")}
        if seed:
            (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(ValueError, match=r"write_toy_programs: .* must be new, or hold what"):
            write_toy_programs(tmp_path, programs, seed=seed)
        assert {path: path.read_bytes() for path in tmp_path.rglob("*.cpp")} == before


@pytest.mark.parametrize(("arguments", "message"), [((0,), "programs"), ((1.5,), "programs")])
def test_other_numbers_of_programs_are_refused(tmp_path, arguments, message):
    with pytest.raises((ValueError, TypeError), match=rf"write_toy_programs: {message} must be"):
        write_toy_programs(tmp_path, *arguments)


def test_they_are_a_folder_for_the_data_set(tmp_path):
    pytest.importorskip("tree_sitter_cpp")
    source = write_toy_programs(tmp_path / "programs", 5)
    data = POJ104(tmp_path, source=source, log=False)
    assert data.classes == list(TASKS) and len(data) == 24
    assert data.report["dropped"] == {"empty": 0, "duplicate": 0}
    assert data.report["with syntax errors"] == 0
