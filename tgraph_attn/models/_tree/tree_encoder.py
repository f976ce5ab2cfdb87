"""From a batch of trees to what each node is in its tree."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Data

from tgraph_attn._checks import check_fraction, check_multiple, check_positive
from tgraph_attn.convert.relation_edges import relation_edges
from tgraph_attn.models._tree.check_relations import check_relations
from tgraph_attn.models._tree.check_trees import check_trees
from tgraph_attn.models._tree.encoder_convs import WITHOUT_RELATIONS, EncoderConvs, Weights
from tgraph_attn.models._tree.node_encoder import NodeEncoder
from tgraph_attn.models._tree.root_leak import check_root_leak, with_root_leak
from tgraph_attn.vocab import Vocab


class EncodedTrees(NamedTuple):
    """What an encoder makes of a batch.

    Attributes:
        nodes: The features of each node, `[N, F]`.
        graph: The tree of each node, `[N]` int64, in order.
        num_trees: How many trees there are, B.
    """

    nodes: Tensor
    graph: Tensor
    num_trees: int


def check_shape(
    owner: str,
    *,
    channels: int,
    layers: int,
    hidden: int,
    dropout: float,
    relations: Mapping[str, tuple[int, int]],
) -> int:
    """Return how many heads an encoder of this shape has; raise ValueError unless all fits."""
    sizes = {"channels": channels, "layers": layers, "hidden": hidden}
    check_positive(owner, **sizes)
    check_fraction(owner, dropout=dropout)
    heads = check_relations(owner, relations)
    check_multiple(owner, "channels", channels, heads, "the heads of all relations")
    return heads


class TreeEncoder(Module):
    """Read the graphs of a batch, and let the nodes of each see each other.

    It is the part that `ASTTrans` and `TreeClassifier` share; their docstrings say what its
    arguments are, and `check_shape` checks them. Whatever the encoder, `nodes` is the
    same, and begins the same with the same seed: `convs` is drawn last.
    """

    def __init__(
        self,
        owner: str,
        vocab: Vocab,
        *,
        encoder: str,
        channels: int,
        layers: int,
        relations: Mapping[str, tuple[int, int]],
        hidden: int,
        dropout: float,
        share_tables: bool = True,
        terms: Sequence[str] = ("key", "query", "value"),
        scale: float | None = None,
        positions: bool = False,
        legacy_root_leak: int | None = None,
    ) -> None:
        super().__init__()
        if legacy_root_leak is not None:
            check_positive(owner, legacy_root_leak=legacy_root_leak)
            check_root_leak(owner, encoder, relations, positions)
        self.owner = owner
        self.vocab = vocab
        self.relations = (
            {}
            if encoder in WITHOUT_RELATIONS
            else {name: (heads, reach) for name, (heads, reach) in relations.items()}
        )
        self.positions = positions
        self.legacy_root_leak = legacy_root_leak
        self.nodes = NodeEncoder(
            len(vocab), channels, layers=layers, hidden=hidden, dropout=dropout
        )
        if legacy_root_leak is not None:  # one height for all tables
            reach = max(max_distance for _, max_distance in relations.values())
            relations = {name: (heads, reach) for name, (heads, _) in relations.items()}
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

    def forward(self, batch: Data, weights: list[Weights] | None = None) -> EncodedTrees:
        """Return the nodes; each layer appends its attention to weights, if they are a list."""
        x, graph, num_trees = check_trees(self.owner, batch, self.vocab)
        edges = relation_edges(batch, self.relations)
        if self.legacy_root_leak is not None:
            leaking = with_root_leak(
                self.owner,
                *(x, graph, edges),
                num_trees=num_trees,
                length=self.legacy_root_leak,
                reaches={name: reach for name, (_, reach) in self.relations.items()},
            )
            convs = self.convs(leaking.edges, graph, weights, later=leaking.later)
            return EncodedTrees(self.nodes(leaking.x, convs)[leaking.where], graph, num_trees)
        parent_index = batch.parent_index if "parent_index" in batch else None
        place = None
        if self.positions:
            size = graph.bincount(minlength=num_trees)
            place = torch.arange(len(x), device=x.device) - (size.cumsum(0) - size)[graph]
        convs = self.convs(edges, graph, weights, parent_index)
        return EncodedTrees(self.nodes(x, convs, place), graph, num_trees)
