"""The layers by which the words of a document see each other: one of five kinds."""

from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Data

from tgraph_attn._checks import check_choice
from tgraph_attn._checks_tensor import check_range
from tgraph_attn.convert.relation_edges import relation_edges
from tgraph_attn.models._document.documents import Documents
from tgraph_attn.models._document.pair_types import NUM_PAIR_TYPES, pair_types
from tgraph_attn.nn.conv.gat_conv import GATConv
from tgraph_attn.nn.conv.gcn_conv import GCNConv
from tgraph_attn.nn.conv.relation_attention_conv import RelationAttentionConv
from tgraph_attn.nn.conv.self_attention_conv import SelfAttentionConv
from tgraph_attn.ops.symmetric_weight import symmetric_weight

# What each kind reads; "labelled_gcn" takes "dependency" for "neighbour" where there are heads.
RELATIONS: dict[str, tuple[str, ...]] = {
    "gcn": ("pmi", "tfidf"),
    "self_attention": (),
    "gat": ("pmi", "tfidf"),
    "labelled_gcn": ("neighbour", "tfidf"),
    "relation_attention": ("pmi", "neighbour"),
}
_LABELS = 5  # earlier, self, later; from words to the document, and back


def document_conv(conv: str, in_channels: int, out_channels: int, heads: int) -> Module:
    """Return a layer of this kind, `[N, in_channels]` to `[N, out_channels]`, without bias.

    out_channels is a multiple of heads, which stand side by side; "gcn" and "labelled_gcn" have
    none.
    """
    check_choice("DocumentGNN", "conv", conv, RELATIONS)
    if conv == "gcn":
        return GCNConv(in_channels, out_channels, normalize=False, bias=False)
    if conv == "labelled_gcn":
        return GCNConv(in_channels, out_channels, num_types=_LABELS)
    width = out_channels // heads
    if conv == "self_attention":
        return SelfAttentionConv(in_channels, width, heads=heads)
    if conv == "gat":
        return GATConv(in_channels, width, heads=heads, bias=False)
    return RelationAttentionConv(in_channels, width, num_types=NUM_PAIR_TYPES, heads=heads)


def conv_inputs(conv: str, batch: Data, documents: Documents) -> dict[str, Any]:
    """Return what each layer of a kind takes beside x, made once for all layers.

    Raises:
        ValueError: batch lacks a relation, or its types or weights.
    """
    if conv == "self_attention":
        return {"batch": documents.graph}
    names = list(RELATIONS[conv])
    if conv == "labelled_gcn" and "dependency_edge_index" in batch:
        names[0] = "dependency"
    (first, detail), (second, other) = (_edges(batch, name) for name in names)
    if conv == "relation_attention":
        edge_index, edge_type = pair_types(documents, (first, detail), (second, other))
        return {"edge_index": edge_index, "edge_type": edge_type}
    edge_index = torch.cat([first, second], dim=1)
    num_nodes = documents.x.size(0)
    order = (edge_index[1] * num_nodes + edge_index[0]).argsort()  # by query, then key
    edge_index = edge_index[:, order]
    if conv == "gat":
        return {"edge_index": edge_index}
    if conv == "labelled_gcn":
        check_range("DocumentGNN", f"{names[0]}_edge_type", detail, _LABELS - 2)
        is_document = torch.zeros_like(documents.x).index_fill(0, documents.document_index, 1)
        edge_type = torch.cat([detail, _LABELS - 1 - is_document[second[1]]])[order]
        return {"edge_index": edge_index, "edge_type": edge_type}
    weight = torch.cat([detail, other])[order]
    return {
        "edge_index": edge_index,
        "edge_weight": symmetric_weight(edge_index, weight, num_nodes),
    }


def _edges(batch: Data, name: str) -> tuple[Tensor, Tensor]:
    """Return the edges of a relation, and their weights, or their types."""
    edges = relation_edges(batch, [name])[name]
    detail = None if edges is None else edges[2] if name in ("pmi", "tfidf") else edges[1]
    if edges is None or detail is None:
        kind = "weight" if name in ("pmi", "tfidf") else "type"
        raise ValueError(
            f"DocumentGNN: batch must have {name}_edge_{kind}, but lacks it. Make the documents "
            f"with a DocumentGraph whose relations hold {name!r}."
        )
    return edges[0], detail
