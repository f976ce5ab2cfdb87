import pytest
import torch
import torch_geometric
from torch.nn.functional import leaky_relu

from tgraph_attn.nn.conv import GATConv

EDGE_INDEX = torch.tensor([[0, 0, 1, 2, 1, 3, 2], [1, 2, 0, 0, 2, 3, 2]])
EDGE_TYPE = torch.tensor([1, 1, 2, 2, 0, 0, 2])


def drawn(**options):
    conv = GATConv(6, 4, heads=2, **options).double()
    for parameter in conv.parameters():
        torch.nn.init.normal_(parameter)
    return conv


@pytest.mark.parametrize("concat", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("negative_slope", [0.2, 0.7])
def test_equals_pyg_on_copied_weights(concat, bias, negative_slope, same, close):
    options = {"concat": concat, "bias": bias, "negative_slope": negative_slope}
    conv = drawn(**options)
    pyg = torch_geometric.nn.GATConv(6, 4, heads=2, add_self_loops=False, **options).double()
    pyg.load_state_dict(conv.state_dict())
    x = torch.randn(5, 6, dtype=torch.float64, requires_grad=True)
    out, (_, alpha) = conv(x, EDGE_INDEX, return_attention_weights=True)
    expected, (_, weights) = pyg(x, EDGE_INDEX, return_attention_weights=True)
    names = dict(conv.named_parameters())
    others = [x, *(pyg.get_parameter(name) for name in names)]
    same(out, expected, x, *names.values(), others=others)
    close(alpha, weights)


def test_types_equal_the_dense_formula(same):
    conv, n = drawn(num_types=3), 5
    x = torch.randn(n, 6, dtype=torch.float64, requires_grad=True)
    v = conv.lin(x).view(n, 2, 4)
    score = torch.full((n, n, 2), -torch.inf, dtype=x.dtype)
    for (j, i), r in zip(EDGE_INDEX.t().tolist(), EDGE_TYPE.tolist(), strict=True):
        terms = (conv.att_src[0] * v[j]).sum(-1) + (conv.att_dst[0] * v[i]).sum(-1)
        score[i, j] = leaky_relu(terms + conv.bias_table[r], 0.2)
    alpha = score.softmax(1).nan_to_num(0.0)
    expected = torch.einsum("ijh,jhc->ihc", alpha, v).flatten(1) + conv.bias
    same(conv(x, EDGE_INDEX, EDGE_TYPE), expected, x, *conv.parameters())


def test_types_start_without_effect(close):
    conv = GATConv(6, 4, num_types=3)
    plain = GATConv(6, 4)
    plain.load_state_dict({k: v for k, v in conv.state_dict().items() if k != "bias_table"})
    x = torch.randn(5, 6)
    close(conv(x, EDGE_INDEX, EDGE_TYPE), plain(x, EDGE_INDEX))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("sign", [1, -1])
def test_large_scores_do_not_overflow(dtype, sign):
    conv = GATConv(4, 4, negative_slope=1.0).to(dtype)
    with torch.no_grad():
        conv.lin.weight.copy_(torch.eye(4))
        conv.att_src.copy_(torch.tensor([1000.0 * sign, 1, 0, 0]))
        conv.att_dst.zero_()
    x = torch.tensor([[0.0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]], dtype=dtype).requires_grad_()
    out, (_, alpha) = conv(x, torch.tensor([[1, 2], [0, 0]]), return_attention_weights=True)
    out.sum().backward()
    torch.testing.assert_close(
        alpha.flatten().double(), torch.tensor([0.26894, 0.73106]).double(), atol=2e-3, rtol=0
    )
    assert x.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in conv.parameters())


def test_types_must_be_given_where_there_are_types_and_only_there():
    x = torch.randn(5, 6)
    with pytest.raises(ValueError, match="GATConv: edge_type must be None in a layer without type"):
        GATConv(6, 4)(x, EDGE_INDEX, EDGE_TYPE)
    with pytest.raises(ValueError, match="GATConv: edge_type must be None in a layer without type"):
        GATConv(6, 4)(x, EDGE_INDEX, torch.zeros(7, 3))
    with pytest.raises(ValueError, match="GATConv: edge_type must hold the type of each edge"):
        GATConv(6, 4, num_types=3)(x, EDGE_INDEX)
    with pytest.raises(ValueError, match=r"GATConv: edge_type must be int64 of shape \[E\]"):
        GATConv(6, 4, num_types=3)(x, EDGE_INDEX, torch.zeros(7, 3))
    with pytest.raises(ValueError, match=r"GATConv: edge_type must be in \[0, 2\)"):
        GATConv(6, 4, num_types=2)(x, EDGE_INDEX, EDGE_TYPE)
    with pytest.raises(ValueError, match=r"edge_type must have one row per edge \(7\)"):
        GATConv(6, 4, num_types=3)(x, EDGE_INDEX, EDGE_TYPE[1:])
    with pytest.raises(ValueError, match="num_types must be at least 1"):
        GATConv(6, 4, num_types=0)
