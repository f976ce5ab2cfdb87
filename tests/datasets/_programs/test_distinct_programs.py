from collections import Counter

from tgraph_attn.datasets._programs.distinct_programs import distinct_programs
from tgraph_attn.datasets._programs.program import Program
from tgraph_attn.datasets._programs.read_programs import read_archive
from tgraph_attn.datasets._programs.split_programs import SPLITS, split_by_class, split_by_program


def test_the_first_of_several_copies_stays_in_its_place():
    sources = [b"x", b"y", b"x", b"", b"y", b"", b"z"]
    programs = [Program("ab"[n // 4], str(n), source) for n, source in enumerate(sources)]
    assert [program.origin for program in distinct_programs(programs)] == [
        "a/0",
        "a/1",
        "a/3",
        "b/6",
    ]
    assert distinct_programs([]) == []


def test_the_real_archive_has_the_classes_and_splits_that_the_card_says(data_folder):
    kept = distinct_programs(read_archive(data_folder / "poj104"))
    assert len(kept) == 51_995 and all(program.source.strip() for program in kept)
    sizes = Counter(Counter(program.label for program in kept).values())
    assert sizes == {500: 103, 495: 1}
    assert list(dict.fromkeys(program.label for program in kept)) == [
        str(number) for number in range(1, 105)
    ]
    by_program, by_class = split_by_program(kept, 0), split_by_class(kept)
    assert [len(by_program[s]) for s in SPLITS] == [31_197, 10_399, 10_399]
    assert [len(by_class[s]) for s in SPLITS] == [31_995, 8_000, 12_000]
