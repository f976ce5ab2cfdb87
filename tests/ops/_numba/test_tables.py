import pytest
import torch

from tgraph_attn.ops._numba.tables import add_rows, products, table_gradient


@pytest.mark.parametrize("table_heads", [1, 3])
def test_products_and_their_gradients_are_those_of_the_formula(table_heads, close):
    nodes = torch.randn(6, 3, 4, dtype=torch.float64, requires_grad=True)
    table = torch.randn(5, table_heads, 4, dtype=torch.float64, requires_grad=True)
    expected = (nodes.unsqueeze(2) * table.transpose(0, 1)).sum(-1)  # [N, H, T]
    close(products(nodes, table), expected)
    amount = torch.randn(6, 3, 5, dtype=torch.float64)
    d_nodes, d_table = torch.autograd.grad(expected, [nodes, table], amount)
    close(table_gradient(amount, nodes.detach(), table.detach()), d_table)
    out = torch.ones(6, 3, 4, dtype=torch.float64)
    add_rows(out, amount, table.detach())
    close(out, 1 + d_nodes)
