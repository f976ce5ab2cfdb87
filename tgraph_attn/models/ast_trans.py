"""From a syntax tree to a sequence of words."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Self

import torch
from torch import Tensor
from torch.nn import Module
from torch.nn.functional import cross_entropy
from torch_geometric.data import Data
from torch_geometric.utils import to_dense_batch

from tgraph_attn._checks import check_fraction, check_multiple, check_positive
from tgraph_attn.convert.relation_edges import relation_edges
from tgraph_attn.models._ast_trans.greedy_decode import greedy_decode
from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._model_folder import load_folder, save_folder
from tgraph_attn.models._tree.check_relations import check_relations
from tgraph_attn.models._tree.check_trees import check_targets, check_trees
from tgraph_attn.models._tree.encoder_convs import WITHOUT_RELATIONS, EncoderConvs
from tgraph_attn.models._tree.node_encoder import NodeEncoder
from tgraph_attn.vocab import Vocab

_SOURCE, _TARGET = "source_vocab.json", "target_vocab.json"
_ANCESTOR_AND_SIBLING = MappingProxyType({"ancestor": (1, 7), "sibling": (7, 7)})


class ASTTrans(Module):
    """Write a sequence of words about each tree: a name, or a summary.

    Nodes are embedded without positions, pre-norm encoder layers let them see each other along
    the relations of the tree, and a Transformer decoder attends to them and to the words so far.
    Whatever the encoder, everything but its convolutions, `model.convs`, is the same, and begins
    the same with the same seed::

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
            encoders and the decoder have that many heads in all.
        hidden: Width of the feed-forward nets.
        dropout: Chance that a number is set to zero in training.
        max_target: How many words a target has at most, `<eos>` included.
        share_tables: Whether all encoder layers have the same tables; in training all of them then
            miss the same elements.
        terms: Which tables there are, of "key", "query" and "value".
        scale: Factor on the products of a score; 1 / sqrt(C * number of products) if None, with
            the channels C of a head.
        label_smoothing: How much of each target is spread over all words.
        positions: Whether a node also tells its place in its graph: for sequences, such as code,
            whose nodes no edge puts in order.

    Shapes:
        - **batch**: a `Data`, or a batch of them, with **x** `[N]` int64, for each relation of
          `model.relations` its **edge_index** and **edge_type** as the transforms write them, and,
          but for `generate` and `predict`, **y**
        - **batch.y**: `[B, L]` int64, each row a target without `<bos>`, then `<eos>`, then 0; a
          lone graph has `[1, L]`; L at most max_target
        - **output**: `[B, L, V]` the logits of each word of y after those before it

    Raises:
        ValueError: A size does not fit, target_vocab lacks `<bos>` or `<eos>`, the encoder is
            unknown, batch lacks a relation, x or y, or (on CPU) an id or a type is out of range.

    Examples:
        >>> from tgraph_attn.convert import tree_to_data
        >>> from tgraph_attn.models import ASTTrans
        >>> from tgraph_attn.transforms import AddAncestorEdges, AddSiblingEdges
        >>> from tgraph_attn.tree import Tree
        >>> from tgraph_attn.vocab import Vocab
        >>> source, target = Vocab.build([*"abc"]), Vocab.build(["a"], specials=["<bos>", "<eos>"])
        >>> model = ASTTrans(source, target, channels=16, hidden=32, layers=1)
        >>> data = tree_to_data(Tree([-1, 0, 0], text=["a", "b", "c"]), source)
        >>> data = AddSiblingEdges(7)(AddAncestorEdges(7)(data))
        >>> [words] = model.predict(data)
        >>> len(words) <= 30
        True

    Source:
        AST-Trans (Tang et al., ICSE 2022), with the sizes of its released code, which shares tables
        likewise. Unlike there, edges are the same in all layers, each node attends to itself,
        padding is never seen, no logit is dropped, and scores have the paper's scale.
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
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        sizes = {"channels": channels, "layers": layers, "hidden": hidden, "max_target": max_target}
        check_positive(owner, **sizes)
        check_fraction(owner, dropout=dropout, label_smoothing=label_smoothing)
        self.heads = check_relations(owner, relations)
        check_multiple(owner, "channels", channels, self.heads, "the heads of all relations")
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
        self.positions = positions
        self.relations = {} if encoder in WITHOUT_RELATIONS else dict(relations)
        self.arguments = {
            "encoder": encoder,
            **sizes,
            "relations": {name: list(pair) for name, pair in relations.items()},
            "dropout": dropout,
            "share_tables": share_tables,
            "terms": list(terms),
            "scale": scale,
            "label_smoothing": label_smoothing,
            "positions": positions,
        }
        stack = {"layers": layers, "hidden": hidden}
        self.encoder = NodeEncoder(len(source_vocab), channels, **stack, dropout=dropout)
        self.decoder = TargetDecoder(
            len(target_vocab),
            channels,
            heads=self.heads,
            **stack,
            dropout=dropout,
            max_length=max_target,
        )
        # The only part that differs between encoders is drawn last, so that the others do not.
        self.convs = EncoderConvs(
            owner,
            encoder,
            channels,
            layers=layers,
            relations=relations,
            dropout=dropout,
            share_tables=share_tables,
            terms=terms,
            scale=scale,
        )

    def forward(self, batch: Data) -> Tensor:
        """Return the logits of each word of y after those before it, `[B, L, V]`."""
        memory, is_node = self._encode(batch)
        y = self._targets(batch, memory.size(0))
        return self.decoder.generator(self._states(y, memory, is_node))

    def loss(self, batch: Data) -> Tensor:
        """Return the mean cross entropy of the words of y, padding left out: a scalar, in nats."""
        memory, is_node = self._encode(batch)
        y = self._targets(batch, memory.size(0))
        word = y != Vocab.PAD
        longest = int(word.sum(dim=1).max())
        y, word = y[:, :longest], word[:, :longest]
        logits = self.decoder.generator(self._states(y, memory, is_node)[word])
        return cross_entropy(logits, y[word], label_smoothing=self.label_smoothing)

    @torch.no_grad()
    def generate(self, batch: Data, max_length: int | None = None) -> Tensor:
        """Return the likeliest word after those before it, until `<eos>`, for each tree.

        It runs in evaluation mode, whatever the model's is, and reads no y.

        Args:
            batch: The trees.
            max_length: How many words to write at most; max_target if None.

        Shapes:
            - **output**: `[B, L]` int64; each row ends with `<eos>`, unless it got too long, then
              has padding, 0
        """
        owner = f"{type(self).__name__}.generate"
        max_length = self.max_target if max_length is None else max_length
        check_positive(owner, max_length=max_length)
        if max_length > self.max_target:
            raise ValueError(
                f"{owner}: max_length must be at most max_target={self.max_target}, but got "
                f"{max_length}. Make the model with a greater max_target."
            )
        bos, eos = self.target_vocab.encode(["<bos>", "<eos>"])
        with evaluating(self):
            memory, is_node = self._encode(batch)
            return greedy_decode(
                self.decoder, memory, is_node, bos=bos, eos=eos, max_length=max_length
            )

    def predict(self, batch: Data) -> list[list[str]]:
        """Return the words that `generate` writes about each tree, without the special ones."""
        special = ("<pad>", "<bos>", "<eos>")
        rows = map(self.target_vocab.decode, self.generate(batch).tolist())
        return [[word for word in row if word not in special] for row in rows]

    @torch.no_grad()
    def attention(self, batch: Data) -> list[dict[str, tuple[Tensor, Tensor]]]:
        """Return what the nodes attend to in each encoder layer, in evaluation mode.

        Shapes:
            - **output**: for each layer `{relation: (edge_index, alpha)}`, `[2, E]` and
              `[E, heads]`; the relation is the encoder's name for the others but "tree"

        Raises:
            ValueError: The encoder is "gcn" or "tree_lstm".
        """
        weights: list[dict[str, tuple[Tensor, Tensor]]] = []
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
        """Return the model that `save` wrote, on the CPU, in evaluation mode.

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

    def _encode(
        self, batch: Data, weights: list[dict[str, tuple[Tensor, Tensor]]] | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the nodes of each tree, `[B, N, F]`, and where there is no padding, `[B, N]`."""
        x, graph, num_trees = check_trees(type(self).__name__, batch, self.source_vocab)
        edges = relation_edges(batch, self.relations)
        parent_index = batch.parent_index if "parent_index" in batch else None
        place = None
        if self.positions:
            size = graph.bincount(minlength=num_trees)
            place = torch.arange(len(x), device=x.device) - (size.cumsum(0) - size)[graph]
        nodes = self.encoder(x, self.convs(edges, graph, weights, parent_index), place)
        return to_dense_batch(nodes, graph, batch_size=num_trees)

    def _targets(self, batch: Data, num_trees: int) -> Tensor:
        owner = type(self).__name__
        return check_targets(owner, batch, self.target_vocab, num_trees, self.max_target)

    def _states(self, y: Tensor, memory: Tensor, is_node: Tensor) -> Tensor:
        """Return the state before each word of y, `[B, L, F]`."""
        (bos,) = self.target_vocab.encode(["<bos>"])
        before = torch.cat([torch.full_like(y[:, :1], bos), y[:, :-1]], dim=1)
        return self.decoder(before, memory, is_node)
