"""A recurrent net along a tree, from the leaves to the root."""

import torch
from torch import Tensor
from torch.nn import Linear, Module, Parameter

from tgraph_attn._checks import check_positive
from tgraph_attn._checks_tensor import check_features, check_range


class TreeLSTM(Module):
    """Let each node sum up the states of its children, whatever their number and order.

    For a node n with children k, in the notation of the paper, sig the sigmoid::

        s       = sum of h[k]
        i, o, u = sig, sig, tanh of (W x[n] + U s), each with a matrix of its own
        f[k]    = sig(W_f x[n] + U_f h[k])
        c[n]    = i * u + sum of f[k] * c[k]
        h[n]    = o * tanh(c[n])

    A leaf has s = 0. All nodes at the same depth are worked out together: there are as many steps
    as the deepest tree has levels, over all nodes in all, and these are found in N log N.

    Args:
        in_channels: Features of an input node, F.
        out_channels: Features of a state, C.

    Shapes:
        - **x**: `[N, F]`
        - **parent_index**: `[N]` int64, the parent of each node; a root is its own parent, so that
          it may also be that of a batch
        - **output**: `[N, C]`, h of each node

    Raises:
        ValueError: A size is below 1, x has another width, parent_index has not one row for each
            node, or (on CPU) is out of range or has a cycle.

    Examples:
        >>> import torch
        >>> from tgraph_attn.nn import TreeLSTM
        >>> TreeLSTM(8, 4)(torch.randn(3, 8), torch.tensor([0, 0, 0])).shape
        torch.Size([3, 4])

    Source:
        The child-sum Tree-LSTM of Tai et al. (ACL 2015).
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        check_positive(type(self).__name__, in_channels=in_channels, out_channels=out_channels)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.lin = Linear(in_channels, 4 * out_channels, bias=False)  # i, o, u, f
        self.lin_sum = Linear(out_channels, 3 * out_channels, bias=False)
        self.lin_child = Linear(out_channels, out_channels, bias=False)
        self.bias = Parameter(torch.empty(4 * out_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw each matrix anew, and set biases to zero, those of f to one."""
        for lin in (self.lin, self.lin_sum, self.lin_child):
            for matrix in lin.weight.detach().chunk(lin.out_features // self.out_channels):
                torch.nn.init.xavier_uniform_(matrix)
        torch.nn.init.zeros_(self.bias)
        torch.nn.init.ones_(self.bias.detach()[3 * self.out_channels :])

    def forward(self, x: Tensor, parent_index: Tensor) -> Tensor:
        """Return the state of each node, `[N, C]`."""
        owner, channels = type(self).__name__, self.out_channels
        check_features(owner, x, self.in_channels)
        depth = _depth(owner, parent_index, x.size(0))
        order = depth.argsort(stable=True)  # from the roots down
        sizes = depth.bincount().tolist()
        place = torch.empty_like(order)
        place[order] = torch.arange(len(order), device=order.device)
        above = place[parent_index[order]]  # the parent's place in that order
        given = (self.lin(x) + self.bias)[order].split(sizes)
        ends = torch.tensor(sizes).cumsum(0).tolist()
        states: list[Tensor] = []
        h = c = x.new_zeros(0, channels)
        for level in reversed(range(len(sizes))):
            size = sizes[level]
            own = given[level]
            # The children of this level are all of the level below.
            begin = ends[level]
            parent = above[begin : begin + len(h)] - (begin - size)
            total = h.new_zeros(size, channels).index_add(0, parent, h)
            gates = own[:, : 3 * channels] + self.lin_sum(total)
            i, o, u = gates.split(channels, dim=1)
            forget = (own[:, 3 * channels :].index_select(0, parent) + self.lin_child(h)).sigmoid()
            kept = c.new_zeros(size, channels).index_add(0, parent, forget * c)
            c = i.sigmoid() * u.tanh() + kept
            h = o.sigmoid() * c.tanh()
            states.append(h)
        return torch.cat(states[::-1])[place] if states else x.new_zeros(0, channels)


def _depth(owner: str, parent_index: Tensor, num_nodes: int) -> Tensor:
    """Return how far each node is below its root, `[N]`."""
    if parent_index.dtype != torch.int64 or list(parent_index.shape) != [num_nodes]:
        raise ValueError(
            f"{owner}: parent_index must be int64 of shape [{num_nodes}], the parent of each node, "
            f"but is {parent_index.dtype} of shape {list(parent_index.shape)}. Pass "
            "data.parent_index."
        )
    check_range(owner, "parent_index", parent_index, num_nodes, "Pass data.parent_index.")
    node = torch.arange(num_nodes, device=parent_index.device)
    # How many steps lead from each node up to another: 1, 2, 4, ... of them, fewer from a root on.
    up, depth = parent_index, (parent_index != node).long()
    for _ in range(num_nodes.bit_length() + 1):
        if parent_index[up].equal(up):
            return depth
        depth = depth + depth[up]
        up = up[up]
    raise ValueError(
        f"{owner}: parent_index must lead from each node to a root, which is its own parent, but "
        "there is a cycle. Make it with tree_to_data(tree)."
    )
