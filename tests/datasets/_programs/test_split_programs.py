from collections import Counter

from tgraph_attn.datasets._programs.program import Program
from tgraph_attn.datasets._programs.split_programs import split_by_class, split_by_program

PROGRAMS = [Program(str(c), str(n), b"") for c in range(1, 105) for n in range(10)]


def test_each_class_is_dealt_out_60_20_20():
    splits = split_by_program(PROGRAMS, seed=0)
    counts = {split: Counter(p.label for p in programs) for split, programs in splits.items()}
    assert {split: set(count.values()) for split, count in counts.items()} == {
        "train": {6}, "val": {2}, "test": {2},
    }  # fmt: skip
    everyone = [program for programs in splits.values() for program in programs]
    assert len(everyone) == len(set(everyone)) == len(PROGRAMS)


def test_a_program_stays_where_it_is_when_other_classes_change():
    some = [program for program in PROGRAMS if int(program.label) < 50]
    whole, part = split_by_program(PROGRAMS, seed=1), split_by_program(some, seed=1)
    assert set(part["test"]) == {p for p in whole["test"] if int(p.label) < 50}
    assert split_by_program(PROGRAMS, seed=2)["test"] != whole["test"]


def test_classes_of_the_published_split():
    splits = split_by_class(PROGRAMS)
    places = {split: sorted({int(p.label) for p in found}) for split, found in splits.items()}
    assert places == {
        "train": list(range(1, 65)), "val": list(range(65, 81)), "test": list(range(81, 105)),
    }  # fmt: skip
