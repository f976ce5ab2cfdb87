"""Trees padded, and joined to their roots, as the released code of AST-Trans does by mistake."""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from tgraph_attn.models._tree.encoder_convs import Edges
from tgraph_attn.vocab import Vocab


class PaddedTrees(NamedTuple):
    """Trees of the same length, `[B * length]` nodes, and the edges of the first layer and after.

    Attributes:
        x: The id of each node, `[B * length]`; 0 where there is padding.
        where: Where each node of the batch went, `[N]`.
        edges: The edges of each relation in the first layer.
        later: Those in each later layer.
    """

    x: Tensor
    where: Tensor
    edges: Edges
    later: Edges


def check_root_leak(
    owner: str, encoder: str, relations: Mapping[str, tuple[int, int]], positions: bool
) -> None:
    """Raise ValueError unless all relations are signed, and nodes have no positions."""
    if encoder != "tree" or positions or not {*relations} <= {"ancestor", "sibling"}:
        raise ValueError(
            f'{owner}: legacy_root_leak must come with encoder="tree", relations of "ancestor" and '
            f'"sibling", and no positions, but with {encoder!r}, {dict(relations)} and positions='
            f"{positions}. Leave it out."
        )


def with_root_leak(
    owner: str,
    x: Tensor,
    graph: Tensor,
    edges: Edges,
    *,
    num_trees: int,
    length: int,
    reaches: Mapping[str, int],
) -> PaddedTrees:
    """Pad each tree; after the first layer, let each lack of an edge be one to the root.

    The released code keeps for each place j and distance d the one node i that j has at distance d
    above it, or before it, in a table; each entry is an edge both ways. Its first layer leaves out
    the entries that are empty, and by mistake sets them to 0, so that for each later one an empty
    entry is an edge between j and the root. Padding has no entry above or before: the root sees it,
    and what comes out depends on the length. Entries of places for themselves are those of the
    first ones, as many as the relation has pairs: of ancestors also in the padding, of siblings
    often not of the last nodes.

    All relations have tables of one height, that of the greatest reach, P: type P - d is that of an
    edge from the node at distance d above or before, and P + d of the one back. Distances beyond a
    relation's own reach are empty entries, too.

    Args:
        owner: The model, for errors.
        x: The id of each node.
        graph: The tree of each node, in order.
        edges: The edges of each relation, both ways, and to the node itself, with types of its own
            reach.
        num_trees: How many trees, B.
        length: The number of places of a tree; the released code has 200.
        reaches: The max_distance of each relation.

    Shapes:
        - **x**, **graph**: `[N]` int64

    Raises:
        ValueError: A tree has more nodes than length, or a relation has no types, or weights.
    """
    size = graph.bincount(minlength=num_trees)
    if int(size.max()) > length:
        raise ValueError(
            f"{owner}: a tree must have at most legacy_root_leak={length} nodes, but one has "
            f"{int(size.max())}. Cut trees with cut_tree."
        )
    place = torch.arange(len(x), device=x.device) - (size.cumsum(0) - size)[graph]
    where = graph * length + place  # in the padded trees
    padded = x.new_full((num_trees * length,), Vocab.PAD).index_copy(0, where, x)
    reach = max(reaches.values())
    first, later = {}, {}
    for name, relation in edges.items():
        if relation is None or relation[1] is None or relation[2] is not None:
            raise ValueError(
                f"{owner}: relation {name} must be typed edges, without weights. Make it with "
                "AddAncestorEdges or AddSiblingEdges."
            )
        edge_index, edge_type = _with_first_selves(
            where[relation[0]], relation[1] + (reach - reaches[name]), reach, num_trees, length
        )
        leak_index, leak_type = _leak(edge_index, edge_type, len(padded), length, reach)
        first[name] = (edge_index, edge_type, None)
        both = torch.cat([edge_index, leak_index], 1), torch.cat([edge_type, leak_type])
        later[name] = (*both, None)
    return PaddedTrees(padded, where, first, later)


def _with_first_selves(
    edge_index: Tensor, edge_type: Tensor, reach: int, num_trees: int, length: int
) -> tuple[Tensor, Tensor]:
    """Let the first places of each tree attend to themselves, as many as it has pairs."""
    pairs = (edge_index[1, edge_type < reach] // length).bincount(minlength=num_trees)
    place = torch.arange(length, device=edge_index.device)
    own = (place < pairs.unsqueeze(1)).flatten().nonzero().squeeze(1)
    others = edge_type != reach
    edge_index = torch.cat([edge_index[:, others], own.expand(2, -1)], dim=1)
    return edge_index, torch.cat([edge_type[others], edge_type.new_full((len(own),), reach)])


def _leak(
    edge_index: Tensor, edge_type: Tensor, num_places: int, length: int, reach: int
) -> tuple[Tensor, Tensor]:
    """Return the edges, and their types, that the empty entries of a relation become."""
    is_empty = edge_type.new_ones((reach + 1, num_places), dtype=torch.bool)
    is_entry = edge_type <= reach  # from the node itself, or one above or before
    is_empty[reach - edge_type[is_entry], edge_index[1, is_entry]] = False
    distance, place = is_empty.nonzero(as_tuple=True)
    root = place - place % length
    # The entry for the node itself is an edge one way only: the other one is always left out.
    other = distance > 0
    down = torch.stack([root[other], place[other]])
    up = torch.stack([place, root])
    types = torch.cat([reach - distance[other], reach + distance])
    return torch.cat([down, up], dim=1), types
