"""Tell the class of a text from the graph of its words: by convolution, or by attention.

    python examples/02_text_classification.py [--small] [--dataset R8] [--model gcn] [--seed 0]
    python examples/02_text_classification.py --predict "Show a window with two buttons."

The first trains a model to tell of which packages docstrings of the standard library are, or the
classes of R8, R52, Ohsumed or a folder (see `TextCorpus`); the epoch is chosen on a tenth of the
training texts. It is one seed: small differences say nothing. It writes text_classification.png and
text_model, which the second asks about any text (text_prediction.png). `--small`: 1,500 texts.
The last line is the promised number: accuracy by that of the most frequent class, above 1.
"""

import argparse
import sys
from pathlib import Path

import torch
from matplotlib.figure import Figure
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from torch_geometric.loader import DataLoader

from tgraph_attn.convert import corpus_graph
from tgraph_attn.datasets import TextCorpus, load_vectors
from tgraph_attn.models import DocumentGNN, TextGCN, TextLevelGNN
from tgraph_attn.parse import clean_text
from tgraph_attn.training import TrainingSettings, fit_classifier, fit_text_gcn, split_validation
from tgraph_attn.viz import draw_confusion, draw_learning_curves, draw_words

MODELS = ["self_attention", "gcn", "gat", "labelled_gcn", "relation_attention"]  # of DocumentGNN
parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--small", action="store_true", help="fewer texts, in under a minute")
parser.add_argument("--dataset", default="stdlib", help="or R8, R52, Ohsumed, or a folder")
parser.add_argument("--model", choices=[*MODELS, "text_gcn", "text_level_gnn"], default=MODELS[0])
parser.add_argument("--skeleton", choices=["residual", "plain"], default="residual")
parser.add_argument("--vectors", help="a file of GloVe, word2vec or fastText")
parser.add_argument("--min-count", type=int, default=5, help="of a word in all texts; 1: no limit")
parser.add_argument("--epochs", type=int, help="by default 10, 6 if small, 100 for text_gcn")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--root", default="demo_data", help="the folder of the data set")
parser.add_argument("--save", default="text_model", help="the folder of the model")
parser.add_argument("--predict", metavar="TEXT", help="ask the saved model about a text")
args = parser.parse_args()
torch.set_num_threads(1)  # enough for so small a model, and its numbers are the same again
if not sys.flags.dev_mode:  # what is wrong is said in one line; python -X dev says where, too
    sys.excepthook = lambda kind, error, _: print(f"{kind.__name__}: {error}", file=sys.stderr)

# 1. A saved model, and a text that it has not seen.
if args.predict is not None:
    config = Path(args.save, "config.json")  # tells which model it is
    is_level = config.is_file() and "TextLevelGNN" in config.read_text(encoding="utf-8")
    model = (TextLevelGNN if is_level else DocumentGNN).load(args.save)
    print(f"{args.save}: {'text_level_gnn' if is_level else model.conv}")
    words = set(clean_text(args.predict, **model.graph.cleaning))
    known, [(label, chances)] = model.graph(args.predict).num_nodes - 1, model.predict(args.predict)
    print(f"Known: {known} of {len(words)} different words; stop words and rare ones never are.")
    print("" if known else "No word is known: this is said of an empty text.")
    print("\n".join(f"{name:24}{chance:.3f}" for name, chance in chances.items()))
    if 0 < known <= 2000 and not is_level and model.conv != "labelled_gcn":  # a picture has room
        title = f"{label}, {chances[label]:.0%}: the attention of the document node"
        draw_words(model.word_weights(args.predict), title=title).savefig("text_prediction.png")
    sys.exit()

# 2. Each text is a graph; of the training texts, a tenth is held back.
settings = {"relations": ["pmi", "tfidf", "neighbour"], "min_count": args.min_count}
data, test = (TextCorpus(args.root, args.dataset, s, **settings) for s in ("train", "test"))
torch.manual_seed(args.seed)
chosen = torch.randperm(len(data))[: 1500 if args.small else None].tolist()
train, classes = [data[i] for i in chosen], data.classes
y, truth = (torch.cat([text.y for text in part]) for part in (train, test))
learn, held = split_validation(len(train), seed=args.seed)
vectors = load_vectors(args.vectors, data.graph.vocab) if args.vectors else None
print(f"{len(train)} texts to learn from, {len(test)} to test on, {len(classes)} classes")
print(vectors or "No vectors from a file: all is learnt from these texts alone.")

# 3. What needs no graph: the most frequent class, and the critic.
critic = make_pipeline(TfidfVectorizer(), LinearSVC()).fit([data.texts[i] for i in chosen], y)
found = torch.from_numpy(critic.predict(test.texts))
says = {"most frequent class": y.bincount().argmax(), "TF-IDF + LinearSVC": found}

# 4. The model.
epochs = args.epochs
if epochs is None:
    epochs = {"text_gcn": 100}.get(args.model, 6 if args.small else 10)
if args.model == "text_gcn":  # knows the texts of one graph; is not saved, keeps its last epoch
    corpus = corpus_graph([*train, *test], data.graph.statistics)
    sizes = {"num_documents": len(train) + len(test), "num_words": len(corpus.word)}
    model = TextGCN(classes, vectors=vectors, **sizes)
    curve = fit_text_gcn(model, corpus, learn, held, epochs=epochs).validation_accuracy
    says[args.model] = model(corpus).argmax(dim=1)[len(train) :]
else:
    parts, given = [[train[i] for i in part] for part in (learn, held)], {"vectors": vectors}
    if args.model == "text_level_gnn":
        model = TextLevelGNN(data.graph, classes, TextLevelGNN.pairs_of(parts[0]), **given)
    else:
        given |= {"dropout": 0.3, "word_dropout": 0.3, "label_smoothing": 0.1, "heads": 4}
        given |= {"conv": args.model, "skeleton": args.skeleton}
        model = DocumentGNN(data.graph, classes, **given)
    settings = TrainingSettings(epochs=epochs, word_lr=5e-3, seed=args.seed)
    curve = fit_classifier(model, *parts, settings).validation_accuracy
    says[args.model] = torch.cat([model(batch).argmax(dim=1) for batch in DataLoader(test, 128)])
    model.save(args.save)
accuracy = {name: float((found == truth).float().mean()) for name, found in says.items()}
print("\n".join(f"{name:20}{value:6.3f} of them are right" for name, value in accuracy.items()))
print(f"{sum(weight.numel() for weight in model.parameters()):,} parameters")

# 5. Pictures: how it learnt, what it takes for what, and one text as the document node sees it.
side, words = 6.5 if len(classes) <= 12 else 12, None
if isinstance(model, DocumentGNN) and args.model != "labelled_gcn":
    words = model.word_weights(min(test.texts, key=lambda text: abs(len(text) - 300)))[:500]
heights = [3, side, 2][: 3 if words else 2]
figure = Figure(figsize=(max(8, side), sum(heights)))
top, middle, *bottom = figure.subfigures(len(heights), 1, height_ratios=heights)
draw_learning_curves({args.model: curve}, title="Accuracy on what was held back", figure=top)
draw_confusion(truth, says[args.model], classes, title="On texts to test on", figure=middle)
if words:
    draw_words(words, title="What the document node of one attends to", figure=bottom[0])
figure.savefig("text_classification.png", dpi=120, bbox_inches="tight")
print(f"{accuracy[args.model] / accuracy['most frequent class']:.2f}")
