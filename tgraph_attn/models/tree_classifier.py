"""From a tree to its class."""

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

import torch
from torch import Tensor
from torch.nn import Dropout, LayerNorm, Linear, Module
from torch_geometric.data import Data
from torch_geometric.transforms import Compose

from tgraph_attn._checks import check_fraction, check_type
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._labels import check_classes, classification_loss
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._prediction import Prediction, prediction
from tgraph_attn.models._tree.encoder_convs import Weights
from tgraph_attn.models._tree.relation_transform import relation_transform
from tgraph_attn.models._tree.tree_encoder import TreeEncoder, check_shape
from tgraph_attn.ops.edge_aggregate import edge_aggregate
from tgraph_attn.vocab import Vocab

_VOCAB = "vocab.json"
_ANCESTOR_AND_SIBLING = MappingProxyType({"ancestor": (4, 7), "sibling": (4, 7)})


class TreeClassifier(Module):
    """Tell the class of each tree.

    Its encoder is that of `ASTTrans`. What it makes of the nodes is read at the root, and by their
    mean and maximum; these stand side by side and give the logits by a linear map. Whatever the
    encoder, everything but its convolutions, `model.encoder.convs`, is the same, and begins the
    same with the same seed::

        tree    TreeAttentionConv: each relation has its heads, and tables for its types
        bias    RelationAttentionConv along the edges of all relations, with a bias for each type
        gat     GATConv along every edge that is in any of the relations, types left aside
        gcn     GCNConv along the same edges
        self    SelfAttentionConv: every node attends to every node of its tree
        tree_lstm    TreeLSTM, from the leaves to the root

    Args:
        vocab: The numbering of `batch.x`.
        classes: The names of the classes, by number.
        encoder: One of these.
        channels: Features of a node, F, a multiple of the number of heads.
        layers: How many layers.
        relations: For each relation, how many heads attend along it, and its max_distance. All
            encoders have that many heads in all.
        hidden: Width of the feed-forward nets.
        dropout: Chance that a number is set to zero in training.
        share_tables: Whether all layers of "tree" have the same tables.
        label_smoothing: How much of a label is spread over all classes in training.

    Shapes:
        - **batch**: a `Data`, or a batch of them, with **x** `[N]` int64, for each relation of
          `model.relations` its **edge_index** and **edge_type** as the transforms write them, for
          the encoder "tree_lstm" **parent_index**, and for `loss` **y** `[B]` int64
        - **output**: `[B, K]` the logits of the classes

    Raises:
        TypeError: vocab is no `Vocab`, or an argument is of another type.
        ValueError: A size does not fit, the encoder is unknown, there are fewer than two classes,
            batch lacks a relation, parent_index, x or y, or (on CPU) an id or a type is out of
            range, or a relation was made with another max_distance.

    Examples:
        >>> from tgraph_attn.convert import tree_to_data
        >>> from tgraph_attn.models import TreeClassifier
        >>> from tgraph_attn.parse import parse_code
        >>> from tgraph_attn.vocab import Vocab
        >>> tree = parse_code("a + b", "python")
        >>> vocab = Vocab.build(tree.labels)
        >>> model = TreeClassifier(vocab, ["sum", "product"], channels=16, hidden=32)
        >>> [prediction] = model.predict(model.transform(tree_to_data(tree, vocab)))
        >>> prediction.label in ("sum", "product")
        True

    Source:
        The encoder "tree" is that of AST-Trans (Tang et al., ICSE 2022); "bias" has the biases of
        HIBRIDS (Cao and Wang, ACL 2022). The reading, and so the classifier, is ours.
    """

    def __init__(
        self,
        vocab: Vocab,
        classes: Sequence[str],
        *,
        encoder: str = "tree",
        channels: int = 96,
        layers: int = 2,
        relations: Mapping[str, tuple[int, int]] = _ANCESTOR_AND_SIBLING,
        hidden: int = 192,
        dropout: float = 0.1,
        share_tables: bool = True,
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        check_type(owner, "vocab", vocab, Vocab, "Pass POJ104.vocab, or Vocab.build(labels).")
        shape: dict[str, Any] = {
            "channels": channels,
            "layers": layers,
            "hidden": hidden,
            "dropout": dropout,
        }
        self.heads = check_shape(owner, relations=relations, **shape)
        check_fraction(owner, label_smoothing=label_smoothing)
        rest: dict[str, Any] = {"encoder": encoder, **shape, "share_tables": share_tables}
        self.vocab = vocab
        self.classes = check_classes(owner, classes)
        self.label_smoothing = label_smoothing
        self.arguments: dict[str, Any] = {
            "classes": list(self.classes),
            **rest,
            "relations": {name: list(pair) for name, pair in relations.items()},
            "label_smoothing": label_smoothing,
        }
        self.norm = LayerNorm(3 * channels)
        self.dropout = Dropout(dropout)
        self.lin_out = Linear(3 * channels, len(self.classes))
        # Last, so that the others begin the same whatever the encoder.
        self.encoder = TreeEncoder(owner, vocab, relations=relations, **rest)
        self.relations = self.encoder.relations

    @property
    def transform(self) -> Compose:
        """What adds the relations of the model to a tree, each up to its max_distance.

        Raises:
            ValueError: A relation needs more to be made, such as "dependency".
        """
        return relation_transform(type(self).__name__, self.relations)

    def forward(self, batch: Data) -> Tensor:
        """Return the logits of each tree's classes, `[B, K]`."""
        out: Tensor = self.lin_out(self.dropout(self._read(batch)))
        return out

    def loss(self, batch: Data) -> Tensor:
        """Return the mean cross entropy of the trees' classes: a scalar, in nats."""
        smoothing = self.label_smoothing if self.training else 0.0
        return classification_loss(type(self).__name__, self(batch), batch, smoothing)

    @torch.no_grad()
    def embed(self, batch: Data) -> Tensor:
        """Return a vector of length 1 for each tree, `[B, 3 F]`, in evaluation mode.

        Trees are alike as much as the product of their vectors says.
        """
        with evaluating(self):
            return torch.nn.functional.normalize(self._read(batch), dim=1)

    @torch.no_grad()
    def predict(self, batch: Data) -> list[Prediction]:
        """Return the likeliest class of each tree, and the probability of each class.

        It runs in evaluation mode, whatever the model's is, and reads no y.
        """
        with evaluating(self):
            probability = self(batch).float().softmax(dim=1).cpu()
        return [prediction(row, self.classes) for row in probability]

    @torch.no_grad()
    def attention(self, batch: Data) -> list[Weights]:
        """Return what the nodes attend to in each layer, in evaluation mode.

        Shapes:
            - **output**: for each layer `{relation: (edge_index, alpha)}`, `[2, E]` and
              `[E, heads]`; the relation is the encoder's name for the others but "tree"

        Raises:
            ValueError: The encoder is "gcn" or "tree_lstm".
        """
        weights: list[Weights] = []
        with evaluating(self):
            self._read(batch, weights)
        return weights

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write config.json, weights.safetensors and the vocabulary to a folder.

        A model that is there already is replaced once all of this one is written.
        """
        save_folder(self, folder, self.arguments, lambda aside: self.vocab.save(aside / _VOCAB))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Return what `save` wrote, on the CPU, to evaluate; warn if another version wrote it.

        Raises:
            FileNotFoundError: There is no such folder.
            ValueError: The folder holds something else, or files of more than one save.
        """
        return load_folder(cls, folder, lambda source: {"vocab": Vocab.load(source / _VOCAB)})

    def _read(self, batch: Data, weights: list[Weights] | None = None) -> Tensor:
        """Return the root, the mean and the maximum of each tree's nodes, `[B, 3 F]`."""
        nodes, graph, num_trees = self.encoder(batch, weights)
        size = graph.bincount(minlength=num_trees)
        of_nodes = torch.stack([torch.arange(len(graph), device=graph.device), graph])
        read = [
            edge_aggregate(nodes, of_nodes, reduce=reduce, num_queries=num_trees)
            for reduce in ("mean", "max")
        ]
        out: Tensor = self.norm(torch.cat([nodes[size.cumsum(0) - size], *read], dim=1))
        return out
