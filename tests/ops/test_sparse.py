import pytest
import torch

from tgraph_attn._optional import is_available
from tgraph_attn.ops import edge_attention


def test_a_backend_without_its_package_says_what_to_do(monkeypatch, attention_case):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r'torch-sparse, .*backend="sparse" cannot run: use "a'):
        edge_attention(**attention_case(4, 5, 15), backend="sparse")


@pytest.mark.skipif(not is_available("torch_sparse"), reason="the extra scatter is not installed")
def test_entries_between_two_nodes_stay_apart_and_in_the_order_of_the_edges(close):
    def column(*numbers):
        return torch.tensor(numbers, dtype=torch.float64).view(-1, 1, 1)

    # Key 1, key 0, and key 1 again, each with a type of its own.
    score = torch.tensor([2 * 3 + 2 * 4 + 6 * 3, 2 * 8 + 2 * 5 + 7 * 8, 2 * 3 + 2 * 9 - 1 * 3.0])
    expected = (0.1 * score.double()).softmax(0)
    out, alpha = edge_attention(
        column(2),
        column(8, 3),
        column(10, 20),
        torch.tensor([[1, 0, 1], [0, 0, 0]]),
        torch.tensor([0, 1, 2]),
        key_table=column(4, 5, 9),
        query_table=column(6, 7, -1),
        value_table=column(1, 3, 5),
        scale=0.1,
        return_weights=True,
        backend="sparse",
    )
    close(alpha.flatten(), expected)
    close(out.flatten(), (expected * torch.tensor([20 + 1, 10 + 3, 20 + 5])).sum(0, keepdim=True))
