"""All pairs of nodes of each document, typed by what is known of them."""

import torch
from torch import Tensor

from tgraph_attn.models._document.documents import Documents

_SELF, _FROM_DOCUMENT, _TO_DOCUMENT, _WORDS = 0, 1, 2, 3
_PMI_BOUNDS = (1.0, 2.0, 3.0, 4.0)  # nats; a type for no positive PMI, and one between any two
_PMI_TYPES = len(_PMI_BOUNDS) + 2
_PLACES = 3  # far, earlier and near, later and near
_LATER = 2  # the type of a neighbour edge whose key comes later
NUM_PAIR_TYPES = _WORDS + _PMI_TYPES * _PLACES


def pair_types(
    documents: Documents, pmi: tuple[Tensor, Tensor], neighbour: tuple[Tensor, Tensor]
) -> tuple[Tensor, Tensor]:
    """Return every pair of nodes of one document, sorted by query, then key, and its type.

    A pair has a type of its own if it is a node with itself, if its key is the document node, and
    if its query is. A pair of words has one for its PMI (none above zero; up to 1, 2, 3, 4 nats;
    more) and its places (far; key at most so many positions earlier; later).

    Args:
        documents: The nodes.
        pmi: The edges of PMI, and their weights.
        neighbour: The edges of neighbours, and their types.

    Shapes:
        - **pmi**: `[2, E]` int64 and `[E]` floating
        - **neighbour**: `[2, E]` int64 and `[E]` int64
        - **output**: `[2, P]` int64, P the sum of squares of the documents' sizes; `[P]` int64 in
          `[0, NUM_PAIR_TYPES)`
    """
    graph, device = documents.graph, documents.x.device
    size = graph.bincount()
    start = size.cumsum(0) - size  # of the nodes of each document
    row_size = size[graph]  # [N]
    row_start = row_size.cumsum(0) - row_size  # of the pairs of each query
    query = torch.arange(len(graph), device=device).repeat_interleave(row_size)
    offset = start[graph] - row_start
    key = torch.arange(len(query), device=device) + offset[query]

    def place(edge_index: Tensor) -> Tensor:
        return edge_index[0] - offset[edge_index[1]]

    amount = torch.zeros_like(key)
    bounds = torch.tensor(_PMI_BOUNDS, device=device)
    amount[place(pmi[0])] = torch.bucketize(pmi[1], bounds) + 1
    near = torch.zeros_like(key)
    near[place(neighbour[0])] = (neighbour[1] == _LATER).long() + 1
    types = _WORDS + amount * _PLACES + near
    is_document = torch.zeros_like(graph, dtype=torch.bool)
    is_document[documents.document_index] = True
    types[is_document[key]] = _FROM_DOCUMENT
    types[is_document[query]] = _TO_DOCUMENT
    types[key == query] = _SELF
    return torch.stack([key, query]), types
