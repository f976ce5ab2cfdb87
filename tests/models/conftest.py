import json
import random
import subprocess
import sys

import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.convert import tree_to_data
from tgraph_attn.models import ASTTrans
from tgraph_attn.relations import WordStatistics
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges, DocumentGraph
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

WORDS = [f"word{number}" for number in range(12)]
SOURCE = Vocab.build(WORDS)
TARGET = Vocab.build(WORDS, specials=["<bos>", "<eos>"])
MAX_TARGET = 8

CLASSES = ["crude", "grain", "trade"]
TEXTS = {  # with their classes
    "oil price rises oil": 0,
    "wheat harvest falls": 1,
    "": 0,
    "corn": 1,
    "of the": 0,  # no word of the vocabulary
    "price oil wheat price corn harvest rises of price": 2,
}


@pytest.fixture(autouse=True)
def each_on_one_thread(one_thread):
    """Here every test has it."""


def random_parent(num_nodes, draw):
    """The rows of a tree in pre-order: each node hangs under one of the path to the last node."""
    parent = [-1]
    for node in range(1, num_nodes):
        path = [node - 1]
        while parent[path[-1]] != -1:
            path.append(parent[path[-1]])
        parent.append(draw.choice(path))
    return parent


def random_function(draw):
    parent = random_parent(draw.randint(2, 14), draw)
    data = tree_to_data(Tree(parent, text=draw.choices(WORDS, k=len(parent))), SOURCE)
    y = TARGET.encode([*draw.choices(WORDS, k=draw.randint(1, 5)), "<eos>"])
    data.y = torch.tensor([y + [0] * (MAX_TARGET - len(y))])
    return AddSiblingEdges(7)(AddAncestorEdges(7)(data))


@pytest.fixture
def functions():
    """Eight trees of 2 to 14 nodes, each with a target of 1 to 5 words."""
    draw = random.Random(0)
    return [random_function(draw) for _ in range(8)]


@pytest.fixture
def batch(functions):
    return Batch.from_data_list(functions)


@pytest.fixture
def make():
    """A small model from seed 0, in evaluation mode."""

    def make(encoder="tree", **settings):
        torch.manual_seed(0)
        small = dict(channels=16, layers=2, hidden=32, max_target=MAX_TARGET)
        relations = {"ancestor": (1, 7), "sibling": (3, 7)}
        settings = {**small, "relations": relations, **settings}
        return ASTTrans(SOURCE, TARGET, encoder=encoder, **settings).eval()

    return make


@pytest.fixture(params=["words"])
def graph(request):
    """Turns texts of eight words into graphs with the relations of every kind of layer."""
    words = ["oil", "price", "rises", "wheat", "harvest", "falls", "corn", "tariff"]
    vocab = Vocab(["<pad>", "<unk>", "<document>", *words])
    corpus = [vocab.encode(text.split()) for text in ("tariff", "oil price oil", *TEXTS)]
    corpus = [[word for word in text if word > 2] for text in corpus]
    return DocumentGraph(
        vocab,
        WordStatistics.count(corpus, len(vocab), window=3),
        relations=["pmi", "tfidf", "neighbour"],
        nodes=request.param,
        neighbours=2,
    )


@pytest.fixture
def documents(graph):
    """Six documents with their classes: two are without words, one has one, two repeat words."""
    documents = [graph(text) for text in TEXTS]
    for data, y in zip(documents, TEXTS.values(), strict=True):
        data.y = torch.tensor([y])
    return documents


@pytest.fixture
def exact():
    """One batch of documents, with weights in float64."""

    def exact(documents):
        batch = Batch.from_data_list(list(documents))
        return batch.apply(lambda t: t.double() if t.is_floating_point() else t)

    return exact


LOAD_AND_PREDICT = """
import json, sys, torch
from torch_geometric.data import Data
from tgraph_attn import models
torch.set_num_threads(1)
asked = torch.load(sys.argv[2], weights_only=True)
asked = Data.from_dict(asked) if isinstance(asked, dict) else asked
loaded = [getattr(models, sys.argv[1]).load(folder) for folder in sys.argv[3:]]
print(json.dumps([[m.predict(asked), m.arguments, m.training] for m in loaded]))
"""


@pytest.fixture
def says_the_same_in_a_new_process(tmp_path):
    """Save models of one class and let a new process ask them about texts, or about a graph."""

    def check(models, asked):
        torch.save(asked.to_dict() if isinstance(asked, Data) else asked, tmp_path / "asked.pt")
        folders = [str(tmp_path / "some folder é" / str(number)) for number in range(len(models))]
        for model, folder in zip(models, folders, strict=True):
            model.save(folder)
        name = type(models[0]).__name__
        ran = subprocess.run(
            [sys.executable, "-c", LOAD_AND_PREDICT, name, str(tmp_path / "asked.pt"), *folders],
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=300,
        )
        assert ran.returncode == 0, ran.stderr
        expected = [[model.predict(asked), model.arguments, False] for model in models]
        assert json.loads(ran.stdout) == json.loads(json.dumps(expected))

    return check
