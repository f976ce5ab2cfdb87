"""Cells of the tables of long experiments, from their kept lines."""

import statistics
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scipy.stats import ttest_ind

PAGES = Path(__file__).parents[1] / "docs/pages/results"

Line = dict[str, Any]


def write_page(folder: Path, name: str, lines: list[str]) -> None:
    """Write a page to a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def mean_cell(lines: list[Line], name: str) -> str:
    """Return mean and standard deviation of fractions over seeds, in per cent, and how many."""
    values = [100 * line[name] for line in lines if line.get(name) is not None]
    if len(values) < 2:
        return f"{values[0]:.2f} (1)" if values else ""
    return f"{statistics.mean(values):.2f} ± {statistics.stdev(values):.2f} ({len(values)})"


def median_cell(lines: list[Line], name: str) -> str:
    """Return the median of a number over seeds."""
    values = [line[name] for line in lines if name in line]
    return f"{statistics.median(values):.0f}" if values else "-"


def gap_cell(one: list[Line], other: list[Line], name: str, least: int) -> str:
    """Return how far fractions of one row are ahead of another's, in points, with Welch's p.

    There is no cell for fewer seeds than the least, and no p where no number varies.
    """
    values = [
        [100 * line[name] for line in lines if line[name] is not None] for lines in (one, other)
    ]
    if min(map(len, values)) < least:
        return ""
    gap = statistics.mean(values[0]) - statistics.mean(values[1])
    if all(len({*of_row}) == 1 for of_row in values):
        return f"{gap:+.2f}"
    return f"{gap:+.2f} (p = {ttest_ind(*values, equal_var=False).pvalue:.2g})"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table, whose first column holds words and all others numbers."""
    rule = "|---|" + "---:|" * (len(head) - 1)
    return [f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)]


def trials_table(
    trials: list[Line],
    given: Callable[[Line], tuple[str, dict[str, Any], str]],
    name: str,
) -> list[str]:
    """Return a table of trials: what each changed in its row's settings, and how it validates.

    given tells the title and the settings of a line's row in the table, and where it was run.
    """
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for line in trials:
        title, settings, where = given(line)
        changes = ", ".join(
            f"{name}={line['settings'].get(name)}"
            for name in sorted({*settings, *line["settings"]})
            if settings.get(name) != line["settings"].get(name)
        )
        found[title, changes or "as in the table", where].append(100 * line[name])
    table = ["| row | what differs | where | validation (seeds) |", "|---|---|---|---:|"]
    for key, values in found.items():
        table.append(f"| {' | '.join(key)} | {statistics.mean(values):.2f} ({len(values)}) |")
    return table
