import pytest
import torch

from tgraph_attn.ops import full_attention as module
from tgraph_attn.ops.edge_attention import edge_attention
from tgraph_attn.ops.full_attention import full_attention

SIZES = {
    "one graph": [7],
    "equal sizes": [3, 3, 3],
    "one large and many small": [90, *[2, 1, 5] * 6],
    "with empty graphs": [0, 4, 0, 0, 30, 1, 0],
    "lone nodes": [1, 1, 1],
}


def inputs(sizes, dtype=torch.float64):
    num_nodes = sum(sizes)
    batch = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    tensors = [torch.randn(num_nodes, 2, c, dtype=dtype) for c in (4, 4, 3)]
    edge_index = torch.cartesian_prod(torch.arange(num_nodes), torch.arange(num_nodes)).t()
    edge_index = edge_index[:, batch[edge_index[0]] == batch[edge_index[1]]]
    return [t.requires_grad_() for t in tensors], batch, edge_index


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_equals_edge_attention_on_all_edges_with_its_gradients(sizes, dtype, close):
    tensors, batch, edge_index = inputs(sizes, dtype)
    out, expected = full_attention(*tensors, batch), edge_attention(*tensors, edge_index)
    upstream = torch.randn_like(expected)
    close(out, expected)
    for one, other in zip(
        torch.autograd.grad(out, tensors, upstream),
        torch.autograd.grad(expected, tensors, upstream),
        strict=True,
    ):
        close(one, other)


def test_without_a_batch_there_is_one_graph(close):
    tensors, batch, _ = inputs([7])
    close(full_attention(*tensors), full_attention(*tensors, batch))


def test_no_nodes_give_no_rows():
    tensors, batch, _ = inputs([0])
    assert full_attention(*tensors, batch).shape == (0, 2, 3)
    assert full_attention(*tensors).shape == (0, 2, 3)


def test_one_large_graph_does_not_pad_the_small_ones(monkeypatch):
    shapes = []

    def attend(query, key, value, *rest):
        shapes.append((query.size(0), query.size(2)))
        return value

    monkeypatch.setattr(module, "scaled_dot_product_attention", attend)
    tensors, batch, _ = inputs([1000, *[10, 5] * 50, 800, 749])
    full_attention(*tensors, batch)
    assert sorted(shapes) == [(1, 749), (2, 1000), (100, 10)]


def test_dropout_sets_weights_to_zero_and_lets_the_rest_grow():
    zeros, ones = torch.zeros(400, 2, 4), torch.ones(400, 2, 1)
    out = full_attention(zeros, zeros, ones, dropout=0.5)
    assert out.mean().item() == pytest.approx(1.0, abs=0.02) and out.std() > 0.01
    torch.manual_seed(5)
    first = full_attention(zeros, zeros, ones, dropout=0.5)
    torch.manual_seed(5)
    assert torch.equal(full_attention(zeros, zeros, ones, dropout=0.5), first)


@pytest.mark.parametrize("sizes", [[30], [30, 20, 4]])
def test_dropout_in_parts_has_the_gradients_of_what_it_gave(sizes, monkeypatch, close):
    monkeypatch.setattr(module, "_MOST_SCORES", 300)
    (query, key, value), batch, _ = inputs(sizes)

    def drawn(value):
        torch.manual_seed(5)
        return full_attention(query, key, value, batch, dropout=0.5)

    out = drawn(value)
    grad = torch.autograd.grad(out.sum(), value)[0]
    close((grad * value).sum(), out.sum())  # out is linear in value
    step = torch.randn_like(value)
    close((grad * step).sum(), (drawn(value + step) - out).sum())


def test_wrong_input_is_refused():
    (query, key, value), _, _ = inputs([4])
    with pytest.raises(ValueError, match="full_attention: batch must be sorted"):
        full_attention(query, key, value, torch.tensor([0, 1, 1, 0]))
    with pytest.raises(ValueError, match=r"full_attention: batch must be int64 of shape \[4\]"):
        full_attention(query, key, value, torch.tensor([0, 1]))
    with pytest.raises(ValueError, match=r"full_attention: dropout must be in \[0, 1\)"):
        full_attention(query, key, value, dropout=1.0)
