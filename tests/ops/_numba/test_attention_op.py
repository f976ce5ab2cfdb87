import pytest
import torch

from tgraph_attn.ops._numba import attention_op  # noqa: F401  registers the operators

TERMS = ("key_table", "query_table", "value_table", "bias_table", "edge_bias")


@pytest.mark.parametrize("with_terms", [True, False])
def test_opcheck_passes(attention_case, with_terms):
    case = attention_case(6, 5, 20)
    nodes = [case[name].requires_grad_() for name in ("query", "key", "value")]
    terms = [case[name].requires_grad_() if with_terms else None for name in TERMS]
    edge_type = case["edge_type"] if with_terms else None
    mask = torch.ones(20, 3, dtype=torch.float64) if with_terms else None
    torch.library.opcheck(
        torch.ops.tgraph_attn.attend.default,
        (*nodes, case["edge_index"], edge_type, *terms, mask, 0.5),
    )
