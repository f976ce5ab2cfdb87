import pytest
import torch

from tgraph_attn.ops._numba import aggregate_op  # noqa: F401  registers the operators


@pytest.mark.parametrize("largest", [True, False])
def test_opcheck_passes(largest):
    edge_index = torch.randint(5, (2, 20))
    value = torch.randn(5, 3, 4, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(20, 3, dtype=torch.float64, requires_grad=True)
    torch.library.opcheck(
        torch.ops.tgraph_attn.aggregate.default, (value, edge_index, weight, 5, largest)
    )
