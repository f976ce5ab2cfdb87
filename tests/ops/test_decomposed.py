import pytest
import torch

from tgraph_attn._optional import is_available
from tgraph_attn.ops import edge_attention


def test_a_backend_without_its_package_says_what_to_do(monkeypatch, attention_case):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r'torch-scatter, .*"decomposed" cannot run: use "auto"'):
        edge_attention(**attention_case(4, 5, 15), backend="decomposed")


@pytest.mark.skipif(not is_available("torch_scatter"), reason="the extra scatter is not installed")
def test_groups_of_types_give_scores_and_values_in_the_order_of_the_edges(close):
    def column(*numbers):
        return torch.tensor(numbers, dtype=torch.float64).view(-1, 1, 1)

    # Types 2, 0, 2; no edge has type 1.
    score = torch.tensor([2 * 3 + 2 * 5 + 7 * 3, 2 * 1 + 2 * 4 + 6 * 1, 2 * 8 + 2 * 5 + 7 * 8.0])
    expected = (0.1 * score.double()).softmax(0)
    out, alpha = edge_attention(
        column(2),
        column(3, 1, 8),
        column(10, 20, 30),
        torch.tensor([[0, 1, 2], [0, 0, 0]]),
        torch.tensor([2, 0, 2]),
        key_table=column(4, torch.nan, 5),
        query_table=column(6, torch.nan, 7),
        value_table=column(1, torch.nan, 3),
        scale=0.1,
        return_weights=True,
        backend="decomposed",
    )
    close(alpha.flatten(), expected)
    close(out.flatten(), (expected * torch.tensor([10 + 3, 20 + 1, 30 + 3])).sum(0, keepdim=True))
