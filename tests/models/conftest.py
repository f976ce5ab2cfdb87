import random

import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.convert import tree_to_data
from tgraph_attn.models import ASTTrans
from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab

WORDS = [f"word{number}" for number in range(12)]
SOURCE = Vocab.build(WORDS)
TARGET = Vocab.build(WORDS, specials=["<bos>", "<eos>"])
MAX_TARGET = 8


@pytest.fixture(autouse=True)
def one_thread():
    """Models this small only wait for a second thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


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
