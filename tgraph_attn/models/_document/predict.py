"""Asking a model about documents."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch_geometric.data import Batch, Data

from tgraph_attn._checks import check_type
from tgraph_attn.models._evaluating import evaluating
from tgraph_attn.models._prediction import Prediction, prediction
from tgraph_attn.transforms.document_graph import DocumentGraph


def as_batch(owner: str, graph: DocumentGraph, documents: Data | str | Sequence[str]) -> Data:
    """Return documents as one batch; raw texts are turned into graphs first.

    Raises:
        TypeError: They are neither a `Data` nor texts.
        ValueError: There are none.
    """
    if isinstance(documents, Data):
        return documents
    texts = [documents] if isinstance(documents, str) else documents
    hint = "Pass a text, a list of texts, a Data or a batch of them."
    check_type(owner, "documents", texts, (list, tuple), hint)
    for text in texts:
        check_type(owner, "each text", text, str, hint)
    if not texts:
        raise ValueError(f"{owner}: documents must be at least one, but there are none. {hint}")
    batch: Data = Batch.from_data_list([graph(text) for text in texts])
    return batch


@torch.no_grad()
def predict(
    model: Module,
    graph: DocumentGraph,
    classes: Sequence[str],
    documents: Data | str | Sequence[str],
) -> list[Prediction]:
    """Return what the model says of each document, in evaluation mode."""
    batch = as_batch(f"{type(model).__name__}.predict", graph, documents)
    device = next(model.parameters()).device
    with evaluating(model):
        probability = model(batch.to(device)).float().softmax(dim=1).cpu()
    return [prediction(row, classes) for row in probability]


@contextmanager
def watching(convs: Sequence[Module], seen: list[tuple[Tensor, Tensor]]) -> Iterator[None]:
    """Let each layer append its edges and weights to a list when it is called."""

    def ask(_: Module, args: Any, given: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return args, {**given, "return_attention_weights": True}

    def keep(_: Module, __: Any, out: tuple[Tensor, tuple[Tensor, Tensor]]) -> Tensor:
        seen.append(out[1])
        return out[0]

    hooks = []
    for conv in convs:
        hooks.append(conv.register_forward_pre_hook(ask, with_kwargs=True))
        hooks.append(conv.register_forward_hook(keep))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def weights_of(document: int, edge_index: Tensor, alpha: Tensor) -> Tensor:
    """Return how much the document node attends to each node up to itself, `[document + 1]`."""
    weight = alpha.new_zeros(document + 1)
    to_document = edge_index[1] == document
    weight[edge_index[0, to_document]] = alpha[to_document].mean(1)
    return weight
