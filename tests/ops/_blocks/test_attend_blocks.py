import pytest
import torch

from tgraph_attn.ops._blocks.attend_blocks import attend_blocks
from tgraph_attn.ops._blocks.block_rows import block_rows


def test_what_is_kept_for_the_gradient_does_not_grow_with_the_pattern():
    kept = []
    for reach in (1, 4):
        pairs = torch.cartesian_prod(torch.arange(reach), torch.arange(4)).t()
        nodes = [torch.randn(2, 4, 8, 3, requires_grad=True) for _ in range(3)]
        sizes = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t, sizes=sizes: (sizes.append(t.numel()), t)[1], lambda t: t
        ):
            attend_blocks(*nodes, None, block_rows(pairs, 4), 1.0, 0.0)
        kept.append(sum(sizes))
    assert kept == [3 * 2 * 4 * 8 * 3] * 2


def test_a_second_derivative_is_refused():
    nodes = [torch.randn(1, 2, 2, 3, requires_grad=True) for _ in range(3)]
    rows = block_rows(torch.tensor([[0], [1]]), 2)
    out = attend_blocks(*nodes, None, rows, 1.0, 0.0)
    first = torch.autograd.grad(out.square().sum(), nodes, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        sum(gradient.sum() for gradient in first).backward()
