"""Train four encoders of trees to name the functions of Python's own standard library.

    python examples/01_quickstart.py [--small] [--seed 0] [--epochs 8] [--root demo_data]

The same model is trained with each encoder under the same budget: the same functions of up to 60
nodes, steps, learning rate and seed, and no early stopping. They are compared, on files that none
has seen, with two answers that need no training: the most frequent name, and the name of the most
similar function of the training split (TF-IDF over the nodes' words). It is one seed, so small
differences say nothing. Writes demo.png. `--small` takes the package asyncio alone.

The last line is the promised number, the sub-token F1 of the worst encoder divided by that of the
most frequent name. It is above 1.
"""

import argparse
import sysconfig
import time
from collections import Counter
from pathlib import Path

import torch
from matplotlib.figure import Figure
from sklearn.feature_extraction.text import TfidfVectorizer
from torch_geometric.data import Batch
from torch_geometric.utils import coalesce

from tgraph_attn.convert import parent_of
from tgraph_attn.datasets import StdlibFunctions
from tgraph_attn.metrics import exact_match, subtoken_f1
from tgraph_attn.models import ASTTrans
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges
from tgraph_attn.tree import Tree
from tgraph_attn.viz import draw_learning_curves, draw_tree

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--small", action="store_true", help="one package only, in under a minute")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--root", default="demo_data", help="the folder of the data set")
args = parser.parse_args()

MAX_NODES, MAX_WORDS, BATCH_SIZE, LEARNING_RATE = 60, 8, 64, 1e-3
SIZES = {"channels": 128, "hidden": 256, "layers": 1, "max_target": MAX_WORDS}
torch.set_num_threads(1)  # enough for so small a model, and the same numbers on each machine

# 1. From source to trees with relations, in batches of similar size.
package = Path(sysconfig.get_path("stdlib"), "asyncio") if args.small else None
trees, batches, truth = {}, {}, {}
for split in ("train", "val", "test"):
    data = StdlibFunctions(args.root, split=split, max_target=MAX_WORDS, source=package)
    small = [AddSiblingEdges(7)(AddAncestorEdges(7)(t)) for t in data if t.num_nodes <= MAX_NODES]
    trees[split] = small = sorted(small, key=lambda tree: tree.num_nodes)
    starts = range(0, len(small), BATCH_SIZE)
    batches[split] = [Batch.from_data_list(small[i : i + BATCH_SIZE]) for i in starts]
    truth[split] = [tree.target for tree in small]
print(f"{data.report['files']['found']} files, {data.report['functions']}; of up to {MAX_NODES}")
print("nodes:", {split: len(names) for split, names in truth.items()})

# 2. One function, as a model sees it.
shown = min(trees["test"], key=lambda tree: abs(tree.num_nodes - 26))
labels = [word.removeprefix("subtoken ") for word in data.source_vocab.decode(shown.x)]
print(f"\n{shown.origin}, to be named {shown.target!r}:\n{Tree(parent_of(shown), labels)}")
print(f"{shown.ancestor_edge_index.size(1)} ancestor edges, ", end="")
print(f"{shown.sibling_edge_index.size(1)} sibling edges\n")

# 3. What needs no training.
f1, curves, models = {}, {}, {}


def report(name, names, *more):
    """Print a row of the table."""
    f1[name] = subtoken_f1(names, truth["test"])
    cells = f"{f1[name]:.3f}", f"{exact_match(names, truth['test']):.3f}", *more
    print(f"{name:20}" + "".join(f"{cell:>14}" for cell in cells))


print(f"{'':20}  sub-token F1   exact match     s / epoch    parameters  edges / tree")
report("most frequent name", Counter(truth["train"]).most_common(1)[0][:1] * len(truth["test"]))
tfidf = TfidfVectorizer(analyzer=lambda tree: tree.x.tolist()).fit(trees["train"])
similarity = tfidf.transform(trees["test"]) @ tfidf.transform(trees["train"]).T
report("nearest by TF-IDF", [truth["train"][i] for i in similarity.toarray().argmax(axis=1)])

# 4. Four encoders, under the same budget.
whole = Batch.from_data_list(trees["test"])
edges = torch.cat([whole.ancestor_edge_index, whole.sibling_edge_index], dim=1)
union, pairs = coalesce(edges).size(1), int(whole.ptr.diff().square().sum())
num_edges = {"tree": edges.size(1), "gcn": union, "gat": union, "self": pairs}
for encoder in num_edges:
    torch.manual_seed(args.seed)
    model = ASTTrans(data.source_vocab, data.target_vocab, encoder=encoder, **SIZES)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)
    models[encoder], curves[encoder], seconds = model, [], 0.0
    for _ in range(args.epochs):
        start = time.perf_counter()
        for number in torch.randperm(len(batches["train"])).tolist():
            optimizer.zero_grad()
            model.loss(batches["train"][number]).backward()
            optimizer.step()
        seconds += (time.perf_counter() - start) / args.epochs
        names = [name for batch in batches["val"] for name in model.predict(batch)]
        curves[encoder].append(subtoken_f1(names, truth["val"]))
    names = [name for batch in batches["test"] for name in model.predict(batch)]
    size = sum(weight.numel() for weight in model.parameters())
    mean = num_edges[encoder] / len(truth["test"])
    report(encoder, names, f"{seconds:.1f}", f"{size:,}", f"{mean:.0f}")
if f1["nearest by TF-IDF"] > max(f1[encoder] for encoder in curves):
    print("The nearest neighbour, which copies a name, is better than all encoders.")

# 5. A picture.
figure = Figure(figsize=(12, 10))
top, bottom = figure.subfigures(2, 1, height_ratios=[2, 3])
draw_learning_curves(curves, title="Sub-token F1 on the validation split", figure=top)
[name] = models["tree"].predict(shown)
edge_index, weight = models["tree"].attention(shown)[-1]["ancestor"]
title = (
    f"{shown.origin}, {shown.target!r}, named {' '.join(name)!r}: attention of the ancestor head"
)
draw_tree(shown, labels, (edge_index, weight[:, 0]), title=title, figure=bottom)
figure.savefig("demo.png", dpi=120)
print(f"{min(f1[encoder] for encoder in curves) / f1['most frequent name']:.2f}")
