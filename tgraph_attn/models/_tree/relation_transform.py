"""The transforms that add the relations which a model of trees was made for."""

from collections.abc import Callable, Mapping

from torch_geometric.transforms import BaseTransform, Compose

from tgraph_attn.transforms.add_ancestor_edges import AddAncestorEdges
from tgraph_attn.transforms.add_path_level_edges import AddPathLevelEdges
from tgraph_attn.transforms.add_sibling_edges import AddSiblingEdges
from tgraph_attn.transforms.add_window_edges import AddWindowEdges

_MAKERS: Mapping[str, Callable[[int], BaseTransform]] = {
    "ancestor": AddAncestorEdges,
    "path_level": AddPathLevelEdges,
    "sibling": AddSiblingEdges,
    "window": AddWindowEdges,
}


def relation_transform(owner: str, relations: Mapping[str, tuple[int, int]]) -> Compose:
    """Return what adds each relation to a graph, up to its max_distance.

    Args:
        owner: The model, for errors.
        relations: For each relation, how many heads attend along it, and its max_distance.

    Raises:
        ValueError: A relation needs more than its max_distance to be made.
    """
    unknown = sorted({*relations} - {*_MAKERS})
    if unknown:
        raise ValueError(
            f"{owner}: the relations that a model adds must be of {sorted(_MAKERS)}, but it has "
            f"{unknown}. Add all of them by transforms of your own."
        )
    return Compose([_MAKERS[name](max_distance) for name, (_, max_distance) in relations.items()])
