import math

import pytest
import torch

from tgraph_attn.nn import RelationTables
from tgraph_attn.nn.conv import RelationAttentionConv

EDGE_INDEX = torch.tensor([[0, 0, 1, 2, 1], [1, 2, 0, 0, 2]])
EDGE_TYPE = torch.tensor([1, 1, 2, 2, 0])


def conv_f64(**options):
    conv = RelationAttentionConv(6, 4, num_types=3, heads=2, **options).double()
    for parameter in conv.parameters():
        torch.nn.init.normal_(parameter)
    return conv


def dense(conv, x, scale):
    """The docstring's formulas, on an [N, N] table with -inf where no edge is."""
    n, h, c = x.size(0), conv.heads, conv.out_channels
    q, k, v = (lin(x).view(n, h, c) for lin in (conv.lin_query, conv.lin_key, conv.lin_value))
    nothing = torch.zeros(conv.num_types, 1, c, dtype=x.dtype)
    tables = [None] * 3 if conv.tables is None else conv.tables()
    key_table, query_table, value_table = (nothing if t is None else t for t in tables)
    bias = 0 * q[0, 0, 0] if conv.bias_table is None else conv.bias_table
    score = torch.full((n, n, h), -torch.inf, dtype=x.dtype)
    added = torch.zeros(n, n, h, c, dtype=x.dtype)
    for (j, i), r in zip(EDGE_INDEX.t().tolist(), EDGE_TYPE.tolist(), strict=True):
        products = q[i] * k[j] + q[i] * key_table[r] + query_table[r] * k[j]
        score[i, j] = products.sum(-1) * scale + (bias[r] if bias.dim() else bias)
        added[i, j] = value_table[r]
    alpha = score.softmax(1).nan_to_num(0.0)
    return torch.einsum("ijh,ijhc->ihc", alpha, v + added).flatten(1), alpha


@pytest.mark.parametrize(
    ("options", "scale"),
    [
        ({}, 1 / math.sqrt(4)),
        ({"scale": 0.3, "bias": True}, 0.3),
        ({"form": "disentangled"}, 1 / math.sqrt(3 * 4)),
        ({"form": "disentangled", "scale": 1 / (3 * math.sqrt(4))}, 1 / (3 * math.sqrt(4))),
        ({"form": "disentangled", "terms": ("key", "query")}, 1 / math.sqrt(3 * 4)),
        ({"form": "disentangled", "terms": ("query", "value")}, 1 / math.sqrt(2 * 4)),
        ({"form": "disentangled", "terms": ()}, 1 / math.sqrt(4)),
    ],
)
def test_equals_dense_attention_and_its_gradients(options, scale, same, close):
    conv, x = conv_f64(**options), torch.randn(4, 6, dtype=torch.float64, requires_grad=True)
    expected, alpha = dense(conv, x, scale)
    out, (edge_index, weights) = conv(x, EDGE_INDEX, EDGE_TYPE, return_attention_weights=True)
    same(out, expected, x, *conv.parameters())
    source, target = EDGE_INDEX
    assert edge_index is EDGE_INDEX
    close(weights, alpha[target, source])


def test_node_without_incoming_edge_gets_zeros():
    out = conv_f64()(torch.randn(4, 6, dtype=torch.float64), EDGE_INDEX, EDGE_TYPE)
    assert out[3].eq(0).all() and out[:3].ne(0).any(dim=1).all()


def test_bias_starts_at_zero_or_with_its_deviation():
    assert RelationAttentionConv(6, 4, num_types=3).bias_table.eq(0).all()
    drawn = RelationAttentionConv(6, 4, num_types=3000, heads=4, bias_std=0.02).bias_table
    assert drawn.std().item() == pytest.approx(0.02, rel=0.05)


def test_layers_may_share_tables_and_one_draw_of_their_dropout(close):
    tables = RelationTables(3, 4, dropout=0.5)
    rows = tables.key_table.detach().clone()
    convs = [
        RelationAttentionConv(6, 4, num_types=3, form="disentangled", tables=tables)
        for _ in range(2)
    ]
    convs[1].load_state_dict(convs[0].state_dict())
    assert convs[0].tables is tables and torch.equal(tables.key_table, rows)
    x, drawn = torch.randn(4, 6), tables()
    first, second = (conv(x, EDGE_INDEX, EDGE_TYPE, tables=drawn) for conv in convs)
    assert torch.equal(first, second)
    assert not torch.equal(convs[0](x, EDGE_INDEX, EDGE_TYPE), first)
    convs[0].reset_parameters()
    assert torch.equal(tables.key_table, rows)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("sign", [1, -1])
def test_large_scores_do_not_overflow(dtype, sign):
    conv = RelationAttentionConv(4, 4, num_types=1, scale=1.0).to(dtype)
    for lin in (conv.lin_query, conv.lin_key, conv.lin_value):
        torch.nn.init.eye_(lin.weight)
    x = torch.tensor([[1000.0 * sign, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]], dtype=dtype)
    edge_index, edge_type = torch.tensor([[1, 2], [0, 0]]), torch.tensor([0, 0])
    x.requires_grad_()
    out, (_, alpha) = conv(x, edge_index, edge_type, return_attention_weights=True)
    out.sum().backward()
    torch.testing.assert_close(
        alpha.flatten().double(), torch.tensor([0.26894, 0.73106]).double(), atol=2e-3, rtol=0
    )
    assert x.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in conv.parameters())


def test_edge_type_of_wrong_length_is_refused():
    with pytest.raises(ValueError, match=r"edge_type must have one row per edge \(5\), but has 4"):
        conv_f64()(torch.randn(4, 6, dtype=torch.float64), EDGE_INDEX, EDGE_TYPE[:-1])


@pytest.mark.parametrize("wrong", [-1, 3])
def test_unknown_type_is_refused(wrong):
    with pytest.raises(ValueError, match=r"edge_type must be in \[0, 3\)"):
        conv_f64()(
            torch.randn(4, 6, dtype=torch.float64), EDGE_INDEX, EDGE_TYPE.clone().fill_(wrong)
        )


def test_types_that_are_no_whole_numbers_are_refused():
    with pytest.raises(ValueError, match=r"edge_type must be int64 of shape \[E\], but got"):
        conv_f64()(torch.randn(4, 6, dtype=torch.float64), EDGE_INDEX, EDGE_TYPE.float())
    with pytest.raises(ValueError, match="edge_type must hold the type of each edge"):
        conv_f64()(torch.randn(4, 6, dtype=torch.float64), EDGE_INDEX, None)


def test_edge_index_of_wrong_dtype_is_refused():
    with pytest.raises(ValueError, match=r"edge_index must be int64 of shape \[2, E\]"):
        conv_f64()(torch.randn(4, 6, dtype=torch.float64), EDGE_INDEX.float(), EDGE_TYPE)


def test_options_that_contradict_are_refused():
    options = {"num_types": 3, "heads": 2}
    with pytest.raises(ValueError, match=r"form must be one of \['bias', 'disentangled'\]"):
        RelationAttentionConv(6, 4, form="mixed", **options)
    with pytest.raises(ValueError, match=r"each of terms must be one of"):
        RelationAttentionConv(6, 4, form="disentangled", terms=("keys",), **options)
    with pytest.raises(ValueError, match='tables must be None in the form "bias"'):
        RelationAttentionConv(6, 4, tables=RelationTables(3, 4), **options)
    with pytest.raises(ValueError, match="tables must have num_types=3, channels=4, heads=1, but"):
        RelationAttentionConv(6, 4, form="disentangled", tables=RelationTables(4, 4), **options)
    with pytest.raises(ValueError, match='tables must be None in the form "bias"'):
        conv_f64()(torch.randn(4, 6), EDGE_INDEX, EDGE_TYPE, tables=RelationTables(3, 4)())
