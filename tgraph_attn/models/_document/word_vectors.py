"""The first features of the nodes of documents: vectors of words, and their mean."""

import torch
from torch import Tensor
from torch.nn import Embedding, Module
from torch.nn.functional import dropout

from tgraph_attn._checks import check_type
from tgraph_attn.models._document.documents import Documents
from tgraph_attn.ops.edge_aggregate import edge_aggregate

_STD = 0.4  # of a number in GloVe's vectors of 300 dimensions; a step of Adam is the same for all
_COUNTS = 6  # once, twice, ... or at least 6 times
_PLACES = 12  # first words, then ranges that grow by half


class WordVectors(Module):
    """A trainable vector for each word; a document's is the mean of those of its tokens.

    Args:
        num_words: How many ids there are, V.
        channels: The width of a vector, F.
        dropout: Chance that the vector of a word node is set to zero as a whole in training.
        counts_and_places: Whether how often a text has a word, and how early, each adds a vector.

    Shapes:
        - **output**: `[N, F]`; zeros for a document without words
    """

    def __init__(
        self,
        num_words: int,
        channels: int,
        *,
        dropout: float = 0.0,
        counts_and_places: bool = False,
    ) -> None:
        super().__init__()
        self.dropout = dropout
        self.table = Embedding(num_words, channels)
        self.counts = Embedding(_COUNTS, channels) if counts_and_places else None
        self.places = Embedding(_PLACES, channels) if counts_and_places else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all vectors anew, as Text-GCN draws those of words without one."""
        torch.nn.init.uniform_(self.table.weight, -0.01, 0.01)
        for table in (self.counts, self.places):
            if table is not None:
                torch.nn.init.normal_(table.weight, std=0.05)

    @torch.no_grad()
    def set(self, vectors: Tensor, found: Tensor) -> None:
        """Let the words that are found, `[V]`, have these vectors, `[V, F]`, scaled."""
        self.table.weight[found] = scaled(vectors[found]).to(self.table.weight)

    def forward(self, documents: Documents) -> Tensor:
        """Return the features of each node."""
        x = self.table(documents.x)
        kept = dropout(x.new_ones(x.size(0), 1), self.dropout, self.training)
        x = x * kept
        if self.counts is not None and self.places is not None:
            count, place = count_and_place(documents)
            x = x + self.counts(count) + self.places(place)
        mean = edge_aggregate(
            x, documents.token_edges, reduce="mean", num_queries=len(documents.document_index)
        )
        return x.index_copy(0, documents.document_index, mean)


def scaled(vectors: Tensor) -> Tensor:
    """Return vectors times the number that gives them a standard deviation of 0.4."""
    if not len(vectors):
        return vectors
    deviation = vectors.float().std(correction=0)
    return vectors if deviation == 0 else vectors * (_STD / deviation)


def count_and_place(documents: Documents) -> tuple[Tensor, Tensor]:
    """Return the class of each node's count in its text, and of its place, `[N]` int64 both."""
    num_nodes, device = len(documents.x), documents.x.device
    count = documents.token_edges[0].bincount(minlength=num_nodes)
    size = documents.graph.bincount()
    start = (size.cumsum(0) - size)[documents.graph]
    place = torch.arange(num_nodes, device=device) - start
    ranges = ((place + 1).float().log2() * 1.5).long()
    return (count - 1).clamp(0, _COUNTS - 1), ranges.clamp(max=_PLACES - 1)


def check_vectors(
    owner: str, vectors: tuple[Tensor, Tensor], num_words: int
) -> tuple[Tensor, Tensor]:
    """Return vectors, or raise ValueError unless they have a row for each of the words."""
    hint = "Load them for this vocabulary: load_vectors(path, vocab)."
    check_type(owner, "vectors", vectors, tuple, f"Pass values, and which words have one. {hint}")
    values, found = vectors[:2]
    kinds = (values.dim(), values.is_floating_point(), found.dtype)
    if kinds != (2, True, torch.bool) or (len(values), *found.shape) != (num_words, num_words):
        raise ValueError(
            f"{owner}: vectors must be floating [{num_words}, F] and bool [{num_words}], a row for "
            f"each word of the vocabulary, but got {values.dtype} {list(values.shape)} and "
            f"{found.dtype} {list(found.shape)}. {hint}"
        )
    if not values[found].isfinite().all():
        raise ValueError(
            f"{owner}: vectors must be finite for words that have one, but some are not. {hint}"
        )
    return values, found
