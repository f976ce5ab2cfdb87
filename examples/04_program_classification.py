"""Tell which task a program solves from its syntax tree: by attention, or by convolution.

    python examples/04_program_classification.py [--small] [--task structure] [--encoder gcn tree]
    python examples/04_program_classification.py --predict path/to/file.c

The first trains on toy programs that it writes, on a folder with a sub-folder for each class
(--source), or on POJ-104 (--data: the folder that has, or gets, raw/programs.tar.gz). Encoders have
the same size, steps and seed; the validation programs choose the epoch. One seed: small differences
say nothing. It writes program_classification.png, and program_model, the last encoder, to be asked.
The last line is the promised number: accuracy by that of the most frequent class, above 1.
"""

import argparse
import json
import sys
from pathlib import Path

import torch
from matplotlib.figure import Figure
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from torch_geometric.loader import DataLoader

from tgraph_attn.convert import tree_to_data
from tgraph_attn.datasets import POJ104, program_tree, write_toy_programs
from tgraph_attn.metrics import map_at_r
from tgraph_attn.models import TreeClassifier
from tgraph_attn.training import TrainingSettings, fit_classifier
from tgraph_attn.viz import draw_confusion, draw_learning_curves, draw_tree

ENCODERS = ["tree", "bias", "gat", "gcn", "self"]
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--small", action="store_true", help="fewer programs, in under a minute")
parser.add_argument("--data", metavar="ROOT", help="the folder of POJ-104")
parser.add_argument("--source", metavar="FOLDER", help="a folder of your own programs")
parser.add_argument("--task", choices=["full", "structure"], default="full")
parser.add_argument("--encoder", nargs="+", choices=ENCODERS, default=["tree"])
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--save", default="program_model", help="the folder of the model")
parser.add_argument("--predict", metavar="FILE", help="ask the saved model about a program")
args = parser.parse_args()
torch.set_num_threads(1)  # its numbers are the same again
if not sys.flags.dev_mode:  # what is wrong is said in one line; python -X dev says where, too
    sys.excepthook = lambda kind, error, _: print(f"{kind.__name__}: {error}", file=sys.stderr)

# 1. A saved model, and a program that it has not seen.
if args.predict is not None:
    model = TreeClassifier.load(args.save)
    kept = json.loads(Path(args.save, "settings.json").read_text(encoding="utf-8"))
    whole = program_tree(Path(args.predict).read_bytes(), kept["task"])
    tree, encoder = whole.truncate(kept["max_nodes"]), model.arguments["encoder"]
    data = model.transform(tree_to_data(tree, model.vocab))
    [(label, chances)] = model.predict(data)
    print(f"{args.save}: {encoder}, {kept['task']}")
    print(f"Known: {sum(word in model.vocab for word in tree.labels)} of {len(data.x)} nodes")
    print(f"Syntax errors: {len(whole.faults)}" + "; is it C or C++?" * (len(whole.faults) > 0))
    print("\n".join(f"{name:24}{chance:.3f}" for name, chance in [*chances.items()][:10]))
    top = int((tree.subtree_size * (tree.subtree_size <= 40)).argmax())
    part, weights = tree.subtree(top), None  # a picture has room for one of 40 nodes
    if encoder != "gcn":  # in the last layer, the mean of the heads of the first relation
        edge_index, alpha = next(iter(model.attention(data)[-1].values()))
        inside = ((edge_index >= top) & (edge_index < top + part.num_nodes)).all(dim=0)
        weights = edge_index[:, inside] - top, alpha[inside].mean(dim=1)
    shown, title = [word[:24] for word in part.labels], f"{label}, {chances[label]:.0%}: attention"
    draw_tree(part, shown, weights, min_weight=0.2, title=title).savefig("program_prediction.png")
    sys.exit()

# 2. Programs as trees.
count, every = 40 if args.small else 80, 50 if args.small and args.data else 1
if not (args.source or args.data):
    args.source = write_toy_programs(f"demo_data/toy_programs_{count}", count)
root, splits = args.data or "demo_data", ("train", "val", "test")
train, val, test = parts = [POJ104(root, args.task, s, source=args.source)[::every] for s in splits]
y, truth = (torch.cat([program.y for program in part]) for part in (train, test))
print(f"{len(train)} programs to learn from, {len(test)} to test on, {len(train.classes)} classes")


def chains(program):
    """Return each node's label, also with its parent's, and with its parent's parent's."""
    x, up = program.x.tolist(), program.parent_index.tolist()
    return [(x[up[p]], x[p], x[n])[first:] for n, p in enumerate(up) for first in range(3)]


# 3. What needs no graph: the most frequent class, and the critic.
critic = make_pipeline(TfidfVectorizer(analyzer=chains), LinearSVC()).fit(train, y)
says, curves, near = {"most frequent class": y.bincount().argmax()}, {}, {}
says["chains + LinearSVC"] = torch.from_numpy(critic.predict(test))

# 4. The encoders.
many = {"batch_size": 64, "lr": 4e-3, "average": 0.99}  # as the table of POJ-104 is made
steps = many if len(train) > 5000 else {"batch_size": 16, "schedule": "constant"}
settings = TrainingSettings(epochs=args.epochs, seed=args.seed, **steps)
for encoder in args.encoder:
    torch.manual_seed(args.seed)
    given = {"relations": {"path_level": (8, 4)}} if encoder == "bias" else {}
    model = TreeClassifier(train.vocab, train.classes, encoder=encoder, dropout=0.0, **given)
    for part in parts:
        part.transform = model.transform
    curves[encoder] = fit_classifier(model, train, val, settings).validation_accuracy
    batches = DataLoader(test, 128)
    says[encoder] = torch.cat([model(batch).argmax(dim=1) for batch in batches])
    if truth.bincount().max() > 1:
        near[encoder] = map_at_r(torch.cat([*map(model.embed, batches)]), truth)
right = {name: float((found == truth).float().mean()) for name, found in says.items()}
print("\n".join(f"{name:20}{value:6.3f} of them are right" for name, value in right.items()))
print("MAP@R, of classes that were learnt:", {name: round(v, 3) for name, v in near.items()})
model.save(args.save)
told = vars(args) | {"max_nodes": train.settings["max_nodes"], "accuracy": right}
Path(args.save, "settings.json").write_text(json.dumps(told, default=str), encoding="utf-8")

# 5. Pictures: how it learnt, and what it takes for what.
side = 6.5 if len(train.classes) <= 12 else 14
figure = Figure(figsize=(max(8, side), 3 + side))
top, bottom = figure.subfigures(2, 1, height_ratios=[3, side])
draw_learning_curves(curves, title="Accuracy on the validation programs", figure=top)
draw_confusion(truth, says[encoder], train.classes, title=encoder, figure=bottom)
figure.savefig("program_classification.png", dpi=120, bbox_inches="tight")
print(f"{right[encoder] / right['most frequent class']:.2f}")
