import pytest
import torch

from tgraph_attn.ops import edge_attention


def test_dense_refuses_what_would_not_fit_and_names_the_bytes():
    x = torch.zeros(9000, 1, 1)
    with pytest.raises(ValueError, match=r"81,000,000 \(324,000,000 bytes\)"):
        edge_attention(x, x, x, torch.tensor([[0], [1]]), backend="dense")
