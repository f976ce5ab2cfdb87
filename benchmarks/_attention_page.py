"""The page of the ways to attend along the edges of trees, from the kept measurements."""

import math
from pathlib import Path
from typing import Any

from _cells import PAGES, table, write_page

TITLES = {
    "mask": "Mask (`dense`)",
    "loop": "Loop",
    "sparse": "Sparse (`sparse`)",
    "gather": "GC (`gather`)",
    "decomposed": "GDC (`decomposed`)",
    "fused": "`fused`",
}

Measured = dict[str, Any]  # machine, and rows


def render(ways: Measured, share: Measured, folder: Path = PAGES) -> None:
    """Write the page to a folder."""
    rows = {(row["way"], row["nodes"]): row for row in ways["rows"]}
    sizes = sorted({nodes for _, nodes in rows})
    text = [
        _HEAD,
        *_edges(rows, sizes),
        "",
        _TIME,
        *_table(rows, sizes, "median_ms", 2),
        "",
        *_facts(rows, sizes),
        "",
        _MEMORY,
        *_table(rows, sizes, "peak_mib", 1),
        "",
        _SHARE.format(**share["rows"][0]),
        *_shares(share["rows"]),
        "",
        _MACHINE.format(**ways["machine"], share=share["machine"]),
    ]
    write_page(folder, "attention", text)


def _edges(rows: dict[tuple[str, int], Measured], sizes: list[int]) -> list[str]:
    found = [
        [f"{name} edges", *(f"{rows['fused', n][f'{name}_edges']:,}" for n in sizes)]
        for name in ("ancestor", "sibling")
    ]
    return table(["nodes", *(f"{n:,}" for n in sizes)], found)


def _table(
    rows: dict[tuple[str, int], Measured], sizes: list[int], name: str, digits: int
) -> list[str]:
    found = []
    for way, title in TITLES.items():
        values = [rows.get((way, n), {}).get(name) for n in sizes]
        if any(value is not None for value in values):
            cells = ["" if value is None else f"{value:,.{digits}f}" for value in values]
            found.append([title, *cells])
    return table(["nodes", *(f"{n:,}" for n in sizes)], found)


def _facts(rows: dict[tuple[str, int], Measured], sizes: list[int]) -> list[str]:
    """Return who is first where, and how time grows, as the numbers of this run say."""
    lines = []
    for n in sizes:
        there = [way for way in TITLES if (way, n) in rows]
        order = sorted(there, key=lambda way: rows[way, n]["median_ms"])
        lines.append(f"- {n:,} nodes, quickest first: {', '.join(order)}")
    for way in TITLES:
        of_way = [n for n in sizes if (way, n) in rows and n >= 500]
        if len(of_way) > 1:
            first, last = of_way[0], of_way[-1]
            ratio = rows[way, last]["median_ms"] / rows[way, first]["median_ms"]
            power = math.log(ratio) / math.log(last / first)
            lines.append(
                f"- {way}, from {first:,} to {last:,} nodes: time grows with nodes to the power of "
                f"{power:.2f}"
            )
    return lines


def _shares(rows: list[Measured]) -> list[str]:
    head = ["way", "the whole epoch, s", "attention, s", "share", "by GC"]
    [most] = [row["attention_s"] for row in rows if row["way"] == "gather"]
    found = [
        [
            TITLES[row["way"]],
            f"{row['epoch_s']:,.0f}",
            f"{row['attention_s']:,.1f}",
            f"{row['attention_s'] / row['epoch_s']:.1%}",
            f"{row['attention_s'] / most:.2f}",
        ]
        for row in rows
    ]
    return table(head, found)


_HEAD = """# Attention along the edges of a tree, in six ways

AST-Trans' paper compares five ways to compute its attention. All five are here and give the same
numbers, gradients too: Mask computes all pairs and masks; Loop goes from query to query; Sparse
gives sparse matrices to a library; GC gathers keys and queries to the edges; GDC does so type by
type, which is a quarter of the gathering: the paper's own choice. The sixth, `fused`, is what
`edge_attention` takes by itself on a processor. Made by `benchmarks/bench_attention_ways.py`, the
last table by `benchmarks/bench_attention_share.py`.

One pass is what a layer of AST-Trans does on one syntax tree, forward and backward, float32: one
head on ancestor edges and seven on sibling edges, distances up to 7, 32 channels, with key, query
and value tables. Trees are the first nodes of files of Python's standard library:
"""
_TIME = """## Time

Milliseconds a pass, median of repeats in turns; Mask and Loop stop at 2,000 nodes.
"""
_MEMORY = """## Memory

MiB at the peak of a fresh process above its inputs. Below 1 MiB it says little.
"""
_SHARE = """## Share of an epoch

One epoch of AST-Trans in the published size (4 layers, 256 channels, 8 heads, 2,048 hidden) on the
validation file of TL-CodeSum, {functions:,} Java methods of at most 200 nodes, 32 a batch. Both
ways are called with the same numbers at the same moments; attention is `edge_attention`, dropout of
weights included. The first batch is not counted.
"""
_MACHINE = """## Machine

{processor}, {cores} cores, {threads} thread(s), Python {python}, torch {torch}, torch-geometric
{torch-geometric}, torch-scatter {torch-scatter}, torch-sparse {torch-sparse}, numba {numba};
{date}. The share: {share[threads]} thread(s), {share[date]}. Others ran on the same cores: ratios
count.
"""
