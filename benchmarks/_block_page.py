"""The page of attention between blocks, from the kept measurements."""

from pathlib import Path
from typing import Any

from _cells import PAGES, table, write_page

TITLES = {
    "blocks": "in blocks",
    "sdpa": 'full, "sdpa"',
    "eager": 'full, "eager"',
}

Measured = dict[str, Any]  # machine, and rows


def render(measured: Measured, folder: Path = PAGES) -> None:
    """Write the page to a folder."""
    by_kind: dict[str, list[Measured]] = {"time": [], "memory": [], "pattern": []}
    for row in measured["rows"]:
        by_kind[row["what"]].append(row)
    text = [
        _HEAD,
        *_times(by_kind["time"]),
        "",
        _MEMORY,
        *_memory(by_kind["memory"]),
        "",
        _PATTERN.format(**by_kind["pattern"][0]),
        _MACHINE.format(**measured["machine"]),
    ]
    write_page(folder, "block_attention", text)


def _times(rows: list[Measured]) -> list[str]:
    of_way = {
        way: {row["tokens"]: row for row in rows if row["way"] == way} for way in ("blocks", "sdpa")
    }
    found = []
    for tokens, row in of_way["blocks"].items():
        full = of_way["sdpa"].get(tokens)
        other = [f"{full['median_ms']:,.0f}"] if full else [""]
        ratio = [f"{full['median_ms'] / row['median_ms']:.2f}"] if full else [""]
        each = f"{1000 * row['median_ms'] / tokens:.0f}"
        ours = f"{row['median_ms']:,.0f}"
        found.append([f"{tokens:,}", f"{row['pairs']:,}", ours, *other, *ratio, each])
    return table(
        ["tokens", "pairs of blocks", "in blocks, ms", "full, ms", "times as fast", "µs a token"],
        found,
    )


def _memory(rows: list[Measured]) -> list[str]:
    most = {row["way"]: row["peak_mib"] for row in rows}
    return table(
        ["attention", "peak, MiB", 'less than "eager"', 'less than "sdpa"'],
        [
            [
                TITLES[way],
                f"{peak:,}",
                *(f"{1 - peak / most[other]:.0%}" for other in ("eager", "sdpa")),
            ]
            for way, peak in most.items()
        ],
    )


_HEAD = """# Attention between blocks of tokens

SASA lets each block of 32 tokens see a window of three, the first and the last block, and those
that it has most to do with. Made by `benchmarks/bench_block_attention.py`.

## Time

The attention of one layer, forward and backward, 12 heads of 64 channels, float32; median of
repeats in turns. Full attention is torch's `scaled_dot_product_attention`.
"""
_MEMORY = """## Memory

One step of training of a model of CodeBERT's size, 12 layers of 768 channels, on two texts of 1,024
tokens, weights and AdamW's moments included; the peak of a fresh process.
"""
_PATTERN = """## Patterns

The pattern of a program of {tokens:,} tokens, {pairs:,} pairs of blocks, takes {median_ms:.1f} ms
(median), its tree and tokens given: window, first and last block, three by counts of pairs of words
and three by its tree.
"""
_MACHINE = """## Machine

{processor}, {cores} cores, {threads} thread(s), Python {python}, torch {torch}, transformers
{transformers}; {date}. Others ran on the same cores: ratios count.
"""
