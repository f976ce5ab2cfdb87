"""Time how much of an epoch of AST-Trans is attention, fused and by gathering.

    python benchmarks/bench_attention_share.py --data DATA --json \
        benchmarks/results/attention_share.json

The model has the published sizes: 4 layers, 256 channels, 8 heads, 2,048 hidden; the functions are
those of TL-CodeSum's validation file, trees of at most 200 nodes. It is trained for one epoch by
the fused way. Whenever attention along edges is called for, forward and backward, the plain way
that gathers is called with the same numbers too, and its time is told apart: so both are measured
in one run, at the same moments. Attention is what `edge_attention` does, dropout of weights
included; the linear maps before it are not. The first batch is not counted.
DATA is that of `code_summarization.py`.
"""

import time
from typing import Any
from unittest.mock import patch

import _summary_runs
import torch
from _timing import parser, write
from torch import Tensor
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import Compose
from tqdm import tqdm

from tgraph_attn.models import ASTTrans
from tgraph_attn.nn.conv import tree_attention_conv
from tgraph_attn.ops import edge_attention
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges

BATCH = 32
SHAPE = {"form": "tree", "max_nodes": 200, "min_count": 1}
WAYS = ("fused", "gather")  # the first one's results are those that the model goes on with
TABLES = ("key_table", "query_table", "value_table")


class Watched(torch.autograd.Function):
    """Attention along edges in all ways, and the seconds that each one takes."""

    @staticmethod
    def forward(
        ctx: Any,
        taken: dict[str, float],
        edges: list[Tensor],
        given: dict[str, Any],
        *parts: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return the first way's output and weights."""
        ctx.taken, ctx.made = taken, {}
        for way in WAYS:
            leaves = [part.detach().requires_grad_() for part in parts]
            tables = dict(zip(TABLES, leaves[3:], strict=True))
            start = time.perf_counter()
            with torch.enable_grad():
                ctx.made[way] = (
                    leaves,
                    edge_attention(*leaves[:3], *edges, **tables, **given, backend=way),
                )
            taken[way] += time.perf_counter() - start
        out, alpha = ctx.made[WAYS[0]][1]
        ctx.mark_non_differentiable(alpha)
        return out.detach(), alpha.detach()

    @staticmethod
    def backward(ctx: Any, upstream: Tensor, _: Tensor) -> tuple[Any, ...]:
        """Return the first way's gradients."""
        found = {}
        for way, (leaves, (out, _)) in ctx.made.items():
            start = time.perf_counter()
            found[way] = torch.autograd.grad(out, leaves, upstream)
            ctx.taken[way] += time.perf_counter() - start
        return None, None, None, *found[WAYS[0]]


def main() -> None:
    """Train one epoch, and tell the share of each way."""
    arguments = parser(__doc__)
    arguments.add_argument("--data", required=True, help="the folder of the data")
    arguments.add_argument("--functions", type=int, help="how many; all if left out")
    args = arguments.parse_args()
    torch.set_num_threads(args.threads)
    functions = _summary_runs.load(args.data, "train", **SHAPE).copy()
    functions.transform = Compose([AddAncestorEdges(7), AddSiblingEdges(7)])
    functions = functions[: args.functions]
    torch.manual_seed(0)
    model = ASTTrans(functions.source_vocab, functions.target_vocab)
    optimizer = torch.optim.Adam(model.parameters(), 1e-4, fused=True)
    taken, spent = dict.fromkeys(WAYS, 0.0), 0.0

    def watched(
        query: Tensor, key: Tensor, value: Tensor, *edges: Tensor, **given: Any
    ) -> tuple[Tensor, Tensor]:
        tables = [given.pop(name) for name in TABLES]
        return Watched.apply(taken, list(edges), given, query, key, value, *tables)

    with patch.object(tree_attention_conv, "edge_attention", watched):
        for number, batch in enumerate(tqdm(DataLoader(functions, BATCH, shuffle=True), "Epoch")):
            if number == 1:
                taken, spent = dict.fromkeys(WAYS, 0.0), 0.0
            start = time.perf_counter()
            optimizer.zero_grad()
            model.loss(batch).backward()
            optimizer.step()
            spent += time.perf_counter() - start
    rest = spent - sum(taken.values())
    rows = [
        {
            "way": way,
            "functions": len(functions),
            "epoch_s": round(rest + seconds, 4),
            "attention_s": round(seconds, 4),
        }
        for way, seconds in taken.items()
    ]
    for row in rows:
        part = row["attention_s"] / row["epoch_s"]
        print("{way:>8} epoch {epoch_s:.2f} s, attention {attention_s:.2f} s".format(**row), end="")
        print(f", {part:.1%}")
    print(f"fused / gather: {taken['fused'] / taken['gather']:.3f}")
    write(rows, args.json, packages=["torch-scatter"])


if __name__ == "__main__":
    main()
