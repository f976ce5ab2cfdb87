"""What a model takes from a batch of documents."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import check_batch, check_ids
from tgraph_attn.transforms.document_graph import DocumentGraph


class Documents(NamedTuple):
    """The nodes of a batch of documents, and the words among them.

    Shapes:
        - **x**: `[N]` int64, the id of each node's word
        - **graph**: `[N]` int64, the document of each node
        - **document_index**: `[B]` int64, the document node of each document
        - **word_edges**: `[2, N - B]` int64, from each word node to its document, for
          `edge_aggregate`, sorted by document
        - **token_edges**: `[2, L]` int64, the same for each token
    """

    x: Tensor
    graph: Tensor
    document_index: Tensor
    word_edges: Tensor
    token_edges: Tensor


def check_documents(owner: str, batch: Data, num_words: int) -> Documents:
    """Return the documents of a batch.

    Raises:
        TypeError: batch is no `Data`.
        ValueError: batch.x are not ids, it lacks what `text_to_data` writes, batch.batch is not
            sorted, or a document has not one document node.
    """
    hint = "Make it with DocumentGraph and PyG's DataLoader or Batch."
    check_type(owner, "batch", batch, Data, hint)
    x = check_ids(owner, "x", batch.x, ("N",), num_words)
    missing = [name for name in ("token_index", "document_index") if name not in batch]
    if missing:
        raise ValueError(
            f"{owner}: batch must have token_index and document_index, but lacks {missing}. {hint}"
        )
    graph = torch.zeros_like(x) if batch.batch is None else batch.batch
    check_batch(owner, graph, x.size(0))
    document_index, token_index = batch.document_index, batch.token_index
    num_documents = batch.num_graphs if isinstance(batch, Batch) else 1
    if not torch.equal(graph[document_index], torch.arange(num_documents, device=x.device)):
        raise ValueError(
            f"{owner}: each of the {num_documents} documents must have one document node, but "
            f"document_index is {document_index.tolist()}. {hint}"
        )
    is_word = torch.ones_like(x, dtype=torch.bool)
    is_word[document_index] = False
    word = is_word.nonzero().squeeze(1)
    return Documents(
        x,
        graph,
        document_index,
        torch.stack([word, graph[word]]),
        torch.stack([token_index, graph[token_index]]),
    )


def check_document_graph(owner: str, graph: object) -> None:
    """Raise TypeError unless graph is a DocumentGraph."""
    hint = "Pass the one that made the documents: TextCorpus.graph, for example."
    check_type(owner, "graph", graph, DocumentGraph, hint)
