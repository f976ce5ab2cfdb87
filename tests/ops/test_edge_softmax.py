import pytest
import torch

from tgraph_attn.ops import edge_softmax


def test_equals_softmax_of_each_query_alone(close):
    score = torch.randn(30, 2, dtype=torch.float64)
    edge_index = torch.randint(5, (2, 30))
    got = edge_softmax(score, edge_index, num_queries=6)
    for i in range(5):
        into = edge_index[1] == i
        close(got[into], score[into].softmax(0))


@pytest.mark.parametrize("largest", [1000.0, -1000.0])
def test_large_scores_do_not_overflow(largest):
    score = torch.tensor([largest, largest + 1], requires_grad=True)
    weight = edge_softmax(score, torch.zeros(2, 2, dtype=torch.int64), num_queries=1)
    torch.testing.assert_close(weight, torch.tensor([0.26894142, 0.73105858]))
    weight[0].backward()
    assert torch.isfinite(score.grad).all() and score.grad.ne(0).all()


def test_no_edges_give_no_weights():
    empty = torch.empty(0, 3)
    assert edge_softmax(empty, torch.empty(2, 0, dtype=torch.int64), 4).shape == (0, 3)


def test_gradients_equal_finite_differences():
    score = torch.randn(8, 2, dtype=torch.float64, requires_grad=True)
    edge_index = torch.randint(3, (2, 8))
    assert torch.autograd.gradcheck(lambda s: edge_softmax(s, edge_index, 3), [score])


def test_scores_of_the_wrong_length_are_refused():
    with pytest.raises(ValueError, match=r"score must have one row per edge \(2\), but has 3"):
        edge_softmax(torch.zeros(3), torch.zeros(2, 2, dtype=torch.int64), 1)


def test_an_unknown_query_is_refused():
    with pytest.raises(ValueError, match=r"the query of an edge must be in \[0, 1\)"):
        edge_softmax(torch.zeros(1), torch.tensor([[0], [1]]), num_queries=1)


def test_scores_that_are_no_floats_are_refused():
    with pytest.raises(ValueError, match=r"score must be floating, but got torch.int64"):
        edge_softmax(torch.zeros(1, dtype=torch.int64), torch.zeros(2, 1, dtype=torch.int64), 1)
