import copy
import math

import pytest
import torch

from tgraph_attn.nn import RelationTables
from tgraph_attn.nn.conv import TreeAttentionConv

RELATIONS = {"ancestor": (1, 2), "sibling": (2, 2)}


def conv_f64(**options):
    conv = TreeAttentionConv(6, 4, relations=RELATIONS, **options).double()
    for parameter in conv.parameters():
        torch.nn.init.normal_(parameter)
    return conv


def dense(conv, x, edges, scale):
    """The docstring's formulas, head by head, on [N, N] tables with -inf where no edge is."""
    n, c, outs = x.size(0), conv.out_channels, []
    q, k, v = (lin(x).view(n, -1, c) for lin in (conv.lin_query, conv.lin_key, conv.lin_value))
    owners = [name for name, (heads, _) in conv.relations.items() for _ in range(heads)]
    for head, name in enumerate(owners):
        index, types, _ = edges[name]
        key_table, query_table, value_table = (table[:, 0] for table in conv.tables[name]())
        score = torch.full((n, n), -torch.inf, dtype=x.dtype)
        added = torch.zeros(n, n, c, dtype=x.dtype)
        for (j, i), r in zip(index.t().tolist(), types.tolist(), strict=True):
            one, other = q[i, head], k[j, head]
            score[i, j] = one @ other + one @ key_table[r] + query_table[r] @ other
            added[i, j] = value_table[r]
        alpha = (score * scale).softmax(1).nan_to_num(0.0)
        outs.append(torch.einsum("ij,ijc->ic", alpha, v[:, head] + added))
    return torch.cat(outs, dim=1)


@pytest.mark.parametrize(
    ("options", "scale"),
    [({}, 1 / math.sqrt(3 * 4)), ({"bias": True, "scale": 1 / 6}, 1 / (3 * math.sqrt(4)))],
)
def test_equals_dense_attention_and_its_gradients(options, scale, forest, same):
    conv, tree = conv_f64(**options), forest()
    x = torch.randn(tree.num_nodes, 6, dtype=torch.float64, requires_grad=True)
    same(conv(x, tree.edges), dense(conv, x, tree.edges, scale), x, *conv.parameters())


def test_the_defaults_are_one_ancestor_and_seven_sibling_heads():
    conv = TreeAttentionConv(8, 4)
    assert conv.relations == {"ancestor": (1, 7), "sibling": (7, 7)} and conv.heads == 8
    assert conv.num_types == {"ancestor": 15, "sibling": 15}
    assert {name: module.key_table.shape for name, module in conv.tables.items()} == {
        "ancestor": (15, 1, 4),
        "sibling": (15, 1, 4),
    }


def test_path_level_has_a_type_for_each_pair():
    conv = TreeAttentionConv(8, 4, relations={"path_level": (2, 3), "window": (1, 3)})
    assert conv.num_types == {"path_level": 49, "window": 7}


def test_packed_edges_give_the_same_in_any_order(forest, same):
    conv, tree = conv_f64(), forest()
    x = torch.randn(tree.num_nodes, 6, dtype=torch.float64, requires_grad=True)
    edge_index, edge_type = conv.pack(tree.edges)
    (ancestor, types, _), (sibling, more_types, _) = tree.edges.values()
    assert torch.equal(edge_index, torch.cat([ancestor, sibling], dim=1))
    assert torch.equal(edge_type, torch.cat([types, more_types + 5]))
    same(conv(x, edge_index, edge_type), conv(x, tree.edges), x, *conv.parameters())
    order = torch.randperm(edge_type.numel())
    shuffled = edge_index[:, order], edge_type[order]
    same(conv(x, *shuffled), conv(x, tree.edges), x, *conv.parameters())
    hooked = copy.deepcopy(conv)
    hooked.register_message_forward_hook(lambda *_: None)
    weights = list(hooked.parameters())
    others = [x, *conv.parameters()]
    same(hooked(x, *shuffled), conv(x, tree.edges), x, *weights, others=others)


def test_weights_come_for_each_relation(forest, close):
    conv, tree = conv_f64(), forest()
    x = torch.randn(tree.num_nodes, 6, dtype=torch.float64)
    out, weights = conv(x, tree.edges, return_attention_weights=True)
    close(out, conv(x, tree.edges))
    for name, (heads, _) in RELATIONS.items():
        edge_index, alpha = weights[name]
        assert edge_index is tree.edges[name][0] and alpha.shape == (edge_index.size(1), heads)
        total = alpha.new_zeros(tree.num_nodes, heads).index_add(0, edge_index[1], alpha)
        close(total, torch.ones_like(total))


@pytest.mark.parametrize("explained", [False, True])
def test_tables_per_head_and_without_a_term(forest, same, explained):
    tables = {
        "ancestor": RelationTables(5, 4, terms=("key", "query")),
        "sibling": RelationTables(5, 4, heads=2),
    }
    conv, tree = conv_f64(tables=tables), forest()
    alone = TreeAttentionConv(6, 4, relations={"sibling": (1, 2)}).double()
    x = torch.randn(tree.num_nodes, 6, dtype=torch.float64)
    if explained:
        conv.register_message_forward_hook(lambda *_: None)
    second_head = RelationTables(5, 4).double()
    for name in ("key_table", "query_table", "value_table"):
        getattr(second_head, name).data = getattr(tables["sibling"], name).data[:, 1:]
    for name in ("lin_query", "lin_key", "lin_value"):
        getattr(alone, name).weight.data = getattr(conv, name).weight.data[8:]
    edges = {"sibling": tree.edges["sibling"]}
    torch.testing.assert_close(
        conv(x, tree.edges)[:, 8:], alone(x, edges, tables={"sibling": second_head()})
    )


def test_layers_may_share_tables_and_one_draw_of_their_dropout(forest):
    tables = torch.nn.ModuleDict({name: RelationTables(5, 4, dropout=0.5) for name in RELATIONS})
    rows = tables["ancestor"].key_table.detach().clone()
    convs = [TreeAttentionConv(6, 4, relations=RELATIONS, tables=tables) for _ in range(2)]
    convs[1].load_state_dict(convs[0].state_dict())
    tree = forest()
    x, drawn = torch.randn(tree.num_nodes, 6), {name: t() for name, t in tables.items()}
    first, second = (conv(x, tree.edges, tables=drawn) for conv in convs)
    assert torch.equal(first, second)
    assert not torch.equal(convs[0](x, tree.edges), first)
    convs[0].reset_parameters()
    assert torch.equal(tables["ancestor"].key_table, rows)
    assert len(list(torch.nn.ModuleList(convs).parameters())) == 2 * 3 + 2 * 3


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("sign", [1, -1])
def test_large_scores_do_not_overflow(dtype, sign):
    tables = {"ancestor": RelationTables(3, 4, terms=())}
    conv = TreeAttentionConv(4, 4, relations={"ancestor": (1, 1)}, tables=tables, scale=1.0)
    conv = conv.to(dtype)
    for lin in (conv.lin_query, conv.lin_key, conv.lin_value):
        torch.nn.init.eye_(lin.weight)
    x = torch.tensor([[1000.0 * sign, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]], dtype=dtype)
    edges = {"ancestor": (torch.tensor([[1, 2], [0, 0]]), torch.tensor([0, 2]), None)}
    x.requires_grad_()
    out, weights = conv(x, edges, return_attention_weights=True)
    out.sum().backward()
    alpha = weights["ancestor"][1].flatten().double()
    torch.testing.assert_close(alpha, torch.tensor([0.26894, 0.73106]).double(), atol=2e-3, rtol=0)
    assert x.grad.isfinite().all()


def test_edges_that_do_not_fit_are_refused(forest):
    conv, tree = conv_f64(), forest()
    x = torch.randn(tree.num_nodes, 6, dtype=torch.float64)
    index, types, _ = tree.edges["ancestor"]

    def ancestor(*relation):
        return {**tree.edges, "ancestor": relation}

    with pytest.raises(ValueError, match=r"edges must hold \['ancestor', 'sibling'\], but holds"):
        conv(x, {"ancestor": tree.edges["ancestor"]})
    with pytest.raises(ValueError, match=r"edges must hold \['ancestor', 'sibling'\], but holds"):
        conv(x, {**tree.edges, "window": tree.edges["ancestor"]})
    with pytest.raises(ValueError, match="relation ancestor must be typed edges, without weights"):
        conv(x, ancestor(index, types, torch.ones(index.size(1))))
    with pytest.raises(ValueError, match="but is or has a complete graph"):
        conv(x, {**tree.edges, "ancestor": None})
    with pytest.raises(ValueError, match="relation ancestor: edge_type must hold the type"):
        conv(x, ancestor(index, None, None))
    with pytest.raises(ValueError, match=r"relation ancestor: edge_type must be in \[0, 5\)"):
        conv(x, ancestor(index, types + 1, None))
    with pytest.raises(ValueError, match="relation ancestor: edge_type must have one row per edge"):
        conv(x, ancestor(index, types[1:], None))
    with pytest.raises(ValueError, match="edge_type must be None beside the edges of relations"):
        conv(x, tree.edges, types)
    with pytest.raises(ValueError, match="edge_type must hold the type of each edge, one of 10"):
        conv(x, index)


def test_tables_that_do_not_fit_are_refused(forest):
    tables = {name: RelationTables(5, 4) for name in RELATIONS}

    def make(**other):
        return TreeAttentionConv(6, 4, relations=RELATIONS, tables={**tables, **other})

    with pytest.raises(ValueError, match=r"tables must hold \['ancestor', 'sibling'\]"):
        make(window=RelationTables(5, 4))
    with pytest.raises(ValueError, match="the tables of sibling must have num_types=5"):
        make(sibling=RelationTables(7, 4))
    with pytest.raises(ValueError, match=r"the tables of sibling must have .*heads=2, but"):
        make(sibling=RelationTables(5, 4, heads=3))
    with pytest.raises(ValueError, match=r"tables must hold \['ancestor', 'sibling'\]"):
        make()(torch.randn(8, 6), forest().edges, tables={"ancestor": tables["ancestor"]()})


def test_relations_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="relation sibling: heads must be at least 1"):
        TreeAttentionConv(6, 4, relations={"sibling": (0, 2)})
    with pytest.raises(ValueError, match="relation sibling: max_distance must be at least 1"):
        TreeAttentionConv(6, 4, relations={"sibling": (1, 0)})
    with pytest.raises(ValueError, match="TreeAttentionConv: relations must be at least 1"):
        TreeAttentionConv(6, 4, relations={})
