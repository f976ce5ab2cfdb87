"""Time AST-Trans' five ways of attention on trees, and the fused one, against the tree's size.

    python benchmarks/bench_attention_ways.py --json benchmarks/results/attention_ways.json
    python benchmarks/bench_attention_ways.py --render

One pass is what a layer of AST-Trans does on one syntax tree, forward and backward, float32: one
head on ancestor edges and seven on sibling edges, P = 7, 32 channels, key, query and value tables.
A tree of n nodes is the first n of the smallest file of the standard library that has so many.

The paper's ways are backends of `edge_attention`: Mask ("dense"), Sparse ("sparse"), GC ("gather"),
GDC ("decomposed"). Loop is here: a Python loop over the queries, each against the keys of its own
edges only. Mask and Loop stop at 2,000 nodes. All ways are checked against the reference, gradients
too, before any is timed. Peak memory is that of a fresh process above what it held when the inputs
were made; below 1 MiB it says little. `--render` writes docs/pages/results/attention.md, of these
rows and those of `bench_attention_share.py`.
"""

import json
import math
import sysconfig
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from _kept_rows import RESULTS
from _timing import (
    forget_peak,
    memory_of,
    parser,
    peak_mib,
    resident_mib,
    summary,
    times_ms,
    write,
)
from torch import Tensor

from tgraph_attn._optional import is_available
from tgraph_attn.ops import edge_attention
from tgraph_attn.parse import parse_code
from tgraph_attn.relations import ancestor_edges, sibling_edges
from tgraph_attn.tree import Tree

P, C = 7, 32
RELATIONS = {"ancestor": (1, ancestor_edges), "sibling": (7, sibling_edges)}  # heads, edges
SIZES = [100, 200, 500, 1000, 2000, 5000, 10_000]
LARGEST = {"mask": 2000, "loop": 2000}
NEEDS = {"sparse": "torch_sparse", "gather": "torch_scatter", "decomposed": "torch_scatter"}
Way = Callable[..., Tensor]
Inputs = dict[str, dict[str, Tensor]]


def real_tree(num_nodes: int) -> Tree:
    """Return the first nodes of a syntax tree of the standard library."""
    files = Path(sysconfig.get_paths()["stdlib"]).glob("*.py")
    for path in sorted(files, key=lambda path: (path.stat().st_size, path.name)):
        tree = parse_code(path.read_bytes(), "python")
        if tree.num_nodes >= num_nodes:
            return tree.truncate(num_nodes)
    raise ValueError(f"no file of the standard library has {num_nodes:,} nodes")


def make_inputs(num_nodes: int) -> Inputs:
    """Return queries, keys, values, tables and edges of each relation."""
    torch.manual_seed(0)
    parent, made = real_tree(num_nodes).parent, {}
    for name, (heads, edges) in RELATIONS.items():
        edge_index, edge_type = map(torch.from_numpy, edges(parent, P))
        inputs = {part: torch.randn(num_nodes, heads, C) for part in ("query", "key", "value")}
        inputs |= {f"{part}_table": torch.randn(2 * P + 1, 1, C) for part in list(inputs)}
        inputs = {part: tensor.requires_grad_() for part, tensor in inputs.items()}
        made[name] = {**inputs, "edge_index": edge_index, "edge_type": edge_type}
    return made


def loop(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor,
    key_table: Tensor,
    query_table: Tensor,
    value_table: Tensor,
) -> Tensor:
    """AST-Trans' "Loop": the formula for one query after the other; edges are sorted by query.

    Single rows of keys and values are taken, so that their gradients are rows as well.
    """
    counts = edge_index[1].bincount(minlength=query.size(0)).tolist()
    sources, types = edge_index[0].split(counts), edge_type.split(counts)
    keys, values, outs = key.unbind(), value.unbind(), []
    for q, source, r in zip(query.unbind(), sources, types, strict=True):
        k = torch.stack([keys[j] for j in source.tolist()])  # its edges, H, C
        v = torch.stack([values[j] for j in source.tolist()])
        score = (q * k + q * key_table[r] + query_table[r] * k).sum(-1) / math.sqrt(3 * C)
        outs.append((score.softmax(0).unsqueeze(-1) * (v + value_table[r])).sum(0))
    return torch.stack(outs)


def all_ways() -> dict[str, Way]:
    """Return every way by its name in the paper, ours last."""
    backends = {name: partial(edge_attention, backend=name) for name in (*NEEDS, "fused")}
    ways = {"mask": partial(edge_attention, backend="dense"), "loop": loop, **backends}
    return {name: way for name, way in ways.items() if is_available(NEEDS.get(name, "torch"))}


def forward_backward(way: Way, inputs: Inputs) -> list[Tensor]:
    """Return the outputs and the gradients of both relations."""
    results = []
    for one in inputs.values():
        out = way(**one)
        leaves = [tensor for tensor in one.values() if tensor.requires_grad]
        results += [out.detach(), *torch.autograd.grad(out, leaves, one["query"].detach())]
    return results


def check(ways: dict[str, Way], inputs: Inputs) -> None:
    """Stop unless all ways agree with the reference in float32."""
    expected = forward_backward(partial(edge_attention, backend="reference"), inputs)
    for name, way in ways.items():
        for got, want in zip(forward_backward(way, inputs), expected, strict=True):
            error = float((got - want).abs().max() / want.abs().max())
            assert error < 1e-4, f"{name} differs by {error}"


def measure_memory(way: Way, num_nodes: int) -> None:
    """Print the peak memory of one pass, in MiB above the inputs."""
    forward_backward(way, make_inputs(20))  # compiled, loaded, warm
    inputs = make_inputs(num_nodes)
    forget_peak()
    before = resident_mib()
    forward_backward(way, inputs)
    print(json.dumps(peak_mib() - before))


def main() -> None:
    """Check, then time, all ways on each tree."""
    arguments = parser(__doc__)
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="nodes of the trees")
    arguments.add_argument("--memory-of", help="print the peak memory of one way and stop")
    arguments.add_argument("--nodes", type=int, help="the tree of --memory-of")
    arguments.add_argument("--render", action="store_true", help="only write the page")
    args = arguments.parse_args()
    torch.set_num_threads(args.threads)
    if args.render:
        import _attention_page

        files = [RESULTS / f"attention_{part}.json" for part in ("ways", "share")]
        _attention_page.render(*(json.loads(file.read_text("utf-8")) for file in files))
        return
    if args.memory_of:
        measure_memory(all_ways()[args.memory_of], args.nodes)
        return
    rows = []
    for size in args.sizes:
        ways = {n: way for n, way in all_ways().items() if size <= LARGEST.get(n, size)}
        inputs = make_inputs(size)
        check(ways, inputs)
        edges = {f"{name}_edges": one["edge_type"].numel() for name, one in inputs.items()}
        calls = {name: partial(forward_backward, way, inputs) for name, way in ways.items()}
        for name, taken in times_ms(calls, args.repeats).items():
            peak = round(memory_of(__file__, name, size), 1)
            rows.append({"way": name, "nodes": size, **edges, **summary(taken), "peak_mib": peak})
            print(f"{name:>10} {size:>6,} nodes {rows[-1]['median_ms']:>10.2f} ms {peak:>8.1f} MiB")
    write(rows, args.json, packages=[name.replace("_", "-") for name in {*NEEDS.values()}])


if __name__ == "__main__":
    main()
