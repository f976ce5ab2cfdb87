import math

import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.convert import parent_of, relation_edges, tree_to_data
from tgraph_attn.models._tree.encoder_convs import EncoderConvs
from tgraph_attn.transforms import (
    AddAncestorEdges,
    AddPathLevelEdges,
    AddSiblingEdges,
    AddWindowEdges,
)
from tgraph_attn.tree import Tree

RELATIONS = {"ancestor": (1, 7), "sibling": (3, 7)}


def make(encoder="tree", **settings):
    torch.manual_seed(0)
    small = dict(layers=2, relations=RELATIONS, dropout=0.2, share_tables=True)
    settings = {**small, "terms": ("key", "query", "value"), "scale": None, **settings}
    return EncoderConvs("Trees", encoder, 16, **settings).double()


def inputs(batch, names=("ancestor", "sibling")):
    x = torch.randn(batch.num_nodes, 16, dtype=torch.float64)
    return x, relation_edges(batch, names), batch.batch


def signed_distances(parent):
    """For each relation, R of each pair (query, key) of a forest, by definition."""
    above, siblings = {}, {}
    rows = range(len(parent))
    for node in rows:
        above[node], up, steps = {}, node, 0
        while up != -1:
            above[node][up] = steps
            up, steps = parent[up], steps + 1
        siblings.setdefault(parent[node], []).append(node)
    ancestor = {(i, j): -above[i][j] for i in rows for j in above[i]}
    ancestor |= {(j, i): above[i][j] for i in rows for j in above[i]}
    sibling = {(i, i): 0 for i in siblings.pop(-1)}
    for nodes in siblings.values():
        places = list(enumerate(nodes))
        sibling |= {(i, j): b - a for a, i in places for b, j in places}
    return {"ancestor": ancestor, "sibling": sibling}


def dense_layer(conv, x, parent):
    """Attention with a full table of scores for each relation, all pairs too far masked."""
    n, c, outs, first = len(x), 4, [], 0
    q, k, v = (lin(x).view(n, -1, c) for lin in (conv.lin_query, conv.lin_key, conv.lin_value))
    for name, distances in signed_distances(parent).items():
        heads, p = RELATIONS[name]
        near = torch.full((n, n), -torch.inf, dtype=x.dtype)
        row = torch.zeros(n, n, dtype=torch.int64)
        for (i, j), distance in distances.items():
            if abs(distance) <= p:
                near[i, j], row[i, j] = 0, distance + p
        tables = conv.tables[name]
        kp, qp, vp = (
            math.sqrt(c) * table[:, 0][row]  # [N, N, C]
            for table in (tables.key_table, tables.query_table, tables.value_table)
        )
        for h in range(first, first + heads):
            score = q[:, h] @ k[:, h].t() + (q[:, h, None] * kp).sum(-1) + (qp * k[:, h]).sum(-1)
            alpha = (score / math.sqrt(3 * c) + near).softmax(1)
            outs.append((alpha.unsqueeze(-1) * (v[:, h] + vp)).sum(1))
        first += heads
    return torch.cat(outs, dim=1)


def test_each_tree_layer_equals_dense_masked_attention(batch, close):
    convs = make().eval()
    x, edges, graph = inputs(batch)
    parent = parent_of(batch).tolist()
    for attend, conv in zip(convs(edges, graph), convs.layers, strict=True):
        close(attend(x), dense_layer(conv, x, parent))


def test_a_deep_and_wide_tree_is_cut_at_max_distance(close):
    parent = [-1, *range(12), *[3] * 12]  # a chain of 13 nodes, then 12 more children of node 3
    data = AddSiblingEdges(7)(AddAncestorEdges(7)(tree_to_data(Tree(parent))))
    convs = make(layers=1).eval()
    x, edges, _ = inputs(data)
    [attend] = convs(edges, torch.zeros(data.num_nodes, dtype=torch.int64))
    close(attend(x), dense_layer(convs.layers[0], x, parent))


def test_layers_share_tables_unless_told_otherwise():
    first, second = make().layers
    assert first.tables["ancestor"] is second.tables["ancestor"]
    assert first.tables["ancestor"] is not first.tables["sibling"]
    first, second = make(share_tables=False).layers
    for term in ("key_table", "query_table", "value_table"):
        one, other = (getattr(conv.tables["ancestor"], term) for conv in (first, second))
        assert one is not other and not one.equal(other)


@pytest.mark.parametrize("share_tables", [True, False])
def test_shared_tables_lose_the_same_elements_in_all_layers_of_one_pass(batch, share_tables):
    convs = make(share_tables=share_tables).train()
    seen = []
    for table in [module for conv in convs.layers for module in conv.tables.values()]:
        table.register_forward_hook(lambda module, inputs, drawn: seen.append(drawn))
    x, edges, graph = inputs(batch)
    for _ in range(2):
        for attend in convs(edges, graph):
            attend(x)
    # Two hooks hang on each shared table, one on each other: eight in all either way.
    assert len(seen) == 8
    drawn = {drawn.key_table for drawn in seen}
    assert len(drawn) == (4 if share_tables else 8)
    assert all(table.eq(0).any() for table in drawn)


@pytest.mark.parametrize("encoder", ["gcn", "gat"])
def test_graph_layers_run_along_each_edge_of_the_relations_once(batch, encoder, close):
    convs = make(encoder).eval()
    x, edges, graph = inputs(batch)
    pairs = {tuple(e) for edge_index, *_ in edges.values() for e in edge_index.t().tolist()}
    both = sum(edge_index.size(1) for edge_index, *_ in edges.values())
    assert len(pairs) < both
    union = torch.tensor(sorted(pairs, key=lambda pair: pair[::-1])).t()
    for attend, conv in zip(convs(edges, graph), convs.layers, strict=True):
        close(attend(x), conv(x, union))


def test_a_layer_with_biases_has_one_for_each_type_of_each_relation(batch, close):
    convs = make("bias").eval()
    x, edges, graph = inputs(batch)
    both = torch.cat([edge_index for edge_index, *_ in edges.values()], dim=1)
    types = [edges["ancestor"][1], edges["sibling"][1] + 15]  # after the 2 * 7 + 1 of ancestors
    for attend, conv in zip(convs(edges, graph), convs.layers, strict=True):
        assert conv.num_types == 30
        close(attend(x), conv(x, both, torch.cat(types)))


def test_a_tree_lstm_wants_the_parents(batch):
    _, _, graph = inputs(batch, ())
    message = r'Trees: with the encoder "tree_lstm" batch must have parent_index, but lacks it. M'
    with pytest.raises(ValueError, match=message):
        make("tree_lstm")({}, graph)


def test_self_attention_reads_no_relation(batch, close):
    convs = make("self").eval()
    x, _, graph = inputs(batch, ())
    for attend, conv in zip(convs({}, graph), convs.layers, strict=True):
        close(attend(x), conv(x, graph))


def test_heads_and_types_are_those_of_the_relations():
    assert [conv.heads for conv in make("gat").layers] == [4, 4]
    convs = make(relations={"path_level": (4, 2)})
    assert convs.layers[0].tables["path_level"].num_types == 25


def test_scale_and_terms_are_those_asked_for():
    for conv in make(scale=0.5, terms=("key",)).layers:
        assert conv.scale == 0.5
        assert all(tables.terms == ("key",) for tables in conv.tables.values())


@pytest.mark.parametrize("encoder", ["tree", "gcn", "gat"])
def test_types_of_another_max_distance_are_refused(batch, encoder):
    convs = make(encoder, relations={"ancestor": (1, 7), "sibling": (3, 1)})
    x, edges, graph = inputs(batch)
    with pytest.raises(ValueError, match=r"edge_type must be in \[0, 3\).*another max_distance"):
        convs(edges, graph)[0](x)


@pytest.mark.parametrize("encoder", ["tree", "bias", "gcn", "gat"])
@pytest.mark.parametrize("relation", ["ancestor", "sibling", "path_level", "window"])
def test_types_of_a_smaller_max_distance_are_refused(functions, encoder, relation):
    makers = {"ancestor": AddAncestorEdges, "sibling": AddSiblingEdges}
    makers |= {"path_level": AddPathLevelEdges, "window": AddWindowEdges}
    edges = {
        reach: relation_edges(makers[relation](reach)(functions[0]), [relation]) for reach in (2, 3)
    }
    convs = make(encoder, relations={relation: (4, 3)})
    graph = torch.zeros(functions[0].num_nodes, dtype=torch.int64)
    assert len(convs(edges[3], graph)) == 2
    with pytest.raises(ValueError, match=rf"Trees, relation {relation}: the edge of a node to its"):
        convs(edges[2], graph)


def test_edges_without_those_of_nodes_to_themselves_say_nothing_of_max_distance(functions):
    edges = relation_edges(AddAncestorEdges(2, self_edges=False)(functions[0]), ["ancestor"])
    graph = torch.zeros(functions[0].num_nodes, dtype=torch.int64)
    assert len(make(relations={"ancestor": (4, 3)})(edges, graph)) == 2


@pytest.mark.parametrize("encoder", ["gcn", "gat"])
@pytest.mark.parametrize("found", ["a complete graph", "edge weights"])
def test_relations_that_are_no_typed_edges_are_refused(batch, encoder, found):
    _, edges, graph = inputs(batch)
    edge_index, edge_type, _ = edges["sibling"]
    weights = (edge_index, edge_type, torch.ones(edge_type.numel()))
    edges["sibling"] = None if found == "a complete graph" else weights
    with pytest.raises(ValueError, match=rf"relation sibling must be typed edges, .* {found}"):
        make(encoder)(edges, graph)


def test_weights_come_from_each_layer_when_it_is_called(batch):
    x, edges, graph = inputs(batch)
    weights = []
    attends = make().eval()(edges, graph, weights)
    assert weights == []
    assert attends[0](x).shape == x.shape and len(weights) == 1
    assert {name: alpha.shape for name, (_, alpha) in weights[0].items()} == {
        name: (edges[name][0].size(1), heads) for name, (heads, _) in RELATIONS.items()
    }


def test_a_tree_alone_has_the_union_of_its_part_of_a_batch(functions, close):
    convs = make("gat").eval()
    together = Batch.from_data_list(functions)
    x, edges, graph = inputs(together)
    out = convs(edges, graph)[0](x)
    mine = graph == 2
    alone = functions[2]
    own = convs(relation_edges(alone, RELATIONS), graph[mine] * 0)[0](x[mine])
    close(own, out[mine])
