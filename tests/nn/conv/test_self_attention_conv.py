import math

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tgraph_attn.nn.conv import SelfAttentionConv
from tgraph_attn.nn.conv._full_edges import full_edges
from tgraph_attn.ops import edge_attention


def conv_f64(**options):
    return SelfAttentionConv(6, 4, heads=2, **options).double()


def projected(conv, x):
    return (lin(x).view(-1, 2, 4) for lin in (conv.lin_query, conv.lin_key, conv.lin_value))


@pytest.mark.parametrize("bias", [False, True])
def test_equals_dense_attention_and_its_gradients(bias, same):
    conv, x = conv_f64(bias=bias), torch.randn(5, 6, dtype=torch.float64, requires_grad=True)
    query, key, value = projected(conv, x)
    alpha = (torch.einsum("ihc,jhc->ijh", query, key) / math.sqrt(4)).softmax(1)
    expected = torch.einsum("ijh,jhc->ihc", alpha, value).flatten(1)
    same(conv(x), expected, x, *conv.parameters())


def test_equals_edge_attention_on_all_edges(same, close):
    conv, x = conv_f64(), torch.randn(9, 6, dtype=torch.float64, requires_grad=True)
    batch = torch.tensor([0, 0, 0, 0, 1, 2, 2, 4, 4])
    edge_index = full_edges("test", x, batch)
    expected, alpha = edge_attention(*projected(conv, x), edge_index, return_weights=True)
    same(conv(x, batch), expected.flatten(1), x, *conv.parameters())
    out, (edges, weights) = conv(x, batch, return_attention_weights=True)
    close(out, conv(x, batch))
    close(weights, alpha)
    assert torch.equal(edges, edge_index)


def test_weights_of_a_large_graph_are_refused_but_not_its_output():
    conv, x = SelfAttentionConv(2, 1), torch.randn(4096, 2)
    assert conv(x).shape == (4096, 1)
    with pytest.raises(ValueError, match=r"SelfAttentionConv: weights .* below 4,096 nodes"):
        conv(x, return_attention_weights=True)


@pytest.mark.parametrize("batch", [[0, 1, 1, 0], [1, 0, 0, 0], [-1, 0, 0, 0]])
def test_an_unsorted_batch_is_refused(batch):
    with pytest.raises(ValueError, match="SelfAttentionConv: batch must be sorted"):
        SelfAttentionConv(6, 4)(torch.randn(4, 6), torch.tensor(batch))


def test_a_batch_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"SelfAttentionConv: batch must be int64 of shape \[4\]"):
        SelfAttentionConv(6, 4)(torch.randn(4, 6), torch.zeros(3, dtype=torch.int64))
    with pytest.raises(ValueError, match=r"SelfAttentionConv: batch must be int64 of shape \[4\]"):
        SelfAttentionConv(6, 4)(torch.randn(4, 6), torch.zeros(4))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("sign", [1, -1])
def test_large_scores_do_not_overflow(dtype, sign):
    conv = SelfAttentionConv(4, 4).to(dtype)
    with torch.no_grad():
        conv.lin_query.weight.copy_(torch.eye(4))
        conv.lin_key.weight.copy_(torch.eye(4).roll(2, 1))  # a key is made of the last two
        conv.lin_value.weight.copy_(torch.eye(4).roll(2, 1))
    # Half of 2,000 for node 1, 2,002 for node 2; next to nothing for the node itself.
    own = 0.0 if sign > 0 else 2.0
    x = [[2000.0 * sign, 2, own, 0], [0, 0, 1, 0], [0, 0, 1, 1]]
    x = torch.tensor(x, dtype=dtype, requires_grad=True)
    out = conv(x)
    out.sum().backward()
    assert out[0, 1].item() == pytest.approx(0.73106, abs=4e-3)
    assert x.grad.isfinite().all()


class Largest(TorchDispatchMode):
    """The most elements that any operator returned."""

    elements = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for tensor in out if isinstance(out, tuple | list) else [out]:
            if isinstance(tensor, torch.Tensor):
                self.elements = max(self.elements, tensor.numel())
        return out


def test_a_large_graph_builds_no_pairs():
    conv, x = SelfAttentionConv(256, 32, heads=8), torch.randn(4000, 256, requires_grad=True)
    with Largest() as largest:
        conv(x).sum().backward()
    assert largest.elements <= 4000 * 256
