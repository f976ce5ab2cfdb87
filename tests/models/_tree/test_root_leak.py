import math

import pytest
import torch

from tgraph_attn.models._tree.root_leak import check_root_leak, with_root_leak
from tgraph_attn.ops import edge_attention
from tgraph_attn.relations import ancestor_edges, sibling_edges

#     0
#    / \
#   1   3
#   |
#   2
PARENT = [-1, 0, 1, 0]
CHAIN = [-1, 0, 1, 2]
REACH = 2
FINDERS = {"ancestor": ancestor_edges, "sibling": sibling_edges}


def relation(name, parent=PARENT, reach=REACH):
    edge_index, edge_type = FINDERS[name](parent, reach)
    return torch.from_numpy(edge_index), torch.from_numpy(edge_type), None


def leaking(length, name="ancestor", parent=PARENT):
    x, graph = torch.tensor([3, 4, 5, 6]), torch.zeros(4, dtype=torch.int64)
    sizes = {"num_trees": 1, "length": length, "reaches": {name: REACH}}
    return with_root_leak("ASTTrans", x, graph, {name: relation(name, parent)}, **sizes)


def counts(edges, length):
    """How many edges there are into each query, a row, from each key."""
    edge_index, _, _ = edges["ancestor"]
    number = torch.zeros(length, length, dtype=torch.int64)
    return number.index_put((edge_index[1], edge_index[0]), torch.tensor(1), accumulate=True)


def test_the_first_layer_has_the_edges_of_the_tree():
    trees = leaking(6)
    assert trees.x.tolist() == [3, 4, 5, 6, 0, 0] and trees.where.tolist() == [0, 1, 2, 3]
    assert counts(trees.edges, 6)[:4, :4].tolist() == [
        [1, 1, 1, 1],
        [1, 1, 1, 0],
        [1, 1, 1, 0],
        [1, 0, 0, 1],
    ]
    assert counts(trees.edges, 6).sum() == 12


def test_later_layers_join_each_lack_of_an_edge_to_the_root_at_two_paddings():
    # Entries of the table at distances (1, 2): 0 has none; 1 has (0, -); 2 has (1, 0); 3, (0, -).
    # Each empty one is an edge from the root to the place, and one back. So the root hears itself
    # once, twice through its own two, and twice back; 1 and 3 once as descendants, once through
    # their empty one; 1 and 3 hear the root once more each.
    four = [[5, 2, 1, 2], [2, 1, 1, 0], [1, 1, 1, 0], [2, 0, 0, 1]]
    assert counts(leaking(4).later, 4).tolist() == four
    # A place of padding has three empty entries: at distances 1 and 2 both ways, and for itself
    # (distance 0) to the root alone. The root hears each three times, and each hears it twice.
    six = [[*four[0], 3, 3], *([*row, 0, 0] for row in four[1:]), *[[2, 0, 0, 0, 0, 0]] * 2]
    assert counts(leaking(6).later, 6).tolist() == six


def released(query, key, value, tables, length, edges, call):
    """The attention of the released code, entry by entry, for one head; its second call is later.

    Rows of its tables: d for a key at distance d above or before, K + 1 for the node itself,
    K + 1 + d for a key below or after; here they are put in our order.
    """
    edge_index, edge_type, _ = edges
    pairs = {  # (place, distance): the one above or before
        (i, REACH - kind): j
        for j, i, kind in zip(*edge_index.tolist(), edge_type.tolist(), strict=True)
        if kind < REACH
    }
    table = [[pairs.get((place, d)) for place in range(length)] for d in range(REACH + 1)]
    table[0][: len(pairs)] = range(min(len(pairs), length))  # the places that hear themselves
    heard = [[] for _ in range(length)]
    for distance, entries in enumerate(table):
        for place, entry in enumerate(entries):
            if entry is None and call == 1:
                continue
            other = 0 if entry is None else entry
            if distance > 0:
                heard[place].append((other, REACH - distance))
            heard[other].append((place, REACH + distance))
    out = torch.zeros_like(value)
    for i, keys in enumerate(heard):
        terms = [query[i] @ (key[j] + tables[1][r]) + tables[0][r] @ key[j] for j, r in keys]
        if terms:
            alpha = (torch.stack(terms) / (3 * math.sqrt(query.size(1)))).softmax(0)
            seen = torch.stack([value[j] + tables[2][r] for j, r in keys])
            out[i] = alpha @ seen
    return out


# Of ancestors within two steps the tree has 4 pairs, as many as nodes; the chain 5, so that a place
# of padding hears itself; of siblings the tree has 1, so that the root alone does.
@pytest.mark.parametrize(
    ("name", "parent"), [("ancestor", PARENT), ("ancestor", CHAIN), ("sibling", PARENT)]
)
@pytest.mark.parametrize("length", [4, 6])
def test_it_is_the_attention_of_the_released_code(length, name, parent, close):
    draw = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, length, 5, dtype=torch.float64, generator=draw)
    tables = torch.randn(3, 2 * REACH + 1, 5, dtype=torch.float64, generator=draw)
    trees = leaking(length, name, parent)
    for call, edges in enumerate((trees.edges, trees.later), start=1):
        out = edge_attention(
            *(part.unsqueeze(1) for part in (query, key, value)),
            *edges[name][:2],
            query_table=tables[0].unsqueeze(1),
            key_table=tables[1].unsqueeze(1),
            value_table=tables[2].unsqueeze(1),
            scale=1 / (3 * math.sqrt(5)),
        )
        expected = released(query, key, value, tables, length, relation(name, parent), call)
        close(out.squeeze(1), expected)


def test_as_many_places_hear_themselves_as_there_are_pairs():
    for name, parent, expected in (
        ("ancestor", PARENT, [1, 1, 1, 1, 0, 0]),
        ("ancestor", CHAIN, [1, 1, 1, 1, 1, 0]),
        ("sibling", PARENT, [1, 0, 0, 0, 0, 0]),
    ):
        edge_index, edge_type, _ = leaking(6, name, parent).edges[name]
        own = edge_index[0, edge_type == REACH]
        assert own.bincount(minlength=6).tolist() == expected


def test_a_relation_that_reaches_less_far_has_empty_entries_beyond():
    x, graph = torch.tensor([3, 4, 5, 6]), torch.zeros(4, dtype=torch.int64)
    edges = {"ancestor": relation("ancestor"), "sibling": relation("sibling", reach=1)}
    sizes = {"num_trees": 1, "length": 4, "reaches": {"ancestor": 2, "sibling": 1}}
    trees = with_root_leak("ASTTrans", x, graph, edges, **sizes)
    whole = leaking(4, "sibling")  # no siblings are further apart than one in this tree
    for one, other in ((trees.edges, whole.edges), (trees.later, whole.later)):
        pairs = [
            sorted(zip(*found[0].tolist(), found[1].tolist(), strict=True))
            for found in (one["sibling"], other["sibling"])
        ]
        assert pairs[0] == pairs[1]


def test_two_trees_leak_into_their_own_roots():
    x, graph = torch.arange(3, 11), torch.arange(8) // 4
    edge_index, edge_type, _ = relation("ancestor")
    both = torch.cat([edge_index, edge_index + 4], 1), edge_type.repeat(2), None
    sizes = {"num_trees": 2, "length": 6, "reaches": {"ancestor": REACH}}
    trees = with_root_leak("ASTTrans", x, graph, {"ancestor": both}, **sizes)
    alone = counts(leaking(6).later, 6)
    assert counts(trees.later, 12).equal(torch.block_diag(alone, alone))


def test_a_tree_that_is_longer_is_refused():
    with pytest.raises(ValueError, match=r"at most legacy_root_leak=3 nodes, but one has 4"):
        leaking(3)


def test_edges_without_types_are_refused():
    x, graph = torch.tensor([3, 4, 5, 6]), torch.zeros(4, dtype=torch.int64)
    sizes = {"num_trees": 1, "length": 4, "reaches": {"ancestor": REACH}}
    with pytest.raises(ValueError, match=r"ASTTrans: relation ancestor must be typed edges"):
        with_root_leak("ASTTrans", x, graph, {"ancestor": None}, **sizes)


@pytest.mark.parametrize(
    ("encoder", "relations", "positions"),
    [
        ("gcn", {"ancestor": (1, 7)}, False),
        ("tree", {"path_level": (1, 7)}, False),
        ("tree", {"ancestor": (1, 7)}, True),
    ],
)
def test_it_is_for_tree_attention_along_signed_relations_alone(encoder, relations, positions):
    with pytest.raises(ValueError, match=r"legacy_root_leak must come with encoder=\"tree\""):
        check_root_leak("ASTTrans", encoder, relations, positions)
