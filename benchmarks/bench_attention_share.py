"""Time how much of an epoch of AST-Trans is attention, by way.

    python benchmarks/bench_attention_share.py --data DATA --json \
        benchmarks/results/attention_share.json

The model has the published sizes: 4 layers, 256 channels, 8 heads, 2,048 hidden; the functions are
those of TL-CodeSum's validation file, trees of at most 200 nodes. Each batch is a step of three
models one after the other, alike but for what is called for attention along edges: the fused way,
the plain one that gathers ("gather"), and none, where each node only hears its own value. What a
way takes above none, summed over the epoch, is its attention. The first batch is not counted.
DATA is that of `code_summarization.py`.
"""

import time
from functools import partial

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

Out = tuple[Tensor, None]


def none(
    query: Tensor, key: Tensor, value: Tensor, *_: Tensor, **__: object
) -> tuple[Tensor, None]:
    """Attention that costs nothing; queries and keys are read, so that their gradients are made."""
    return value + 0.0 * (query + key), None


WAYS = {
    "none": none,
    "fused": partial(edge_attention, backend="fused"),
    "gather": partial(edge_attention, backend="gather"),
}


def main() -> None:
    """Train one epoch, and tell the share of each way."""
    arguments = parser(__doc__)
    arguments.add_argument("--data", required=True, help="the folder of the data")
    arguments.add_argument("--functions", type=int, help="how many; all if left out")
    args = arguments.parse_args()
    torch.set_num_threads(args.threads)
    functions = _summary_runs.load(args.data, "train", "tree", 200).copy()
    functions.transform = Compose([AddAncestorEdges(7), AddSiblingEdges(7)])
    functions = functions[: args.functions]
    models = {}
    for name in WAYS:
        torch.manual_seed(0)
        models[name] = ASTTrans(functions.source_vocab, functions.target_vocab)
    optimizers = {
        name: torch.optim.Adam(model.parameters(), 1e-4, fused=True)
        for name, model in models.items()
    }
    taken = dict.fromkeys(WAYS, 0.0)
    for number, batch in enumerate(tqdm(DataLoader(functions, 32, shuffle=True), "Epoch")):
        for name, way in WAYS.items():
            tree_attention_conv.edge_attention = way
            start = time.perf_counter()
            optimizers[name].zero_grad()
            models[name].loss(batch).backward()
            optimizers[name].step()
            if number:
                taken[name] += time.perf_counter() - start
    rows = [
        {
            "way": name,
            "functions": len(functions),
            "epoch_s": round(seconds, 2),
            "attention_s": round(seconds - taken["none"], 2),
        }
        for name, seconds in taken.items()
    ]
    for row in rows:
        print(
            f"{row['way']:>8} epoch {row['epoch_s']:>9.2f} s, attention {row['attention_s']:>9.2f}"
        )
    ratio = rows[1]["attention_s"] / rows[2]["attention_s"]
    print(f"fused / gather: {ratio:.3f}")
    write(rows, args.json, packages=["torch-scatter"])


if __name__ == "__main__":
    main()
