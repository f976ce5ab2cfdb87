"""Say in a few words what a function does, by attention along the edges of its syntax tree.

    python examples/03_code_summarization.py [--small] [--dataset FOLDER] [--data demo_data]
    python examples/03_code_summarization.py --summarize path/to/file.py [--beams 4]

The first trains AST-Trans on functions and the first sentence of their docstrings: those of the
standard library, without their names; or with names those of tl_codesum, code_docstring or files of
your own (`CodeSummaries`). BLEU on other files chooses the epoch; killed, it goes on where it was.
The second asks what it wrote, summary_model, for a line about each function of a file. It is one
seed. `--small` takes every second function of up to 40 nodes, and the last epoch; it learns little.
The last line is the promised number: ROUGE-L by that of the most frequent summary, above 1.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from torch_geometric.loader import DataLoader

from tgraph_attn.datasets import CodeSummaries, StdlibFunctions, read_functions
from tgraph_attn.metrics import bleu, rouge_l
from tgraph_attn.models import ASTTrans, DecodingSettings
from tgraph_attn.training import TrainingSettings, fit_summarizer, split_validation
from tgraph_attn.viz import draw_learning_curves

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--small", action="store_true", help="fewer functions, in under a minute")
parser.add_argument("--dataset", default="stdlib", help="tl_codesum, code_docstring, or a folder")
parser.add_argument("--language", default="python", help="that of a folder; or java")
parser.add_argument("--part", default="train", help="of a published one; or valid, less a tenth")
parser.add_argument("--data", default="demo_data", help="the folder of the data set")
parser.add_argument("--encoder", default="tree", help="or bias, gat, gcn, self, tree_lstm")
parser.add_argument("--epochs", type=int, help="by default 15, or 7 if small")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--beams", type=int, default=1, help="to write with; more need transformers")
parser.add_argument("--save", default="summary_model", help="the folder of the model")
parser.add_argument("--summarize", metavar="FILE", help="ask the saved model about a file")
args = parser.parse_args()
torch.set_num_threads(1)  # enough for so small a model, and its numbers are the same again
if not sys.flags.dev_mode:  # what is wrong is said in one line; python -X dev says where, too
    sys.excepthook = lambda kind, error, _: print(f"{kind.__name__}: {error}", file=sys.stderr)
if hasattr(sys.stdout, "reconfigure"):  # a terminal may lack letters of a name
    sys.stdout.reconfigure(errors="backslashreplace")
if args.beams > 1:
    import transformers  # noqa: F401  that it lacks is known before training, not after
save, decoding = Path(args.save), DecodingSettings(beams=args.beams)


def write(model, graphs):
    """What a model says of each graph."""
    batches = DataLoader(graphs, 64)
    return [" ".join(words) for batch in batches for words in model.predict(batch, decoding)]


# 1. A saved model, and a file that it has not seen: its trees are made as those it learned from.
if args.summarize is not None:
    model, run = ASTTrans.load(save), json.loads((save / "run.json").read_text(encoding="utf-8"))
    found = read_functions(args.summarize, run["data"], model.source_vocab)
    functions = [model.transform(function) for function in found]
    for function, words in zip(functions, write(model, functions), strict=True):
        print(f"{function.origin} {function.name}: {words}")
    sys.exit()

# 2. Functions to learn from, to choose the epoch on, and to test on.
torch.manual_seed(args.seed)
graphs, sizes = {}, {"max_nodes": 100, "max_target": 20, "min_count": 1}
if args.dataset in ("tl_codesum", "code_docstring"):
    sizes |= {"parts": {"train": args.part, "val": "valid", "test": "test"}}
elif args.dataset != "stdlib":
    sizes |= {"language": args.language}
for split in ("train", "val", "test"):
    if args.dataset == "stdlib":
        data = StdlibFunctions(args.data, "summary", split, **sizes)
    else:
        data = CodeSummaries(args.data, args.dataset, split, **sizes)
    graphs[split] = [g for g in data if g.num_nodes <= 40][::2] if args.small else list(data)
if "parts" in sizes and args.part == "valid":  # a tenth of it chooses the epoch alone
    rest, tenth = split_validation(len(graphs["val"]), seed=args.seed)
    graphs["train"], graphs["val"] = ([graphs["val"][n] for n in part] for part in (rest, tenth))
widths = {"channels": 128, "hidden": 256, "layers": 1, "dropout": 0.1, "max_target": 20}
model = ASTTrans(data.source_vocab, data.target_vocab, encoder=args.encoder, **widths)
train, held, test = ([model.transform(g) for g in part] for part in graphs.values())
print(f"{len(train)} functions to learn from, {len(held)} held back, {len(test)} to test on")

# 3. What needs no training: the most frequent summary, and that of the most similar function.
truth, known = ([graph.target for graph in part] for part in (test, train))
said = {"most frequent": [Counter(known).most_common(1)[0][0]] * len(test)}
tfidf = TfidfVectorizer(analyzer=lambda graph: graph.x.tolist()).fit(train)
nearest = (tfidf.transform(test) @ tfidf.transform(train).T).toarray().argmax(axis=1)
said["nearest by TF-IDF"] = [known[number] for number in nearest]

# 4. The model. Its checkpoint goes when all is kept; settings and scores are kept beside it.
save.mkdir(parents=True, exist_ok=True)
steps = {"monitor": "last", "batch_size": 16, "lr": 2e-3} if args.small else {"monitor": "bleu"}
epochs = (7 if args.small else 15) if args.epochs is None else args.epochs
settings = TrainingSettings(epochs=epochs, seed=args.seed, **steps)
history = fit_summarizer(model, train, held, settings, checkpoint=save / "training.pt")
said[args.encoder], scores, variants = write(model, test), {}, ("sentence-add1", "corpus-add1")
for name, words in said.items():
    scores[name] = {f"BLEU {v}": bleu(words, truth, variant=v) for v in variants}
    scores[name]["ROUGE-L"] = rouge_l(words, truth)
    print(f"{name:18}", *(f"{measure} {v:.3f}" for measure, v in scores[name].items()), sep="   ")
model.save(save)
run = {"data": data.settings, "training": asdict(settings), "history": asdict(history)}
(save / "run.json").write_text(json.dumps(run | {"scores": scores}, indent=1), encoding="utf-8")
(save / "training.pt").unlink()
for graph, words in list(zip(test, said[args.encoder], strict=True))[:5]:
    print(f"{graph.origin}\n  is:   {graph.target}\n  said: {words}")
curves = {args.encoder: history.validation_bleu}
figure = draw_learning_curves(curves, title="BLEU (sentence-add1) on what was held back")
figure.savefig("code_summarization.png", dpi=120, bbox_inches="tight")
least = max(scores["most frequent"]["ROUGE-L"], 0.01)  # of a few functions, nothing may fit
print(f"{scores[args.encoder]['ROUGE-L'] / least:.2f}")
