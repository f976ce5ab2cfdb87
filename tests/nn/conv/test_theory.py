"""What graph convolution and self-attention have to do with each other, as equations."""

import pytest
import torch
from torch.func import functional_call
from torch.nn import Linear

from tgraph_attn.nn.conv import GCNConv, RelationAttentionConv, SelfAttentionConv
from tgraph_attn.ops import edge_aggregate, edge_attention, edge_softmax
from tgraph_attn.ops.symmetric_weight import symmetric_weight


def undirected():
    """A symmetric matrix of weights, as its edges: node 4 has one neighbour, node 0 has all."""
    pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3)]
    edges = sorted([*pairs, *((j, i) for i, j in pairs), *((n, n) for n in range(5))])
    edge_index = torch.tensor(edges).t()
    weight = torch.rand(5, 5, dtype=torch.float64) + 0.5
    return edge_index, (weight + weight.t())[edge_index[0], edge_index[1]]


def dense(edge_index, weight):
    """The matrix whose row is the query, and whose column is the key."""
    return torch.zeros(5, 5, dtype=torch.float64).index_put((edge_index[1], edge_index[0]), weight)


def draw(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("batch", [None, [0, 0, 0, 1, 2, 2, 2, 2]])
def test_heads_side_by_side_before_a_matrix_are_a_sum_of_heads_with_a_matrix_each(batch, same):
    heads, channels = 3, 4
    conv = SelfAttentionConv(6, channels, heads=heads).double()
    w_o = Linear(heads * channels, 5, bias=False).double()
    x, batch = draw(8, 6), None if batch is None else torch.tensor(batch)
    alone = SelfAttentionConv(6, channels).double()
    expected = 0
    for h in range(heads):
        rows = slice(h * channels, (h + 1) * channels)
        of_head = {name: weight[rows] for name, weight in conv.named_parameters()}
        expected = expected + functional_call(alone, of_head, (x, batch)) @ w_o.weight[:, rows].t()
    same(w_o(conv(x, batch)), expected, x, *conv.parameters(), w_o.weight)


@pytest.mark.parametrize("backend", ["auto", "reference", "dense", "fused"])
def test_attention_whose_logits_are_log_a_hat_is_convolution_with_a_hat(backend, same):
    edge_index, weight = undirected()
    weight.requires_grad_()
    x, zeros = draw(5, 3), torch.zeros(5, 1, 2, dtype=torch.float64)

    def a_hat():
        return weight / dense(edge_index, weight).sum(1)[edge_index[1]]

    def attended():
        logits = a_hat().log()
        value = x.unsqueeze(1)
        return edge_attention(
            zeros, zeros, value, edge_index, edge_bias=logits, backend=backend
        ).squeeze(1)

    same(attended(), edge_aggregate(x, edge_index, a_hat()), x, weight)
    same(attended(), dense(edge_index, a_hat()) @ x, x, weight)


def test_a_layer_whose_queries_are_zero_is_graph_convolution_with_the_weights_of_its_types(same):
    edge_index, weight = undirected()
    a_hat = weight / dense(edge_index, weight).sum(1)[edge_index[1]]
    attention = RelationAttentionConv(6, 4, num_types=len(weight)).double()  # each edge has its own
    with torch.no_grad():
        attention.lin_query.weight.zero_()
        attention.bias_table.copy_(a_hat.log().unsqueeze(1))
    convolution = GCNConv(6, 4, normalize=False, bias=False).double()
    convolution.lin.weight = attention.lin_value.weight
    x = draw(5, 6)
    out = attention(x, edge_index, torch.arange(len(weight)))
    same(out, convolution(x, edge_index, a_hat), x, convolution.lin.weight)


@pytest.mark.parametrize("which", ["lin_query", "lin_key"])
def test_self_attention_without_logits_is_convolution_with_equal_weights(which, same):
    attention = SelfAttentionConv(6, 4).double()
    torch.nn.init.zeros_(getattr(attention, which).weight)
    convolution = GCNConv(6, 4, bias=False).double()
    convolution.lin.weight = attention.lin_value.weight
    x, every = draw(5, 6), torch.cartesian_prod(torch.arange(5), torch.arange(5)).t()
    same(attention(x), convolution(x, every), x, convolution.lin.weight)


def test_symmetric_normalisation_of_an_undirected_graph_leaves_it_undirected(close):
    edge_index, weight = undirected()
    close(dense(edge_index, weight), dense(edge_index, weight).t())
    a_hat = dense(edge_index, symmetric_weight(edge_index, weight, 5))
    close(a_hat, a_hat.t())
    assert not torch.allclose(a_hat.sum(1), torch.ones(5, dtype=torch.float64))


def test_row_normalisation_of_an_undirected_graph_makes_it_directed(close):
    edge_index, weight = undirected()
    a_hat = dense(edge_index, edge_softmax(weight.log(), edge_index, 5))
    close(a_hat.sum(1), torch.ones(5, dtype=torch.float64))
    close(a_hat, dense(edge_index, weight) / dense(edge_index, weight).sum(1, keepdim=True))
    off_diagonal = ~torch.eye(5, dtype=torch.bool) & (a_hat > 0)
    assert ((a_hat - a_hat.t()).abs()[off_diagonal] > 1e-3).all()


def test_what_one_node_is_to_another_goes_both_ways_in_convolution_but_not_in_attention(close):
    edge_index, weight = undirected()

    def convolve(x):
        return edge_aggregate(x, edge_index, weight, reduce="sym").sum(1)

    def attend(x):
        zeros = torch.zeros(5, 1, 1, dtype=torch.float64)
        return edge_attention(zeros, zeros, x.unsqueeze(1), edge_index, edge_bias=weight.log()).sum(
            (1, 2)
        )

    x = draw(5, 1)
    convolved, attended = (
        torch.autograd.functional.jacobian(layer, x).squeeze(2) for layer in (convolve, attend)
    )
    close(convolved, convolved.t())
    assert (attended - attended.t()).abs().max() > 0.01
