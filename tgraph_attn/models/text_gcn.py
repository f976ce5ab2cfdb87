"""From one graph of a whole corpus to the classes of its documents."""

import os
from collections.abc import Sequence
from typing import Any, Self

import torch
from torch import Tensor
from torch.nn import Linear, Module, Parameter
from torch.nn.functional import cross_entropy, dropout, relu
from torch_geometric.data import Data

from tgraph_attn._checks import check_fraction, check_positive, check_type
from tgraph_attn._checks_tensor import check_edges, check_weights
from tgraph_attn.convert.text_to_data import FIRST_WORD_ID
from tgraph_attn.models._document.word_vectors import check_vectors, scaled
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._labels import check_classes, check_labels, check_numbers
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._prediction import Prediction, prediction
from tgraph_attn.ops.edge_aggregate import edge_aggregate
from tgraph_attn.ops.symmetric_weight import symmetric_weight


class TextGCN(Module):
    """Tell the classes of all documents of a corpus at once, from one graph of them and all words.

    With A the weights of the corpus graph, and D its degrees::

        A_hat = D^-1/2 A D^-1/2
        logits = A_hat dropout(relu(A_hat X W_1)) W_2        read at the documents

    X is the identity: each document and each word has a row of W_1 of its own. With word_channels,
    as in Text-GCN*, each word has a trainable vector instead, and a document has the mean of those
    of its tokens; then there is dropout before the first layer too.

    It is transductive: it knows the documents of its graph and no others. `DocumentGNN` and
    `TextLevelGNN` take texts they have never seen.

    Args:
        classes: The names of the classes, by number.
        num_documents: How many documents the graph has.
        num_words: How many words it has.
        channels: Features of a node after the first layer.
        dropout: Chance that a feature is set to zero in training.
        vectors: The first vectors of words, `[V, F]` by id of the vocabulary, and which words have
            one, `[V]` bool, as `load_vectors` gives them, V = num_words + 3; they are scaled to a
            standard deviation of 0.4.
        word_channels: The width of trainable vectors; that of `vectors` if these are given; None
            for the identity.

    Shapes:
        - **corpus**: the `Data` that `corpus_graph` makes
        - **output**: `[num_documents, K]` the logits of the classes

    Raises:
        ValueError: A size does not fit, vectors are of other words, there are fewer than two
            classes, or corpus is another one.

    Examples:
        >>> from tgraph_attn.convert import corpus_graph
        >>> from tgraph_attn.models import TextGCN
        >>> from tgraph_attn.relations import WordStatistics
        >>> from tgraph_attn.transforms import DocumentGraph
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "corn"], specials=["<document>"])
        >>> statistics = WordStatistics.count([[3], [4]], num_words=5)
        >>> graph = DocumentGraph(vocab, statistics)
        >>> corpus = corpus_graph([graph("oil"), graph("corn")], statistics)
        >>> TextGCN(["crude", "grain"], num_documents=2, num_words=2)(corpus).shape
        torch.Size([2, 2])

    Source:
        Yao et al. (AAAI 2019), with the sizes of their released code, which has no bias. Text-GCN*
        is that of Jiang et al.
    """

    def __init__(
        self,
        classes: Sequence[str],
        *,
        num_documents: int,
        num_words: int,
        channels: int = 200,
        dropout: float = 0.5,
        vectors: tuple[Tensor, Tensor] | None = None,
        word_channels: int | None = None,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        sizes = {"num_documents": num_documents, "num_words": num_words, "channels": channels}
        check_positive(owner, **sizes)
        check_fraction(owner, dropout=dropout)
        if vectors is not None:
            values, found = check_vectors(owner, vectors, num_words + FIRST_WORD_ID)
            word_channels = values.size(1)
        self.classes = check_classes(owner, classes)
        self.num_documents, self.num_words = num_documents, num_words
        self.dropout = dropout
        self.arguments: dict[str, Any] = {
            "classes": list(self.classes),
            **sizes,
            "dropout": dropout,
            "word_channels": word_channels,
        }
        if word_channels is None:
            self.vectors = None
            self.first = Linear(num_documents + num_words, channels, bias=False)
        else:
            check_positive(owner, word_channels=word_channels)
            self.vectors = Parameter(torch.empty(num_words, word_channels).uniform_(-0.01, 0.01))
            self.first = Linear(word_channels, channels, bias=False)
        self.second = Linear(channels, len(self.classes), bias=False)
        for lin in (self.first, self.second):
            torch.nn.init.xavier_uniform_(lin.weight)
        if vectors is not None and self.vectors is not None:
            values, found = values[FIRST_WORD_ID:], found[FIRST_WORD_ID:]
            self.vectors.data[found] = scaled(values[found]).to(self.vectors)

    def forward(self, corpus: Data) -> Tensor:
        """Return the logits of each document's classes, `[num_documents, K]`."""
        edge_index, weight = self._edges(corpus)
        weight = weight.to(self.second.weight.dtype)
        if self.vectors is None:
            x = self.first.weight.t()
        else:
            x = self.first(dropout(self._features(corpus), self.dropout, self.training))
        x = relu(edge_aggregate(x.contiguous(), edge_index, weight))
        x = self.second(dropout(x, self.dropout, self.training))
        return edge_aggregate(x, edge_index, weight)[: self.num_documents]

    def loss(self, corpus: Data, documents: Tensor) -> Tensor:
        """Return the mean cross entropy of some documents, by number: a scalar, in nats.

        Raises:
            ValueError: documents are none, or not numbers of documents; corpus has no classes y, or
                one of these documents has none.
        """
        owner = f"{type(self).__name__}.loss"
        check_numbers(owner, self.num_documents, documents=documents)
        logits = self(corpus)[documents]
        asked = Data(y=None if corpus.y is None else corpus.y[documents])
        return cross_entropy(logits, check_labels(type(self).__name__, asked, logits))

    @torch.no_grad()
    def predict(self, corpus: Data) -> list[Prediction]:
        """Return what the model says of each document of the corpus, in evaluation mode.

        Raises:
            TypeError: corpus is a text: the model knows the documents of its graph only.
        """
        with evaluating(self):
            probability = self(corpus).softmax(dim=1).cpu()
        return [prediction(row, self.classes) for row in probability]

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write config.json and weights.safetensors to a folder."""
        save_folder(self, folder, self.arguments, lambda _: None)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Return the model that `save` wrote, on the CPU, in evaluation mode.

        Raises:
            FileNotFoundError: There is no such folder.
            ValueError: The folder holds something else, or files of more than one save.
        """
        return load_folder(cls, folder, lambda _: {})

    def _edges(self, corpus: Data) -> tuple[Tensor, Tensor]:
        """Return the edges, and A_hat."""
        owner = type(self).__name__
        hint = "It knows the corpus that it was made for, from corpus_graph."
        check_type(owner, "corpus", corpus, Data, hint)
        have = {"num_documents": corpus.get("num_documents"), "num_nodes": corpus.num_nodes}
        want = {
            "num_documents": self.num_documents,
            "num_nodes": self.num_documents + self.num_words,
        }
        if have != want:
            raise ValueError(f"{owner}: corpus must have {want}, but has {have}. {hint}")
        if corpus.edge_weight is None:
            raise ValueError(f"{owner}: corpus must have edge_weight, but has none. {hint}")
        check_edges(owner, corpus.edge_index, edge_weight=corpus.edge_weight)
        check_weights(owner, corpus.edge_weight)
        size = corpus.num_nodes
        return corpus.edge_index, symmetric_weight(corpus.edge_index, corpus.edge_weight, size)

    def _features(self, corpus: Data) -> Tensor:
        """Return the mean of its words for each document, then the words, `[N, F]`."""
        if self.vectors is None:
            raise RuntimeError("the identity has no features")
        of_token = corpus.token_index - self.num_documents
        document = torch.arange(self.num_documents, device=of_token.device)
        edges = torch.stack([of_token, document.repeat_interleave(corpus.num_tokens)])
        mean = edge_aggregate(self.vectors, edges, reduce="mean", num_queries=self.num_documents)
        return torch.cat([mean, self.vectors])
