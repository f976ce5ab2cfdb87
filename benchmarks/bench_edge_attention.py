"""Time edge attention: fused against the ways that gather to edges, and against dense.

    python benchmarks/bench_edge_attention.py --json benchmarks/results/edge_attention.json

The edges are ancestor edges (P = 7) of real Python syntax trees, those of the standard library;
the form is AST-Trans' (key, query and value tables), float32, forward and backward. All ways are
checked against the reference, gradients too, before any is timed. Peak memory is that of a fresh
process above what it held when the inputs were made.
"""

import json
import math
import sysconfig
from collections.abc import Callable
from pathlib import Path

import torch
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
from torch_geometric.utils import softmax

from tgraph_attn._optional import is_available
from tgraph_attn.ops import edge_attention
from tgraph_attn.parse import parse_code
from tgraph_attn.relations import ancestor_edges

P, T, H, C = 7, 15, 8, 32
Inputs = dict[str, Tensor]


def real_parents(num_nodes: int) -> Tensor:
    """Return the parents of syntax trees of the standard library, one after the other; roots -1."""
    parents, total = [], 0
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    while total < num_nodes:
        for path in files:
            tree = parse_code(path.read_bytes(), "python")
            parent = torch.from_numpy(tree.parent.copy())
            parents.append(torch.where(parent >= 0, parent + total, -1))
            total += tree.num_nodes
            if total >= num_nodes:
                break
    return torch.cat(parents)[:num_nodes]


def make_inputs(num_nodes: int) -> Inputs:
    """Return queries, keys, values, tables and edges."""
    torch.manual_seed(0)
    edge_index, edge_type = map(
        torch.from_numpy, ancestor_edges(real_parents(num_nodes).numpy(), P)
    )
    inputs = {name: torch.randn(num_nodes, H, C) for name in ("query", "key", "value")}
    inputs |= {f"{name}_table": torch.randn(T, 1, C) for name in ("key", "query", "value")}
    inputs = {name: tensor.requires_grad_() for name, tensor in inputs.items()}
    return {**inputs, "edge_index": edge_index, "edge_type": edge_type}


def pyg_path(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    edge_index: Tensor,
    edge_type: Tensor,
    key_table: Tensor,
    query_table: Tensor,
    value_table: Tensor,
) -> Tensor:
    """The baseline: gather to edges, PyG's softmax, index_add."""
    source, target = edge_index
    q, k, v = query[target], key[source], value[source]
    score = (q * k + q * key_table[edge_type] + query_table[edge_type] * k).sum(-1)
    alpha = softmax(score / math.sqrt(3 * C), target, num_nodes=query.size(0))
    message = alpha.unsqueeze(-1) * (v + value_table[edge_type])
    return torch.zeros_like(value).index_add(0, target, message)


def all_ways() -> dict[str, Callable[..., Tensor]]:
    """Return every way by name."""

    def with_backend(backend: str) -> Callable[..., Tensor]:
        return lambda **inputs: edge_attention(**inputs, backend=backend)

    ways = {"pyg": pyg_path, "pyg, torch.compile": torch.compile(pyg_path)}
    if is_available("torch_scatter"):
        ways["gather (torch-scatter)"] = with_backend("gather")
    return {**ways, "reference": with_backend("reference"), "fused": with_backend("fused")}


def forward_backward(way: Callable[..., Tensor], inputs: Inputs) -> list[Tensor]:
    """Return the output and the gradients."""
    leaves = [tensor for tensor in inputs.values() if tensor.requires_grad]
    out = way(**inputs)
    return [out, *torch.autograd.grad(out, leaves, inputs["query"].detach())]


def check(ways: dict[str, Callable[..., Tensor]], inputs: Inputs) -> None:
    """Stop unless all ways agree with the reference in float32."""
    expected = forward_backward(lambda **i: edge_attention(**i, backend="reference"), inputs)
    for way in ways.values():
        for got, want in zip(forward_backward(way, inputs), expected, strict=True):
            error = (got - want).abs().max() / want.abs().max()
            assert error < 1e-4, f"{way} differs by {error}"


def timed(ways: dict[str, Callable[..., Tensor]], inputs: Inputs, repeats: int) -> list[dict]:
    """Return a row for each way."""
    if inputs["query"].size(0) <= 20_000:  # the reference has no room for a million
        check(ways, inputs)
    calls = {name: lambda w=way: forward_backward(w, inputs) for name, way in ways.items()}
    rows = []
    for name, taken in times_ms(calls, repeats).items():
        sizes = {"nodes": inputs["query"].size(0), "edges": inputs["edge_type"].numel()}
        rows.append({"way": name, **sizes, **summary(taken)})
        print(f"{name:>24} {sizes['nodes']:>9,} nodes {rows[-1]['median_ms']:>10.2f} ms")
    return rows


def measure_memory(way: str, num_nodes: int) -> None:
    """Print the peak memory of one pass, in MiB above the inputs."""
    run = all_ways()[way]
    forward_backward(run, make_inputs(300))  # compiled, loaded, warm
    inputs = make_inputs(num_nodes)
    forget_peak()
    before = resident_mib()
    forward_backward(run, inputs)
    print(json.dumps(peak_mib() - before))


def main() -> None:
    """Check, then time, each case."""
    arguments = parser(__doc__)
    arguments.add_argument("--nodes", type=int, default=20_000)
    arguments.add_argument("--memory-of", help="print the peak memory of one way and stop")
    arguments.add_argument("--largest", type=int, default=1_000_000, help="nodes, for the growth")
    args = arguments.parse_args()
    torch.set_num_threads(args.threads)
    if args.memory_of:
        measure_memory(args.memory_of, args.nodes)
        return
    ways = all_ways()
    rows = timed(ways, make_inputs(args.nodes), args.repeats)
    for row in rows:
        row["peak_mib"] = round(memory_of(__file__, row["way"], args.nodes), 1)
        print(f"{row['way']:>24} {row['peak_mib']:>10.1f} MiB at the peak")
    fused = {"fused": ways["fused"]}
    dense = {"dense": lambda **inputs: edge_attention(**inputs, backend="dense")}
    rows += timed({**dense, **fused}, make_inputs(1024), args.repeats)
    size, grown = 1000, []
    while size <= args.largest:
        repeats = args.repeats * (5 if size <= 10_000 else 1)
        grown += timed(fused, make_inputs(size), repeats)
        size *= 10
    rows += grown
    steps = math.log(grown[-1]["nodes"] / grown[0]["nodes"])
    exponent = math.log(grown[-1]["median_ms"] / grown[0]["median_ms"]) / steps
    print(f"fused grows with nodes ^ {exponent:.3f}")
    rows.append({"way": "fused", "growth_exponent": round(exponent, 3)})
    write(rows, args.json)


if __name__ == "__main__":
    main()
