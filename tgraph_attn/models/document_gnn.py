"""From the graph of a document to its class."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Self

import torch
from torch import Tensor
from torch.nn import Linear, Module
from torch_geometric.data import Data

from tgraph_attn._checks import (
    check_fraction,
    check_multiple,
    check_not_negative,
    check_positive,
)
from tgraph_attn.models._document.document_convs import conv_inputs
from tgraph_attn.models._document.documents import Documents, check_document_graph, check_documents
from tgraph_attn.models._document.linear_path import LinearPath, fit_beside
from tgraph_attn.models._document.piece_encoder import PieceEncoder, encode, pretrained
from tgraph_attn.models._document.predict import as_batch, predict, watching, weights_of
from tgraph_attn.models._document.skeleton_layers import skeleton_layers
from tgraph_attn.models._document.word_vectors import WordVectors, check_vectors
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._labels import check_classes, check_prior, classification_loss
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._prediction import Prediction
from tgraph_attn.transforms.document_graph import DocumentGraph


class DocumentGNN(Module):
    """Tell the class of a document from the graph of its words.

    Words have trainable vectors, the document node begins as the mean of those of its tokens, and
    layers of one kind let the nodes see each other::

        gcn                  GCNConv along PMI and TF-IDF edges, by their weights A:
                             D^-1/2 A D^-1/2
        self_attention       SelfAttentionConv: every node attends to every node of its document
        gat                  GATConv along PMI and TF-IDF edges, their weights left aside
        labelled_gcn         GCNConv with a matrix for each kind of edge: from the word before, from
                             the word after, itself, from words to the document, and back
        relation_attention   RelationAttentionConv: as self_attention, with a learned bias for each
                             kind of pair, told by PMI and by places

    "gcn" and "self_attention" differ in nothing but the matrix between nodes: fixed in the one,
    learned in the other. Around the layers there is one of two skeletons::

        plain      two layers with dropout before each and ReLU between them, read at the document
                   node
        residual   layers with residuals and norms, if asked with feed-forward parts; read at the
                   document node, and from the mean and the maximum of the word nodes

    Args:
        graph: Turns raw texts into graphs: `TextCorpus.graph`, for example.
        classes: The names of the classes, by number.
        conv: The kind of layer.
        skeleton: "plain" or "residual".
        vectors: The first vectors of words `[V, F]`, and which words have one, `[V]` bool, as from
            `load_vectors`; scaled to a standard deviation of 0.4. All are drawn if None.
        word_channels: The width of the vectors, F; that of `vectors` if these are given.
        channels: Features of a node between layers.
        layers: How many layers; plain has two.
        heads: How many heads a layer has; the last one of plain has one.
        feed_forward: Width of the feed-forward parts of residual; 0 for none.
        dropout: Chance that a feature is set to zero in training.
        word_dropout: Chance that the vector of a word node is set to zero in training.
        label_smoothing: How much of a label is spread over all classes in training.
        class_prior: A positive number for each class; its logarithm is added to the logits in the
            loss, and so need not be learned (Menon et al., ICLR 2021). Roots of the counts help.
        counts_and_places: Whether the first features of a word node also tell how often the text
            has the word, and how early.
        encoder: A pre-trained model of transformers (extra `pretrained`), such as BERT, whose
            vector of each node is added to the first features; `graph` has its tokenizer.
        frozen: Whether the encoder's weights stay. Then `encode` spares running it in each epoch.
        linear_path: Whether there is a linear classifier of words and sub-words beside the layers.
            It takes no part until `fit_linear_path` has been called.

    Shapes:
        - **batch**: a `Data`, or a batch of them, as `graph` makes them, and for `loss` **y**
          `[B]` int64
        - **output**: `[B, K]` the logits of the classes

    Raises:
        ValueError: A size does not fit, a name is unknown, vectors are not of these words, there
            are fewer than two classes, or batch lacks a relation, or y.

    Examples:
        >>> from tgraph_attn.models import DocumentGNN
        >>> from tgraph_attn.transforms import DocumentGraph
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "corn"], specials=["<document>"])
        >>> model = DocumentGNN(DocumentGraph(vocab, relations=[]), ["crude", "grain"])
        >>> [prediction] = model.predict(["The price of oil"])
        >>> prediction.label in ("crude", "grain"), round(sum(prediction.probabilities.values()), 5)
        (True, 1.0)

    Source:
        "gcn" and "self_attention", plain: the comparison of graph convolution with self-attention
        by Jiang et al. (Journal of Chinese Information Processing), where neither depth, width nor
        readout is told: ours are those of Text-GCN. The skeleton residual is ours.
    """

    log_prior: Tensor | None

    def __init__(
        self,
        graph: DocumentGraph,
        classes: Sequence[str],
        *,
        conv: str = "self_attention",
        skeleton: str = "residual",
        vectors: tuple[Tensor, Tensor] | None = None,
        word_channels: int = 300,
        channels: int = 200,
        layers: int = 2,
        heads: int = 1,
        feed_forward: int = 0,
        dropout: float = 0.5,
        word_dropout: float = 0.0,
        label_smoothing: float = 0.0,
        class_prior: Sequence[float] | None = None,
        counts_and_places: bool = False,
        encoder: Module | Mapping[str, Any] | None = None,
        frozen: bool = True,
        linear_path: bool = False,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        check_document_graph(owner, graph)
        if vectors is not None:
            word_channels = check_vectors(owner, vectors, len(graph.vocab))[0].size(1)
        sizes = {"word_channels": word_channels, "channels": channels, "layers": layers}
        check_positive(owner, **sizes, heads=heads)
        check_multiple(owner, "channels", channels, heads, "heads")
        chances = {"dropout": dropout, "word_dropout": word_dropout}
        check_fraction(owner, **chances, label_smoothing=label_smoothing)
        check_not_negative(owner, feed_forward=feed_forward)
        self.graph = graph
        self.classes = check_classes(owner, classes)
        self.conv = conv
        self.label_smoothing = label_smoothing
        log_prior = check_prior(owner, class_prior, self.classes)
        self.register_buffer("log_prior", log_prior, persistent=False)
        self.arguments: dict[str, Any] = {
            "classes": list(self.classes),
            "conv": conv,
            "skeleton": skeleton,
            **sizes,
            "heads": heads,
            "feed_forward": feed_forward,
            **chances,
            "label_smoothing": label_smoothing,
            "class_prior": None if class_prior is None else [float(p) for p in class_prior],
            "counts_and_places": counts_and_places,
            "encoder": None,
            "frozen": frozen,
            "linear_path": linear_path,
        }
        size = (len(graph.vocab), word_channels)
        self.words = WordVectors(*size, dropout=word_dropout, counts_and_places=counts_and_places)
        if vectors is not None:
            self.words.set(*vectors)
        self.encoder = self.lin_encoder = None
        if encoder is not None:
            model = pretrained(owner, encoder, graph.max_pieces)
            self.encoder = PieceEncoder(model, frozen=frozen)
            self.arguments["encoder"] = self.encoder.config
            self.lin_encoder = Linear(self.encoder.config["hidden_size"], word_channels)
        shape = {**sizes, "heads": heads, "feed_forward": feed_forward}
        self.layers = skeleton_layers(skeleton, conv, len(self.classes), shape, dropout)
        self.linear_path = LinearPath(graph.vocab, len(self.classes)) if linear_path else None

    def forward(self, batch: Data) -> Tensor:
        """Return the logits of each document's classes, `[B, K]`."""
        logits, documents = self._of_layers(batch)
        return logits if self.linear_path is None else self.linear_path.beside(logits, documents)

    def _of_layers(self, batch: Data) -> tuple[Tensor, Documents]:
        documents = check_documents(type(self).__name__, batch, len(self.graph.vocab))
        given = conv_inputs(self.conv, batch, documents)
        return self.layers(self._features(batch, documents), documents, given), documents

    def _features(self, batch: Data, documents: Documents) -> Tensor:
        x = self.words(documents)
        if self.encoder is not None and self.lin_encoder is not None:
            x = x + self.lin_encoder(self.encoder(batch, documents))
        return x

    def loss(self, batch: Data) -> Tensor:
        """Return the mean cross entropy of the documents' classes: a scalar, in nats."""
        owner = type(self).__name__
        if self.training and self.linear_path is not None and self.linear_path.is_fitted:
            raise ValueError(
                f"{owner}.loss: the linear path must not be fitted while the layers are trained, "
                "but knows the validation documents. Call model.linear_path.reset() before."
            )
        return classification_loss(owner, self(batch), batch, self.label_smoothing, self.log_prior)

    @torch.no_grad()
    def encode(self, documents: Sequence[Data], *, log: bool = True) -> list[Data]:
        """Return copies of documents that bring what the frozen encoder says of them.

        Raises:
            ValueError: The model has no encoder, or one that is trained.
        """
        owner = f"{type(self).__name__}.encode"
        return encode(owner, self.encoder, documents, len(self.graph.vocab), log=log)

    @torch.no_grad()
    def fit_linear_path(
        self, train: Sequence[Data], validation: Sequence[Data], *, refit: bool = True
    ) -> float:
        """Fit the linear classifier beside the layers, and how much of each is heard.

        Both are weighed so that the cross entropy of the validation documents is smallest, with a
        linear classifier of the training documents, those that the layers were trained on.

        Args:
            train: The documents that the layers were trained on.
            validation: Others.
            refit: Whether it is then fitted again, on all of them: then none of them tests it.

        Returns:
            The fraction of the validation documents that are right before that.

        Raises:
            ValueError: The model was made without a linear path; a part has no documents, or they
                have no y; or train has one class. An earlier fit stays.
        """
        owner = f"{type(self).__name__}.fit_linear_path"
        with evaluating(self):
            given = (self.linear_path, lambda part: self._of_layers(part)[0], train, validation)
            return fit_beside(owner, *given, len(self.graph.vocab), refit=refit)

    def predict(self, documents: Data | str | Sequence[str]) -> list[Prediction]:
        """Return the likeliest class of each document, and the probability of each class.

        It runs in evaluation mode, whatever the model's is. A text without any known word gets
        what the model makes of an empty one. Documents are a `Data`, a batch, a text, or several.
        """
        return predict(self, self.graph, self.classes, documents)

    @torch.no_grad()
    def attention(self, documents: Data | str | Sequence[str]) -> list[tuple[Tensor, Tensor]]:
        """Return along which edges each layer attends, and how much, in evaluation mode.

        Shapes:
            - **output**: for each layer edge_index `[2, E]` and alpha `[E, H]`; those of "gcn" are
              its fixed weights, the same in all layers

        Raises:
            ValueError: The layers are "labelled_gcn", which have no weights, or a document is too
                large for all pairs to be listed.
        """
        owner = f"{type(self).__name__}.attention"
        if self.conv == "labelled_gcn":
            raise ValueError(
                f'{owner}: conv must have weights to return, but is "labelled_gcn". Make the model '
                "with another one."
            )
        batch = as_batch(owner, self.graph, documents).to(next(self.parameters()).device)
        seen: list[tuple[Tensor, Tensor]] = []
        with evaluating(self):
            found = check_documents(owner, batch, len(self.graph.vocab))
            given = conv_inputs(self.conv, batch, found)
            if self.conv == "gcn":
                once = (given["edge_index"], given["edge_weight"].unsqueeze(1))
                return [once] * len(self.layers.convs)
            with watching(list(self.layers.convs), seen):
                self.layers(self._features(batch, found), found, given)
        return seen

    def word_weights(self, text: str) -> list[tuple[str, float]]:
        """Return the word of each word node of a text, and how much the document attends to it.

        It is the last layer's, the mean over its heads; what goes to the document node is left out.
        """
        data = self.graph(text)
        edge_index, alpha = self.attention(data)[-1]
        weight = weights_of(int(data.document_index), edge_index, alpha)
        return list(zip(self.graph.vocab.decode(data.x[:-1]), weight[:-1].tolist(), strict=True))

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
