import pytest
import torch
from torch_geometric.nn.conv.gcn_conv import gcn_norm

from tgraph_attn.ops.symmetric_weight import symmetric_weight

EDGE_INDEX = torch.tensor([[0, 0, 1, 2, 1, 3, 2], [1, 2, 0, 0, 2, 3, 2]])


def test_equals_pyg_and_its_gradient(close):
    weight = torch.rand(7, dtype=torch.float64, requires_grad=True)
    _, expected = gcn_norm(EDGE_INDEX, weight, 5, add_self_loops=False)
    out = symmetric_weight(EDGE_INDEX, weight, 5)
    close(out, expected)
    close(*(torch.autograd.grad(w.square().sum(), weight)[0] for w in (out, expected)))


def test_a_degree_of_zero_gives_zeros_and_finite_gradients():
    weight = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
    out = symmetric_weight(torch.tensor([[0, 1, 0], [0, 0, 1]]), weight, 3)
    out.sum().backward()
    assert out.tolist() == [0, 0, 0] and weight.grad.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_half_precision_counts_beyond_its_digits(dtype, close):
    leaves = torch.arange(1, 4097)
    star = torch.stack([torch.cat([leaves, leaves]), torch.cat([0 * leaves, leaves])])
    out = symmetric_weight(star, torch.ones(8192, dtype=dtype), 4097)
    close(out[0], torch.tensor(1 / 64, dtype=dtype))


def test_no_edges_give_no_weights():
    assert symmetric_weight(torch.empty(2, 0, dtype=torch.int64), torch.empty(0), 3).shape == (0,)
