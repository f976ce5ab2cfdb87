"""Which program belongs to which part of a data set."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from tgraph_attn.datasets._programs.program import Program

SPLITS = ("train", "val", "test")
# The classes of the published split for retrieval: none of test is in train or val.
_LAST = {"train": 64, "val": 80, "test": 104}


def split_by_program(programs: Sequence[Program], seed: int) -> dict[str, list[Program]]:
    """Return the programs of each split: of every class 60 of a hundred, 20 and 20.

    How they are dealt out depends on their names and the seed only, not on the version of a random
    generator.
    """

    def draw(program: Program) -> bytes:
        name = f"{seed} {program.origin}".encode("utf-8", "surrogateescape")
        return hashlib.sha256(name).digest()

    classes: dict[str, list[Program]] = defaultdict(list)
    for program in programs:
        classes[program.label].append(program)
    splits: dict[str, list[Program]] = {split: [] for split in SPLITS}
    for members in classes.values():
        order = sorted(members, key=draw)
        fifth = (len(order) + 2) // 5
        place = {
            "val": order[:fifth],
            "test": order[fifth : 2 * fifth],
            "train": order[2 * fifth :],
        }
        for split in SPLITS:
            chosen = set(place[split])
            splits[split] += [program for program in members if program in chosen]
    return splits


def split_by_class(programs: Sequence[Program]) -> dict[str, list[Program]]:
    """Return the programs of each split of CodeXGLUE: classes 1 to 64, to 80, and to 104."""
    splits: dict[str, list[Program]] = {split: [] for split in SPLITS}
    for program in programs:
        number = int(program.label)
        splits[next(split for split in SPLITS if number <= _LAST[split])].append(program)
    return splits
