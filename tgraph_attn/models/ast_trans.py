"""From a syntax tree to a sequence of words."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import torch
from torch import Tensor
from torch.nn import Dropout, Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.transforms import Compose
from torch_geometric.utils import to_dense_batch

from tgraph_attn._checks import check_fraction, check_positive, check_type
from tgraph_attn.models._ast_trans.decode import decode
from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._tree.check_trees import check_targets
from tgraph_attn.models._tree.encoder_convs import Weights
from tgraph_attn.models._tree.relation_transform import relation_transform
from tgraph_attn.models._tree.tree_encoder import TreeEncoder, check_shape
from tgraph_attn.models.decoding_settings import DecodingSettings
from tgraph_attn.vocab import Vocab

_SOURCE, _TARGET = "source_vocab.json", "target_vocab.json"
_ANCESTOR_AND_SIBLING = MappingProxyType({"ancestor": (1, 7), "sibling": (7, 7)})


class ASTTrans(Module):
    """Write a sequence of words about each tree: a name, or a summary.

    Nodes are embedded without positions, pre-norm encoder layers let them see each other along
    the relations of the tree, and a Transformer decoder attends to them and to the words so far.
    Whatever the encoder, everything but its convolutions, `model.encoder.convs`, is the same, and
    begins the same with the same seed::

        tree    TreeAttentionConv: each relation has its heads, and tables for its types
        bias    RelationAttentionConv along the edges of all relations, with a bias for each type
        gat     GATConv along every edge that is in any of the relations, types left aside
        gcn     GCNConv along the same edges
        self    SelfAttentionConv: every node attends to every node of its tree
        tree_lstm    TreeLSTM, from the leaves to the root

    Args:
        source_vocab: The numbering of `batch.x`.
        target_vocab: The numbering of `batch.y`, with the specials `<bos>` and `<eos>`.
        encoder: One of these.
        channels: Features of a node and of a word, F, a multiple of the number of heads.
        layers: How many layers the encoder has, and the decoder.
        relations: For each relation, how many heads attend along it, and its max_distance. All
            encoders and the decoder have that many heads in all. The default is the released one
            for Java; for Python it is `{"ancestor": (1, 10), "sibling": (7, 5)}`.
        hidden: Width of the feed-forward nets.
        dropout: Chance that a number is set to zero in training.
        max_target: How many words a target has at most, `<eos>` included.
        share_tables: Whether all layers of "tree" have the same tables; in training all of them
            then miss the same elements.
        terms: Which tables "tree" has, of "key", "query" and "value".
        scale: Factor on the products of a score of "tree" and "bias"; 1 / sqrt(C * number of
            products) if None, with the channels C of a head.
        label_smoothing: How much of each target is spread over all words in training.
        positions: Whether a node also tells its place in its graph: for sequences, such as code,
            whose nodes no edge puts in order.
        legacy_root_leak: If not None, pad trees of the encoder "tree" to so many nodes, and in all
            layers but the first let each lack of an edge be one to the root; as many places attend
            to themselves as there are pairs. So does the released code, by mistake, with 200.
        legacy_logit_dropout: Chance that a logit is set to zero in training; there it is 0.2.

    Shapes:
        - **batch**: a `Data`, or a batch of them, with **x** `[N]` int64, for each relation of
          `model.relations` its **edge_index** and **edge_type** as the transforms write them, for
          the encoder "tree_lstm" **parent_index**, and, but for `generate` and `predict`, **y**
        - **batch.y**: `[B, L]` int64, each row a target without `<bos>`, then `<eos>`, then 0; a
          lone graph has `[1, L]`; L at most max_target
        - **output**: `[B, L, V]` the logits of each word of y after those before it

    Raises:
        TypeError: A vocabulary is no `Vocab`, or an argument is of another type.
        ValueError: A size does not fit, target_vocab lacks `<bos>` or `<eos>`, the encoder is
            unknown, batch lacks a relation, parent_index, x or y, or (on CPU) an id or a type is
            out of range.

    Examples:
        >>> from tgraph_attn.convert import tree_to_data
        >>> from tgraph_attn.models import ASTTrans
        >>> from tgraph_attn.tree import Tree
        >>> from tgraph_attn.vocab import Vocab
        >>> source, target = Vocab.build([*"abc"]), Vocab.build(["a"], specials=["<bos>", "<eos>"])
        >>> model = ASTTrans(source, target, channels=16, hidden=32, layers=1)
        >>> data = tree_to_data(Tree([-1, 0, 0], text=["a", "b", "c"]), source)
        >>> [words] = model.predict(model.transform(data))
        >>> len(words) <= 30
        True

    Source:
        AST-Trans (Tang et al., ICSE 2022), with the sizes of its released code, which shares tables
        likewise. Unlike there, edges are the same in all layers, each node attends to itself,
        padding is never seen, no logit is dropped, and scores have the paper's scale; `legacy_`
        arguments and `scale` bring back what is said there.
    """

    def __init__(
        self,
        source_vocab: Vocab,
        target_vocab: Vocab,
        *,
        encoder: str = "tree",
        channels: int = 256,
        layers: int = 4,
        relations: Mapping[str, tuple[int, int]] = _ANCESTOR_AND_SIBLING,
        hidden: int = 2048,
        dropout: float = 0.2,
        max_target: int = 30,
        share_tables: bool = True,
        terms: Sequence[str] = ("key", "query", "value"),
        scale: float | None = None,
        label_smoothing: float = 0.0,
        positions: bool = False,
        legacy_root_leak: int | None = None,
        legacy_logit_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        for name, vocab in (("source_vocab", source_vocab), ("target_vocab", target_vocab)):
            check_type(owner, name, vocab, Vocab, f"Pass CodeSummaries.{name}, or Vocab.build.")
        shape: dict[str, Any] = dict(
            channels=channels, layers=layers, hidden=hidden, dropout=dropout
        )
        self.heads = check_shape(owner, relations=relations, **shape)
        check_positive(owner, max_target=max_target)
        check_fraction(
            owner, label_smoothing=label_smoothing, legacy_logit_dropout=legacy_logit_dropout
        )
        of_encoder: dict[str, Any] = {
            "encoder": encoder,
            **shape,
            "relations": {name: list(pair) for name, pair in relations.items()},
            "share_tables": share_tables,
            "terms": list(terms),
            "scale": scale,
            "positions": positions,
            "legacy_root_leak": legacy_root_leak,
        }
        if "<bos>" not in target_vocab or "<eos>" not in target_vocab:
            raise ValueError(
                f"{owner}: target_vocab must have <bos> and <eos>, but its first tokens are "
                f"{list(target_vocab.tokens[:4])}. "
                'Make it with Vocab.build(tokens, specials=["<bos>", "<eos>"]).'
            )
        self.source_vocab = source_vocab
        self.target_vocab = target_vocab
        self.max_target = max_target
        self.label_smoothing = label_smoothing
        self.arguments = {
            **of_encoder,
            "max_target": max_target,
            "label_smoothing": label_smoothing,
            "legacy_logit_dropout": legacy_logit_dropout,
        }
        self.decoder = TargetDecoder(
            len(target_vocab), heads=self.heads, max_length=max_target, **shape
        )
        self.logit_dropout = Dropout(legacy_logit_dropout)
        # Last, so that the decoder begins the same whatever the encoder.
        self.encoder = TreeEncoder(owner, source_vocab, **of_encoder)
        self.relations = self.encoder.relations

    @property
    def transform(self) -> Compose:
        """What adds the relations of the model to a tree, each up to its max_distance.

        Raises:
            ValueError: A relation needs more to be made, such as "dependency".
        """
        return relation_transform(type(self).__name__, self.relations)

    def forward(self, batch: Data) -> Tensor:
        """Return the logits of each word of y after those before it, `[B, L, V]`."""
        memory, is_node = self._encode(batch)
        y = self._targets(batch, memory.size(0))
        return self._logits(self._states(y, memory, is_node))

    def loss(self, batch: Data) -> Tensor:
        """Return the mean cross entropy of the words of y, padding left out: a scalar, in nats."""
        memory, is_node = self._encode(batch)
        y = self._targets(batch, memory.size(0))
        word = y != Vocab.PAD
        longest = int(word.sum(dim=1).max())
        y, word = y[:, :longest], word[:, :longest]
        logits = self._logits(self._states(y, memory, is_node)[word])
        smoothing = self.label_smoothing if self.training else 0.0
        return cross_entropy(logits, y[word], label_smoothing=smoothing)

    @torch.no_grad()
    def generate(
        self,
        batch: Data,
        max_length: int | None = None,
        settings: DecodingSettings | None = None,
    ) -> Tensor:
        """Return a sequence of words for each tree: the likeliest word each time, until `<eos>`.

        It runs in evaluation mode, whatever the model's is, and reads no y.

        Args:
            batch: The trees.
            max_length: How many words to write at most; max_target if None.
            settings: How to look for other words than the likeliest, such as
                `DecodingSettings(beams=4)`; that needs transformers (extra `pretrained`).

        Shapes:
            - **output**: `[B, L]` int64; each row ends with `<eos>`, unless it got too long, then
              has padding, 0
        """
        with evaluating(self):
            memory, is_node = self._encode(batch)
            return decode(
                self.decoder,
                memory,
                is_node,
                self.target_vocab,
                max_length=max_length,
                settings=settings,
            )

    def predict(self, batch: Data, settings: DecodingSettings | None = None) -> list[list[str]]:
        """Return the words that `generate` writes about each tree, without the special ones."""
        special = ("<pad>", "<bos>", "<eos>")
        rows = map(self.target_vocab.decode, self.generate(batch, settings=settings).tolist())
        return [[word for word in row if word not in special] for row in rows]

    @torch.no_grad()
    def attention(self, batch: Data) -> list[dict[str, tuple[Tensor, Tensor]]]:
        """Return what the nodes attend to in each encoder layer, in evaluation mode.

        With a legacy_root_leak the nodes have their numbers in the padded trees.

        Shapes:
            - **output**: for each layer `{relation: (edge_index, alpha)}`, `[2, E]` and
              `[E, heads]`; the relation is the encoder's name for the others but "tree"

        Raises:
            ValueError: The encoder is "gcn" or "tree_lstm".
        """
        weights: list[Weights] = []
        with evaluating(self):
            self._encode(batch, weights)
        return weights

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write config.json, weights.safetensors and both vocabularies to a folder.

        A model that is there already is replaced once all of this one is written.
        """

        def write(aside: Path) -> None:
            self.source_vocab.save(aside / _SOURCE)
            self.target_vocab.save(aside / _TARGET)

        save_folder(self, folder, self.arguments, write)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Return what `save` wrote, on the CPU, to evaluate; warn if another version wrote it.

        Raises:
            FileNotFoundError: There is no such folder.
            ValueError: The folder holds something else, or files of more than one save.
        """

        def read(source: Path) -> dict[str, Vocab]:
            return {
                "source_vocab": Vocab.load(source / _SOURCE),
                "target_vocab": Vocab.load(source / _TARGET),
            }

        return load_folder(cls, folder, read)

    def _encode(self, batch: Data, weights: list[Weights] | None = None) -> tuple[Tensor, Tensor]:
        """Return the nodes of each tree, `[B, N, F]`, and where there is no padding, `[B, N]`."""
        nodes, graph, num_trees = self.encoder(batch, weights)
        return to_dense_batch(nodes, graph, batch_size=num_trees)

    def _targets(self, batch: Data, num_trees: int) -> Tensor:
        owner = type(self).__name__
        return check_targets(owner, batch, self.target_vocab, num_trees, self.max_target)

    def _logits(self, states: Tensor) -> Tensor:
        logits: Tensor = self.logit_dropout(self.decoder.generator(states))
        return logits

    def _states(self, y: Tensor, memory: Tensor, is_node: Tensor) -> Tensor:
        """Return the state before each word of y, `[B, L, F]`."""
        (bos,) = self.target_vocab.encode(["<bos>"])
        before = torch.cat([torch.full_like(y[:, :1], bos), y[:, :-1]], dim=1)
        return self.decoder(before, memory, is_node)
