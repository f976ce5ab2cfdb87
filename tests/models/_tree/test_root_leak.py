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
REACH = 2
FINDERS = {"ancestor": ancestor_edges, "sibling": sibling_edges}


def relation(name):
    edge_index, edge_type = FINDERS[name](PARENT, REACH)
    return torch.from_numpy(edge_index), torch.from_numpy(edge_type), None


def leaking(length, name="ancestor"):
    x, graph = torch.tensor([3, 4, 5, 6]), torch.zeros(4, dtype=torch.int64)
    sizes = {"num_trees": 1, "length": length, "max_distance": REACH}
    return with_root_leak("ASTTrans", x, graph, {name: relation(name)}, **sizes)


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


def released(query, key, value, tables, length, name, call):
    """The attention of the released code, entry by entry, for one head; its second call is later.

    Rows of its tables: d for a key at distance d above or before, K + 1 for the node itself,
    K + 1 + d for a key below or after; here they are put in our order.
    """
    edge_index, edge_type, _ = relation(name)
    table = [[None] * length for _ in range(REACH + 1)]
    for j, i, kind in zip(*edge_index.tolist(), edge_type.tolist(), strict=True):
        if kind <= REACH:
            table[REACH - kind][i] = j
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


@pytest.mark.parametrize("name", ["ancestor", "sibling"])
@pytest.mark.parametrize("length", [4, 6])
def test_it_is_the_attention_of_the_released_code(length, name, close):
    draw = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, length, 5, dtype=torch.float64, generator=draw)
    tables = torch.randn(3, 2 * REACH + 1, 5, dtype=torch.float64, generator=draw)
    trees = leaking(length, name)
    for call, edges in enumerate((trees.edges, trees.later), start=1):
        out = edge_attention(
            *(part.unsqueeze(1) for part in (query, key, value)),
            *edges[name][:2],
            query_table=tables[0].unsqueeze(1),
            key_table=tables[1].unsqueeze(1),
            value_table=tables[2].unsqueeze(1),
            scale=1 / (3 * math.sqrt(5)),
        )
        close(out.squeeze(1), released(query, key, value, tables, length, name, call))


def test_two_trees_leak_into_their_own_roots():
    x, graph = torch.arange(3, 11), torch.arange(8) // 4
    edge_index, edge_type, _ = relation("ancestor")
    both = torch.cat([edge_index, edge_index + 4], 1), edge_type.repeat(2), None
    sizes = {"num_trees": 2, "length": 6, "max_distance": REACH}
    trees = with_root_leak("ASTTrans", x, graph, {"ancestor": both}, **sizes)
    alone = counts(leaking(6).later, 6)
    assert counts(trees.later, 12).equal(torch.block_diag(alone, alone))


def test_a_tree_that_is_longer_is_refused():
    with pytest.raises(ValueError, match=r"at most legacy_root_leak=3 nodes, but one has 4"):
        leaking(3)


def test_edges_without_types_are_refused():
    x, graph = torch.tensor([3, 4, 5, 6]), torch.zeros(4, dtype=torch.int64)
    sizes = {"num_trees": 1, "length": 4, "max_distance": REACH}
    with pytest.raises(ValueError, match=r"ASTTrans: relation ancestor must be typed edges"):
        with_root_leak("ASTTrans", x, graph, {"ancestor": None}, **sizes)


@pytest.mark.parametrize(
    ("encoder", "relations"),
    [
        ("gcn", {"ancestor": (1, 7)}),
        ("tree", {"ancestor": (1, 7), "sibling": (1, 5)}),
        ("tree", {"path_level": (1, 7)}),
    ],
)
def test_it_is_for_tree_attention_of_one_reach_alone(encoder, relations):
    with pytest.raises(ValueError, match=r"legacy_root_leak must come with encoder=\"tree\""):
        check_root_leak("ASTTrans", encoder, relations)
