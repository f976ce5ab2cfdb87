"""Time the edges of each relation on the standard library's syntax trees, and how they grow.

    python benchmarks/bench_relations.py --json benchmarks/results/relations.json

The baseline jumps from parents to their parents in numpy, and sorts at the end. Both must give the
same edges before either is timed. Corpora: each file is one tree; the files of about 20,000 nodes
are one batch; each function is one tree, cut at 200 nodes (the path-level relation of a whole file
would have hundreds of millions of edges). Then forests of growing size, with the exponent of the
time, and the shapes that are hard for other ways of doing it. Test folders are left out.
"""

import math
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _timing import parser, summary, times_ms, write
from numpy.typing import NDArray

from tgraph_attn.parse import parse_code
from tgraph_attn.relations import ancestor_edges, path_level_edges, sibling_edges
from tgraph_attn.tree import Tree

P = 7
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "dist-packages"}
Parents = NDArray[np.int64]
Edges = tuple[NDArray[np.int64], NDArray[np.int64]]


def both_ways(key: Parents, query: Parents, distance: Parents, num_nodes: int) -> Edges:
    """Return pairs at a distance, their reverse and the self edges, sorted by query, then key."""
    nodes = np.arange(num_nodes)
    edge_index = np.stack([np.r_[key, query, nodes], np.r_[query, key, nodes]])
    edge_type = np.r_[P - distance, P + distance, np.full(num_nodes, P)]
    order = np.lexsort(edge_index)
    return edge_index[:, order], edge_type[order]


def ancestors_by_jumps(parent: Parents) -> Edges:
    """The baseline for ancestors: P times one level up, from all nodes at once."""
    query, key, pairs = np.arange(len(parent)), parent, []
    for distance in range(1, P + 1):
        query, key = query[key >= 0], key[key >= 0]
        pairs.append((key, query, np.full(len(key), distance)))
        key = parent[key]
    return both_ways(*map(np.concatenate, zip(*pairs, strict=True)), len(parent))


def siblings_by_shifts(parent: Parents) -> Edges:
    """The baseline for siblings: the children sorted by parent, against themselves shifted."""
    child = np.argsort(parent, kind="stable")
    child, pairs = child[parent[child] >= 0], []
    for distance in range(1, P + 1):
        key, query = child[:-distance], child[distance:]
        same = parent[key] == parent[query]
        pairs.append((key[same], query[same], np.full(int(same.sum()), distance)))
    return both_ways(*map(np.concatenate, zip(*pairs, strict=True)), len(parent))


def read_trees(limit: int | None) -> list[Tree]:
    """Return the syntax tree of each file of the standard library."""
    root = Path(sysconfig.get_path("stdlib"))
    trees = []
    for path in sorted(root.rglob("*.py"))[:limit]:
        if LEFT_OUT.isdisjoint(path.relative_to(root).parts):
            try:
                trees.append(parse_code(path.read_bytes().decode("utf-8"), "python"))
            except UnicodeDecodeError:
                continue
    return trees


def functions(trees: list[Tree]) -> list[Parents]:
    """Return the parents in the first 200 nodes of each function."""
    return [
        tree.subtree(row).truncate(200).parent
        for tree in trees
        for row in np.flatnonzero(tree.kind == "function_definition").tolist()
    ]


def joined(parents: list[Parents], num_nodes: int) -> list[Parents]:
    """Return forests of the trees, one after the other, of at least num_nodes nodes each."""
    forests, pieces, size = [], [], 0
    for parent in parents:
        pieces.append(np.where(parent < 0, -1, parent + size))
        size += len(parent)
        if size >= num_nodes:
            forests.append(np.concatenate(pieces))
            pieces, size = [], 0
    return forests


def check(parents: list[Parents]) -> None:
    """Fail unless the edges are those of the baselines, and paths those found by climbing."""
    for parent in parents:
        for got, want in (
            (ancestor_edges(parent, P), ancestors_by_jumps(parent)),
            (sibling_edges(parent, P), siblings_by_shifts(parent)),
        ):
            assert all(np.array_equal(a, b) for a, b in zip(got, want, strict=True))
    parent = min(parents, key=lambda p: abs(len(p) - 300))
    lines = [{i} for i in range(len(parent))]
    for i in range(1, len(parent)):
        lines[i] |= lines[parent[i]]
    edge_index, edge_type = path_level_edges(parent, 9)
    near = sum(len(a ^ b) <= 9 for a in lines for b in lines)
    assert edge_index.shape[1] == near
    for (j, i), kind in zip(edge_index.T.tolist(), edge_type.tolist(), strict=True):
        path = len(lines[i] ^ lines[j]) * (1 if j > i else -1)
        assert kind == (path + 9) * 19 + len(lines[j]) - len(lines[i]) + 9


def hard_shapes(size: int) -> dict[str, Parents]:
    """Return trees in which some way of finding edges would take quadratic time."""
    spine = np.arange(0, size - 1, 2)
    return {
        "chain": np.arange(-1, size - 1),
        "star": np.append(-1, np.zeros(size - 1, np.int64)),
        "chain, each with a leaf before": np.append(-1, np.stack([spine, spine], 1).ravel()),
        "chain, each with a leaf after": np.r_[
            -1, np.arange(size // 2), np.arange(size // 2, 0, -1)
        ],
    }


def main() -> None:
    """Check, then time each relation on each corpus, the growth, and the hard shapes."""
    arguments = parser(__doc__)
    arguments.add_argument("--files", type=int, help="only the first so many files")
    args = arguments.parse_args()
    trees = read_trees(args.files)
    files = [tree.parent for tree in trees]
    check(files[::25])
    rows: list[dict[str, Any]] = []

    def measure(
        corpus: str, parents: list[Parents], ways: dict[str, Callable[..., Edges]]
    ) -> float:
        def each(way: Callable[..., Edges]) -> Callable[[], int]:
            return lambda: sum(way(parent)[1].size for parent in parents)

        nodes, total_ms, total_edges = sum(map(len, parents)), 0.0, 0
        taken = times_ms({name: each(way) for name, way in ways.items()}, args.repeats)
        for name, times in taken.items():
            edges = each(ways[name])()
            if name in ("ancestor", "sibling"):
                total_ms, total_edges = total_ms + min(times), total_edges + edges
            rows.append(
                {"corpus": corpus, "relation": name, "trees": len(parents), "nodes": nodes}
                | {"edges": edges, **summary(times), "edges_per_s": round(edges / min(times) * 1e3)}
            )
            show(rows[-1])
        if total_edges:
            both = {"corpus": corpus, "relation": "ancestor + sibling", "trees": len(parents)}
            both |= {"nodes": nodes, "edges": total_edges, "min_ms": round(total_ms, 3)}
            rows.append(both | {"edges_per_s": round(total_edges / total_ms * 1e3)})
            show(rows[-1])
        return total_ms

    near = {
        "ancestor": lambda parent: ancestor_edges(parent, P),
        "sibling": lambda parent: sibling_edges(parent, P),
    }
    slow = {
        "ancestor (baseline)": ancestors_by_jumps,
        "sibling (baseline)": siblings_by_shifts,
    }
    path = {
        "path_level, max_path=19": lambda parent: path_level_edges(parent, 19),
        "path_level, max_path=19, max_level=2": lambda parent: path_level_edges(parent, 19, 2),
    }
    measure("files", files, near | slow)
    measure("batches of 20,000 nodes", joined(files, 20_000), near | slow)
    measure("functions", functions(trees), near | path)
    sizes = [10**k for k in (3, 4, 5, 6) if 10**k <= sum(map(len, files))]
    grown = [measure(f"forest of {n:,} nodes", joined(files, n)[:1], near) for n in sizes]
    if len(sizes) > 1:
        exponent = float(np.polyfit([math.log(n) for n in sizes], np.log(grown), 1)[0])
        rows.append({"corpus": "forests", "exponent_of_time": round(exponent, 3)})
        print(f"# time grows with nodes to the power of {exponent:.2f}")
    for name, parent in hard_shapes(100_000).items():
        ways = near if name == "star" else near | {"path_level, max_path=19": path_level_edges}
        measure(name, [parent], ways)
    write(rows, args.json)


def show(row: dict[str, Any]) -> None:
    """Print one row."""
    print(
        f"{row['corpus']:>30} {row['relation']:>36} {row['edges']:>12,} edges  "
        f"min {row['min_ms']:>10,.2f} ms {row['edges_per_s'] / 1e6:>7,.1f} million edges/s"
    )


if __name__ == "__main__":
    main()
