import pytest
import torch

from tgraph_attn.nn import TreeLSTM

#     0       5
#    / \      |
#   1   4     6
#  / \
# 2   3
PARENT = torch.tensor([0, 0, 1, 1, 0, 5, 5])


def by_definition(net, x, parent):
    """The paper's equations, a node at a time."""
    c_size = net.out_channels
    w_i, w_o, w_u, w_f = net.lin.weight.split(c_size)
    u_i, u_o, u_u = net.lin_sum.weight.split(c_size)
    b_i, b_o, b_u, b_f = net.bias.split(c_size)
    h, c = {}, {}

    def visit(n):
        children = [k for k, p in enumerate(parent.tolist()) if p == n and k != n]
        for k in children:
            visit(k)
        s = sum((h[k] for k in children), x.new_zeros(c_size))
        i = torch.sigmoid(w_i @ x[n] + u_i @ s + b_i)
        o = torch.sigmoid(w_o @ x[n] + u_o @ s + b_o)
        u = torch.tanh(w_u @ x[n] + u_u @ s + b_u)
        c[n] = i * u
        for k in children:
            f = torch.sigmoid(w_f @ x[n] + net.lin_child.weight @ h[k] + b_f)
            c[n] = c[n] + f * c[k]
        h[n] = o * torch.tanh(c[n])

    for n, p in enumerate(parent.tolist()):
        if n == p:
            visit(n)
    return torch.stack([h[n] for n in range(len(parent))])


def test_it_equals_the_equations_and_their_gradients(same):
    net = TreeLSTM(6, 4).double()
    torch.nn.init.normal_(net.bias)
    x = torch.randn(7, 6, dtype=torch.float64, requires_grad=True)
    same(net(x, PARENT), by_definition(net, x, PARENT), x, *net.parameters())


def test_renaming_nodes_renames_the_output(close):
    net, x = TreeLSTM(6, 4).double(), torch.randn(7, 6, dtype=torch.float64)
    order = torch.tensor([5, 2, 0, 6, 3, 1, 4])
    place = order.argsort()
    close(net(x[order], place[PARENT[order]]), net(x, PARENT)[order])


def test_the_order_of_children_does_not_matter_but_the_tree_does():
    net, x = TreeLSTM(6, 4), torch.randn(3, 6)
    star, chain = torch.tensor([0, 0, 0]), torch.tensor([0, 0, 1])
    swapped = net(x[[0, 2, 1]], star)
    torch.testing.assert_close(swapped, net(x, star)[[0, 2, 1]])
    assert not net(x, star)[0].allclose(net(x, chain)[0])


def test_a_long_chain_and_a_lone_node_work():
    net = TreeLSTM(2, 2)
    parent = torch.tensor([0, *range(999)])
    assert net(torch.randn(1000, 2), parent).isfinite().all()
    assert net(torch.randn(1, 2), torch.tensor([0])).shape == (1, 2)
    assert net(torch.randn(0, 2), torch.empty(0, dtype=torch.int64)).shape == (0, 2)


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ([0, 2, 1], r"TreeLSTM: parent_index must lead .* but there is a cycle"),
        ([1, 2, 0], r"TreeLSTM: parent_index must lead .* but there is a cycle"),
        ([0, 1, 1, 1], r"parent_index must be int64 of shape \[3\]"),
        ([0, 0, 7], r"parent_index must be in \[0, 3\)"),
        ([0, 0, -1], r"parent_index must be in \[0, 3\)"),
        ([0.0, 0.0, 0.0], r"parent_index must be int64 of shape \[3\]"),
    ],
)
def test_what_is_no_tree_is_refused(parent, message):
    with pytest.raises(ValueError, match=message):
        TreeLSTM(2, 2)(torch.randn(3, 2), torch.tensor(parent))
