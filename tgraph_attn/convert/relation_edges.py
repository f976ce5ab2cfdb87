"""The edges of each relation of a graph or batch, as the layers want them."""

from collections.abc import Iterable
from typing import NoReturn

import torch
from torch import Tensor
from torch_geometric.data import Data

from tgraph_attn._checks import check_type
from tgraph_attn._checks_tensor import check_edges

Edges = tuple[Tensor, Tensor | None, Tensor | None]

_TRANSFORMS = {
    "ancestor": "AddAncestorEdges",
    "dependency": "AddDependencyEdges",
    "full": "AddFullEdges",
    "neighbour": "AddNeighbourEdges",
    "path_level": "AddPathLevelEdges",
    "pmi": "AddPMIEdges",
    "sibling": "AddSiblingEdges",
    "tfidf": "AddTFIDFEdges",
    "window": "AddWindowEdges",
}


def relation_edges(data: Data, names: Iterable[str]) -> dict[str, Edges | None]:
    """Return the edges, types and weights of each relation that is asked for.

    The relation `ancestor` is what `data.ancestor_edge_index`, `data.ancestor_edge_type` and
    `data.ancestor_edge_weight` hold; the last two may be missing. `full` has no edges: each node
    attends to every node of its graph.

    Args:
        data: One graph, or a batch of them.
        names: The relations, such as `["ancestor", "sibling"]`.

    Returns:
        For each name (edge_index, edge_type or None, edge_weight or None), and None for `full`.

    Raises:
        ValueError: data lacks one of the relations, or a type or weight for each of its edges.
        TypeError: names is one str.

    Examples:
        >>> from tgraph_attn.convert import relation_edges, tree_to_data
        >>> from tgraph_attn.transforms import AddFullEdges, AddSiblingEdges
        >>> from tgraph_attn.tree import Tree
        >>> data = AddSiblingEdges(1)(AddFullEdges()(tree_to_data(Tree([-1, 0, 0]))))
        >>> edges = relation_edges(data, ["sibling", "full"])
        >>> edge_index, edge_type, edge_weight = edges["sibling"]
        >>> edge_type.tolist(), edge_weight, edges["full"]
        ([1, 1, 2, 0, 1], None, None)
    """
    check_type("relation_edges", "data", data, Data, "Make it with tree_to_data(tree).")
    if isinstance(names, str):
        raise TypeError(
            f"relation_edges: names must be a list of names, but got the str {names!r}. "
            f"Pass [{names!r}]."
        )
    edges: dict[str, Edges | None] = {}
    for name in names:
        if name == "full":
            _check_full(data)
            edges[name] = None
        else:
            edges[name] = _edges(data, name)
    return edges


def _check_full(data: Data) -> None:
    full = data.full if "full" in data else False  # one bool for each graph of a batch
    on_cuda = isinstance(full, Tensor) and full.is_cuda  # where reading it would wait
    if not on_cuda and not bool(torch.as_tensor(full).all()):
        _fail(data, "full", "full=True for each graph")


def _edges(data: Data, name: str) -> Edges:
    edge_index = data.get(f"{name}_edge_index")
    if not isinstance(edge_index, Tensor):
        _fail(data, name, f"{name}_edge_index")
    edge_type, edge_weight = data.get(f"{name}_edge_type"), data.get(f"{name}_edge_weight")
    each = {f"{name}_edge_type": edge_type, f"{name}_edge_weight": edge_weight}
    check_edges(f"relation_edges ({name})", edge_index, **each)
    return edge_index, edge_type, edge_weight


def _fail(data: Data, name: str, what: str) -> NoReturn:
    found = [key.removesuffix("_edge_index") for key in data.keys() if key.endswith("_edge_index")]
    if name in _TRANSFORMS:
        instead = f"Add it with the transform {_TRANSFORMS[name]}, before or after batching."
    else:
        instead = f"Set data.{name}_edge_index, or did you mean one of {sorted(_TRANSFORMS)}?"
    raise ValueError(
        f"relation_edges: data must have {what}, but its relations are {sorted(found)}. {instead}"
    )
