"""From the neighbouring words of a document to its class."""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

import torch
from torch import Tensor
from torch.nn import Linear, Module, Parameter
from torch.nn.functional import dropout, relu
from torch_geometric.data import Data

from tgraph_attn._checks import check_fraction, check_not_negative, check_positive
from tgraph_attn.convert.relation_edges import relation_edges
from tgraph_attn.models._document.documents import check_document_graph, check_documents
from tgraph_attn.models._document.predict import predict
from tgraph_attn.models._document.word_vectors import WordVectors, check_vectors
from tgraph_attn.models._labels import check_classes, classification_loss
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._prediction import Prediction
from tgraph_attn.ops.edge_aggregate import edge_aggregate
from tgraph_attn.transforms.document_graph import DocumentGraph


class TextLevelGNN(Module):
    """Tell the class of a document from its words, each seen with its neighbours.

    Each ordered pair of words that are neighbours often enough in the training documents has a
    weight w, the same in all documents; all other pairs share one. Each word n has a number eta::

        m[n] = elementwise maximum of w[j, n] * r[j] over the neighbours j of n, and n itself
        r'[n] = (1 - eta[n]) * m[n] + eta[n] * r[n]
        logits = W relu(dropout(sum of r' over the words)) + b

    Args:
        graph: Turns raw texts into graphs, with the relation "neighbour".
        classes: The names of the classes, by number.
        pairs: The pairs that have a weight of their own, from `pairs_of`; for a model that is to be
            loaded, how many they are.
        vectors: The first vectors of words, `[V, F]`, and which words have one, `[V]` bool, as
            `load_vectors` gives them, scaled to a standard deviation of 0.4; all are drawn if
            None.
        word_channels: The width of the vectors, F; that of `vectors` if these are given.
        dropout: Chance that a feature of a document is set to zero in training.
        keeps_own: Whether there is eta; without, r' is m, as in the released code.

    Shapes:
        - **batch**: a `Data`, or a batch of them, as `graph` makes them, and for `loss` **y**
          `[B]` int64
        - **output**: `[B, K]` the logits of the classes

    Raises:
        ValueError: A size does not fit, graph has no neighbours, pairs are not ascending, vectors
            are not of these words, there are fewer than two classes, or batch lacks
            neighbour_edge_index, or y.

    Examples:
        >>> from tgraph_attn.models import TextLevelGNN
        >>> from tgraph_attn.transforms import DocumentGraph
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "corn", "price"], specials=["<document>"])
        >>> graph = DocumentGraph(vocab, relations=["neighbour"])
        >>> pairs = TextLevelGNN.pairs_of([graph("oil price"), graph("the oil price")])
        >>> model = TextLevelGNN(graph, ["crude", "grain"], pairs)
        >>> model.predict("corn")[0].label in ("crude", "grain")
        True

    Source:
        Huang et al. (EMNLP 2019). Their released code has no eta, and its pairs are those with a
        positive PMI. Here as there dropout and ReLU come before the last linear map.
    """

    pairs: Tensor

    def __init__(
        self,
        graph: DocumentGraph,
        classes: Sequence[str],
        pairs: Tensor | int,
        *,
        vectors: tuple[Tensor, Tensor] | None = None,
        word_channels: int = 300,
        dropout: float = 0.5,
        keeps_own: bool = True,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        check_document_graph(owner, graph)
        num_words = len(graph.vocab)
        if vectors is not None:
            word_channels = check_vectors(owner, vectors, num_words)[0].size(1)
        check_positive(owner, word_channels=word_channels)
        check_fraction(owner, dropout=dropout)
        if "neighbour" not in graph.relations:
            raise ValueError(
                f"{owner}: graph must have the relation 'neighbour', but has "
                f"{list(graph.relations)}. Make it with relations=['neighbour']."
            )
        self.graph = graph
        self.classes = check_classes(owner, classes)
        self.dropout = dropout
        pairs = _check_pairs(owner, pairs)
        self.arguments: dict[str, Any] = {
            "classes": list(self.classes),
            "pairs": len(pairs),
            "word_channels": word_channels,
            "dropout": dropout,
            "keeps_own": keeps_own,
        }
        self.register_buffer("pairs", pairs)
        self.words = WordVectors(num_words, word_channels)
        if vectors is not None:
            self.words.set(*vectors)
        self.pair_weight = Parameter(torch.ones(len(pairs) + 1))  # the last one for all others
        self.eta = Parameter(torch.full((num_words,), 0.5)) if keeps_own else None
        self.lin_out = Linear(word_channels, len(self.classes))

    @staticmethod
    def pairs_of(documents: Iterable[Data], min_count: int = 2) -> Tensor:
        """Return the pairs of words that are neighbours in so many edges of training documents.

        Shapes:
            - **output**: `[M]` int64, ascending: 2^32 times the key's id, plus the query's
        """
        check_positive("TextLevelGNN.pairs_of", min_count=min_count)
        keys = [_pair(data.x, _neighbours(data)) for data in documents]
        if not keys:
            return torch.empty(0, dtype=torch.int64)
        pairs, count = torch.unique(torch.cat(keys), return_counts=True)
        return pairs[count >= min_count]

    def forward(self, batch: Data) -> Tensor:
        """Return the logits of each document's classes, `[B, K]`."""
        documents = check_documents(type(self).__name__, batch, len(self.graph.vocab))
        edge_index = _neighbours(batch)
        x = self.words(documents)
        weight = self.pair_weight[self._number(_pair(documents.x, edge_index))]
        seen = edge_aggregate(x, edge_index, weight, reduce="max")
        if self.eta is not None:
            eta = self.eta[documents.x].unsqueeze(1)
            seen = (1 - eta) * seen + eta * x
        size = len(documents.document_index)
        text = edge_aggregate(seen, documents.word_edges, num_queries=size)
        out: Tensor = self.lin_out(relu(dropout(text, self.dropout, self.training)))
        return out

    def _number(self, pair: Tensor) -> Tensor:
        """Return the place of each pair's weight."""
        if not len(self.pairs):
            return torch.zeros_like(pair)
        place = torch.searchsorted(self.pairs, pair).clamp(max=len(self.pairs) - 1)
        return torch.where(self.pairs[place] == pair, place, len(self.pairs))

    def loss(self, batch: Data) -> Tensor:
        """Return the mean cross entropy of the documents' classes: a scalar, in nats."""
        return classification_loss(type(self).__name__, self(batch), batch)

    def predict(self, documents: Data | str | Sequence[str]) -> list[Prediction]:
        """Return the likeliest class of each document, and the probability of each class.

        It runs in evaluation mode, whatever the model's is.

        Args:
            documents: A `Data`, a batch of them, a raw text, or several.
        """
        return predict(self, self.graph, self.classes, documents)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write config.json, weights.safetensors and the files of the graph to a folder.

        A model that is there already is replaced once all of this one is written.
        """
        save_folder(self, folder, self.arguments, self.graph.save)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Return what `save` wrote, on the CPU, to evaluate; warn if another version wrote it.

        Raises:
            FileNotFoundError: There is no such folder.
            ValueError: The folder holds something else, or files of more than one save.
        """
        return load_folder(cls, folder, lambda source: {"graph": DocumentGraph.load(source)})


def _check_pairs(owner: str, pairs: Tensor | int) -> Tensor:
    """Return pairs, zeros if it is but known how many; raise ValueError unless they ascend."""
    if isinstance(pairs, int):
        check_not_negative(owner, pairs=pairs)
        return torch.zeros(pairs, dtype=torch.int64)
    if pairs.dtype != torch.int64 or pairs.dim() != 1 or (pairs[1:] <= pairs[:-1]).any():
        raise ValueError(
            f"{owner}: pairs must be int64 of shape [M], ascending, but got {pairs.dtype} of shape "
            f"{list(pairs.shape)}. Make them with TextLevelGNN.pairs_of(documents)."
        )
    return pairs


def _neighbours(data: Data) -> Tensor:
    edges = relation_edges(data, ["neighbour"])["neighbour"]
    if edges is None:
        raise RuntimeError("only the relation full has no edges")
    return edges[0]


def _pair(x: Tensor, edge_index: Tensor) -> Tensor:
    """Return one number for the two words of each edge, `[E]`."""
    return (x[edge_index[0]] << 32) + x[edge_index[1]]
