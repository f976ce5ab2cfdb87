import pytest
import torch

from tgraph_attn.ops import edge_attention


def test_dense_refuses_what_would_not_fit_and_names_the_bytes():
    x = torch.zeros(9000, 1, 1)
    with pytest.raises(ValueError, match=r"81,000,000 \(324,000,000 bytes\)"):
        edge_attention(x, x, x, torch.tensor([[0], [1]]), backend="dense")


def test_duplicate_edges_count_as_separate_edges(close):
    x = torch.randn(3, 1, 2, dtype=torch.float64)
    twice = torch.tensor([[0, 0, 1], [2, 2, 2]])
    for backend in ("reference", "dense", "fused"):
        _, alpha = edge_attention(x, x, x, twice, backend=backend, return_weights=True, scale=0.0)
        close(alpha, torch.full((3, 1), 1 / 3, dtype=torch.float64))
