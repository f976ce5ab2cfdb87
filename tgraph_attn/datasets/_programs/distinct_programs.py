"""Programs without copies."""

from collections.abc import Iterable

from tgraph_attn.datasets._programs.program import Program


def distinct_programs(programs: Iterable[Program]) -> list[Program]:
    """Return the programs without copies of an earlier one, byte by byte, in their order."""
    kept: dict[bytes, Program] = {}
    for program in programs:
        kept.setdefault(program.source, program)
    return list(kept.values())
