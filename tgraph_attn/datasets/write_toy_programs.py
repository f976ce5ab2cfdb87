"""A folder of programs to try things on."""

import os
from pathlib import Path

from tgraph_attn._checks import check_positive, check_type
from tgraph_attn.datasets._programs.toy_programs import TASKS, toy_program


def write_toy_programs(
    folder: str | os.PathLike[str], programs: int = 40, *, seed: int = 0
) -> Path:
    """Write short programs in C++ for eight tasks, with a sub-folder for each task.

    They are a folder for `POJ104(root, source=folder)` where none is at hand. Names, loops, ways of
    reading and printing are drawn anew for each program, so that little of it tells the task. Two
    pairs of tasks show what a model sees: "multiples_of_3" and "multiples_of_7" differ in a number
    alone, which is left out of structure; "sum_of_maxima" and "maximum_of_sums" have the same
    statements, in one loop or the other.

    Args:
        folder: Where to; made if it is not there.
        programs: How many for each task.
        seed: Another number draws others.

    Returns:
        The folder.

    Raises:
        ValueError: programs is below 1, or the folder holds something else.

    Examples:
        >>> import tempfile
        >>> from tgraph_attn.datasets import write_toy_programs
        >>> folder = write_toy_programs(tempfile.mkdtemp(), 2)
        >>> [path.name for path in sorted((folder / "gcd").iterdir())]
        ['0.cpp', '1.cpp']
    """
    owner = "write_toy_programs"
    check_positive(owner, programs=programs)
    check_type(owner, "seed", seed, int, "Pass 0, for example.")
    folder = Path(folder)
    texts = {
        folder / task / f"{number}.cpp": toy_program(task, f"{seed} {task} {number}")
        for task in TASKS
        for number in range(programs)
    }
    other = sorted(path for path in folder.rglob("*") if path.is_file() and path not in texts)
    if other:
        raise ValueError(
            f"{owner}: {folder} must be new, or hold what this call writes, but has {other[0]}. "
            "Pass another folder."
        )
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("ascii"))
    return folder
