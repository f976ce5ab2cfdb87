"""Products of nodes with the tables of types, as matrix products, and their gradients.

A table is `[T, H, C]`, or `[T, 1, C]` where all heads share its rows. Autocast, which may be on
when a backward pass runs, leaves these products alone.
"""

import torch
from torch import Tensor


@torch.autocast("cpu", enabled=False)
def products(nodes: Tensor, table: Tensor) -> Tensor:
    """Return `nodes[n, h] · table[r, h]` for all n, h and r, `[N, H, T]`."""
    if table.size(1) == 1:
        flat = nodes.flatten(0, 1) @ table[:, 0].t()
        return flat.view(*nodes.shape[:2], table.size(0))
    return torch.einsum("nhc,thc->nht", nodes, table).contiguous()


@torch.autocast("cpu", enabled=False)
def add_rows(out: Tensor, amount: Tensor, table: Tensor) -> None:
    """Add to `out[n, h]` the sum over r of `amount[n, h, r] * table[r, h]`, in place."""
    if table.size(1) == 1:
        out.flatten(0, 1).addmm_(amount.flatten(0, 1), table[:, 0])
    else:
        out += torch.einsum("nht,thc->nhc", amount, table)


@torch.autocast("cpu", enabled=False)
def table_gradient(amount: Tensor, nodes: Tensor, table: Tensor) -> Tensor:
    """Return the gradient of table in `products(nodes, table)`, where amount is that of these."""
    if table.size(1) == 1:
        return (amount.flatten(0, 1).t() @ nodes.flatten(0, 1)).unsqueeze(1)
    return torch.einsum("nht,nhc->thc", amount, nodes).contiguous()
