"""Time source text to Data with edges, on the standard library's own files, in one process.

    python benchmarks/bench_parse.py --json benchmarks/results/parse.json

Each step contains those above it: parse, then tree_to_data, then ancestor and sibling edges
(P = 7). Nodes are those of the trees, with the words of identifiers. The baseline does what a
reader of tree-sitter's manual writes first: it walks the named nodes one by one, and keeps type,
text and parent; checked to be the same trees before anything is timed. Test folders are left out.
Then single hard files: one row each.
"""

import gc
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _timing import parser, peak_mib, summary, times_ms, write

from tgraph_attn.convert import tree_to_data
from tgraph_attn.parse import parse_code
from tgraph_attn.parse._code.grammars import get_language, get_parser
from tgraph_attn.relations import ancestor_edges, sibling_edges
from tgraph_attn.tree import Tree

P = 7
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "dist-packages"}
HARD = {
    "20,000 nested brackets": "x = " + "[" * 20_000 + "]" * 20_000,
    "20,000 brackets never closed": "x = " + "[" * 20_000,
    "100,000 siblings": "x = [" + ",".join(["1"] * 100_000) + "]",
    "50,000 operands of one comparison": "x = " + " < ".join(["a"] * 50_000),
    "chain of 50,000 additions": "x = " + " + ".join(["a"] * 50_000),
    "100,000 statements": "x = 1\n" * 100_000,
}


def sources(limit: int | None) -> list[str]:
    """Return the text of the standard library's files that are UTF-8."""
    root = Path(sysconfig.get_path("stdlib"))
    texts = []
    for path in sorted(root.rglob("*.py")):
        if LEFT_OUT.isdisjoint(path.relative_to(root).parts):
            try:
                texts.append(path.read_bytes().decode("utf-8"))
            except UnicodeDecodeError:
                continue
    return texts[:limit]


def naive(text: str) -> list[tuple[str, bytes | None, int]]:
    """The baseline: type, text and parent of each named node, one attribute at a time."""
    rows: list[tuple[str, bytes | None, int]] = []
    root = get_parser(get_language("python")).parse(text.encode()).root_node
    stack = [(root, -1)]
    while stack:
        node, parent = stack.pop()
        if node.type != "comment" and node.type != "line_continuation":
            rows.append((node.type, None if node.child_count else node.text, parent))
            row = len(rows) - 1
            stack += [(child, row) for child in reversed(node.named_children)]
    return rows


def edges(tree: Tree) -> object:
    """Return the Data and the edges of one tree."""
    return (
        tree_to_data(tree),
        ancestor_edges(tree.parent, P),
        sibling_edges(tree.parent, P),
    )


def check(texts: list[str]) -> None:
    """Fail unless our trees are the baseline's."""
    for text in texts:
        tree = parse_code(text, "python", subtokens="off", strings="keep")
        rows = naive(text)
        assert tree.parent.tolist() == [row[2] for row in rows]
        assert tree.kind.tolist() == [row[0] for row in rows]


def main() -> None:
    """Check, then time each step, then the hard files."""
    arguments = parser(__doc__)
    arguments.add_argument("--files", type=int, help="only the first so many files")
    args = arguments.parse_args()
    texts = sources(args.files)
    check(texts[::20])
    trees = [parse_code(text, "python") for text in texts]
    num_nodes = sum(tree.num_nodes for tree in trees)
    num_named = sum(len(naive(text)) for text in texts)
    del trees
    gc.collect()
    print(f"# {len(texts)} files, {sum(map(len, texts)):,} characters, {num_nodes:,} nodes")

    def each(step: Callable[[str], object]) -> Callable[[], None]:
        def run() -> None:
            for text in texts:
                step(text)

        return run

    steps: dict[str, Callable[[str], object]] = {
        "node by node (baseline)": naive,
        "parse": lambda text: parse_code(text, "python"),
        "parse + data": lambda text: tree_to_data(parse_code(text, "python")),
        "parse + data + edges": lambda text: edges(parse_code(text, "python")),
    }
    rows: list[dict[str, Any]] = []
    taken = times_ms({name: each(step) for name, step in steps.items()}, args.repeats)
    for name, times in taken.items():
        nodes = num_named if name.endswith("(baseline)") else num_nodes
        row = {"step": name, "files": len(texts), "nodes": nodes, **summary(times)}
        row["nodes_per_s"] = round(nodes / min(times) * 1e3)
        row["median_nodes_per_s"] = round(nodes / row["median_ms"] * 1e3)
        rows.append(row)
        print(
            f"{name:>34} {nodes:>10,} nodes  min {row['min_ms']:>9,.0f} ms  "
            f"median {row['median_ms']:>9,.0f} ms {row['nodes_per_s']:>10,} nodes/s"
        )
    for name, text in HARD.items():
        step = {name: lambda text=text: edges(parse_code(text, "python"))}
        times = times_ms(step, args.repeats)[name]
        nodes = parse_code(text, "python").num_nodes
        rows.append({"step": name, "files": 1, "nodes": nodes, **summary(times)})
        print(f"{name:>34} {nodes:>10,} nodes  min {min(times):>9,.0f} ms")
    rows.append({"step": "all of the above", "peak_mib": round(peak_mib(), 1)})
    print(f"{'peak memory':>34} {peak_mib():>10,.0f} MiB")
    write(rows, args.json)


if __name__ == "__main__":
    main()
