"""Train four encoders of trees to name the functions of Python's own standard library.

    python examples/01_quickstart.py [--small] [--seed 0] [--epochs 6] [--root demo_data]

The same model is trained with each encoder under the same budget: the same functions of up to 60
nodes, steps, learning rate and seed, without early stopping. On files that none has seen, they are
compared with the most frequent name, and with that of the most similar function (TF-IDF over the
nodes' words). It is one seed: small differences say nothing. `--small` takes asyncio alone.

Writes demo.png. The last line is the promised number: the sub-token F1 of the worst encoder,
divided by that of the most frequent name. It is above 1.
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
from torch_geometric.loader import DataLoader
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
parser.add_argument("--epochs", type=int, help="by default 6, or 12 if small")
parser.add_argument("--root", default="demo_data", help="the folder of the data set")
args = parser.parse_args()

# Of the settings tried, the best mean of the four encoders on the validation split.
MAX_NODES, MAX_WORDS, LEARNING_RATE = 60, 8, 1e-3
SIZES = {"channels": 128, "hidden": 256, "layers": 1, "dropout": 0.0, "max_target": MAX_WORDS}
batch_size, epochs = (16, args.epochs or 12) if args.small else (64, args.epochs or 6)
torch.set_num_threads(1)  # enough for so small a model, and its numbers are the same again

# 1. From source to trees with relations, in batches of similar size.
package = Path(sysconfig.get_path("stdlib"), "asyncio") if args.small else None
trees, batches, truth = {}, {}, {}
for split in ("train", "val", "test"):
    data = StdlibFunctions(args.root, split=split, max_target=MAX_WORDS, source=package)
    small = [AddSiblingEdges(7)(AddAncestorEdges(7)(t)) for t in data if t.num_nodes <= MAX_NODES]
    trees[split] = small = sorted(small, key=lambda tree: tree.num_nodes)
    batches[split] = list(DataLoader(small, batch_size))
    truth[split] = [tree.target for tree in small]
print(f"{data.report['files']['found']} files, {data.report['functions']}; of up to {MAX_NODES}")
print("nodes:", {split: len(names) for split, names in truth.items()})

# 2. One function, as a model sees it.
shown = min(trees["test"], key=lambda tree: abs(tree.num_nodes - 36))
labels = [word.removeprefix("subtoken ") for word in data.source_vocab.decode(shown.x)]
print(f"\n{shown.origin}, to be named {shown.target!r}:\n{Tree(parent_of(shown), labels)}")
counts = [shown[f"{relation}_edge_index"].size(1) for relation in ("ancestor", "sibling")]
print("{} ancestor edges, {} sibling edges\n".format(*counts))

# 3. What needs no training.
scores, curves = {}, {}


def report(name, names, *more):
    """Print a row of the table."""
    scores[name] = subtoken_f1(names, truth["test"]), exact_match(names, truth["test"])
    cells = *(f"{score:.3f}" for score in scores[name]), *more
    print(f"{name:20}" + "".join(f"{cell:>14}" for cell in cells))


print(f"{'':20}  sub-token F1   exact match     s / epoch    parameters  edges / tree")
frequent, _ = Counter(truth["train"]).most_common(1)[0]
report("most frequent name", [frequent] * len(truth["test"]))
tfidf = TfidfVectorizer(analyzer=lambda tree: tree.x.tolist()).fit(trees["train"])
similarity = tfidf.transform(trees["test"]) @ tfidf.transform(trees["train"]).T
report("nearest by TF-IDF", [truth["train"][i] for i in similarity.toarray().argmax(axis=1)])

# 4. Four encoders, under the same budget.
whole = Batch.from_data_list(trees["test"])
edges = torch.cat([whole.ancestor_edge_index, whole.sibling_edge_index], dim=1)
union, pairs = coalesce(edges).size(1), int(whole.ptr.diff().square().sum())
num_edges = {"self": pairs, "gcn": union, "gat": union, "tree": edges.size(1)}
for encoder in num_edges:
    torch.manual_seed(args.seed)
    model = ASTTrans(data.source_vocab, data.target_vocab, encoder=encoder, **SIZES)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)
    curves[encoder], seconds = [], 0.0
    for _ in range(epochs):
        start = time.perf_counter()
        for number in torch.randperm(len(batches["train"])).tolist():
            optimizer.zero_grad()
            model.loss(batches["train"][number]).backward()
            optimizer.step()
        seconds += (time.perf_counter() - start) / epochs
        names = [name for batch in batches["val"] for name in model.predict(batch)]
        curves[encoder].append(subtoken_f1(names, truth["val"]))
    names = [name for batch in batches["test"] for name in model.predict(batch)]
    size, mean = sum(w.numel() for w in model.parameters()), num_edges[encoder] / whole.num_graphs
    report(encoder, names, f"{seconds:.1f}", f"{size:,}", f"{mean:.0f}")
near = scores["nearest by TF-IDF"]
beaten = [sum(near[i] > scores[encoder][i] for encoder in curves) for i in (0, 1)]
print("The nearest function's name beats {} encoders in F1, and {} in exact match.".format(*beaten))

# 5. A picture; the last model is the tree encoder.
figure = Figure(figsize=(10, 10))
top, bottom = figure.subfigures(2, 1, height_ratios=[3, 5])
draw_learning_curves(curves, title="Sub-token F1 on the validation split", figure=top)
name = " ".join(model.predict(shown)[0])
edge_index, weight = model.attention(shown)[-1]["ancestor"]
title = f"{shown.origin}, {shown.target!r}, named {name!r}: attention of the ancestor head"
draw_tree(shown, labels, (edge_index, weight[:, 0]), title=title, figure=bottom)
figure.savefig("demo.png", dpi=120, bbox_inches="tight")
print(f"{min(scores[e] for e in curves)[0] / scores['most frequent name'][0]:.2f}")
