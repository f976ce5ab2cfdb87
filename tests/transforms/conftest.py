import pytest
import torch

from tgraph_attn.convert import text_to_data, tree_to_data
from tgraph_attn.relations import WordStatistics
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab


@pytest.fixture
def graphs():
    """Four trees: a small one, two lone nodes, and one whose relations have as many edges."""
    parents = ([-1, 0, 1, 1, 0], [-1], [-1], [-1, 0, 1, 1, 0])
    return [tree_to_data(Tree(parent)) for parent in parents]


@pytest.fixture(scope="session")
def vocab():
    """The words oil 3, price 4, rises 5 and wheat 6."""
    return Vocab(["<pad>", "<unk>", "<document>", "oil", "price", "rises", "wheat"])


@pytest.fixture(scope="session")
def statistics(vocab):
    """Oil comes with price twice, and wheat once with price; rises is in two documents alone."""
    texts = ["oil price", "oil price", "wheat price", "rises", "rises", ""]
    return WordStatistics.count([vocab.encode(text.split()) for text in texts], len(vocab))


@pytest.fixture(params=["words", "tokens"])
def texts(request, vocab):
    """Five documents with heads and labels: one repeats words, one has none, two are as long."""
    sentences = {
        "oil price rises oil": ([1, 2, 2, 2], [0, 1, 2, 1]),
        "wheat": ([0], [2]),
        "": ([], []),
        "of the": ([1, 1], []),  # words that are not in the vocabulary
        "price oil wheat price": ([0, 0, 3, 0], [2, 0, 1, 1]),
    }
    made = []
    for sentence, (heads, labels) in sentences.items():
        data = text_to_data(sentence.split(), vocab, nodes=request.param, heads=heads)
        data.dependency = torch.tensor(labels, dtype=torch.int64)
        made.append(data)
    return made


@pytest.fixture
def edges_of():
    """The edges of one relation as a list of (key, query, type), in the order written."""

    def as_list(data, name, value="type"):
        data.validate()
        edge_index, edge_value = data[f"{name}_edge_index"], data[f"{name}_edge_{value}"]
        return list(zip(*edge_index.tolist(), edge_value.tolist(), strict=True))

    return as_list


@pytest.fixture
def same():
    """Whether two graphs or batches hold the same attributes, with the same values.

    PyG's batching makes a tensor of the mark `full`, and taking the batch apart leaves it one.
    """

    def check(one, other):
        if set(one.keys()) != set(other.keys()):
            return False
        values = [(one[key], other[key]) for key in one.keys() if key != "full"]
        if "full" in one:
            values += [(torch.as_tensor(d.full).flatten() for d in (one, other))]
        return all(torch.equal(a, b) if isinstance(a, torch.Tensor) else a == b for a, b in values)

    return check
