import pytest
import torch

from tgraph_attn.ops._numba import attention_op  # noqa: F401  registers the operators


@pytest.mark.parametrize("with_terms", [True, False])
def test_opcheck_passes(attention_case, with_terms):
    case = attention_case(6, 5, 20)
    for name in ("query", "key", "value"):
        case[name].requires_grad_()
    terms = (None,) * 6
    if with_terms:
        terms = (
            case["edge_type"],
            torch.randn(6, 3, 6, dtype=torch.float64, requires_grad=True),
            torch.randn(5, 3, 6, dtype=torch.float64, requires_grad=True),
            case["bias_table"].requires_grad_(),
            case["edge_bias"].requires_grad_(),
            torch.ones(20, 3, dtype=torch.float64),
        )
    arguments = (case["query"], case["key"], case["value"], case["edge_index"], *terms, 0.5)
    torch.library.opcheck(
        torch.ops.tgraph_attn.attend.default, (*arguments, 6 if with_terms else 0)
    )
