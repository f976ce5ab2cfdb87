import pytest
import torch

from tgraph_attn.ops import edge_attention


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query": torch.zeros(4, 15).double()}, r"query must be floating \[Nq, H, C\], but got"),
        ({"key": torch.zeros(5, 3, 4).double()}, r"key must have shape \[N, 3, 5\], but has"),
        ({"value": torch.zeros(4, 3, 4).double()}, r"value must have shape \[5, 3, Cv\]"),
        ({"key_table": torch.zeros(6, 2, 5).double()}, r"key_table must have shape \[6, 3, 5\]"),
        ({"bias_table": torch.zeros(7, 3).double()}, r"bias_table must have shape \[6, 3\]"),
        ({"edge_bias": torch.zeros(15, 2).double()}, r"edge_bias must have shape \[15, 3\]"),
        (
            {"edge_bias": torch.zeros(14, 3).double()},
            r"edge_bias must have one row per edge \(15\)",
        ),
        ({"edge_type": torch.zeros(14).long()}, r"edge_type must have one row per edge \(15\)"),
        ({"edge_type": torch.full((15,), 6)}, r"edge_type must be in \[0, 6\), but ranges"),
        ({"edge_type": torch.full((15,), -1)}, r"edge_type must be in \[0, 6\), but ranges"),
        ({"edge_type": torch.zeros(15)}, r"edge_type must be int64 of shape \[E\], but got"),
        ({"edge_type": torch.zeros(15, 1).long()}, r"edge_type must be int64 of shape \[E\]"),
        ({"edge_type": None}, r"key_table must come with edge_type"),
        ({"edge_index": torch.zeros(2, 15)}, r"edge_index must be int64 of shape \[2, E\]"),
        ({"edge_index": torch.full((2, 15), 4)}, r"the query of an edge must be in \[0, 4\)"),
        ({"edge_index": torch.full((2, 15), -1)}, r"the key of an edge must be in \[0, 5\)"),
        ({"value_table": torch.zeros(6, 1, 4)}, r"value_table must have the query's dtype"),
        ({"dropout": 1.0}, r"dropout must be in \[0, 1\), but got 1.0"),
        ({"backend": "numpy"}, r"backend must be one of .*, but got 'numpy'"),
    ],
)
def test_what_does_not_fit_is_refused(change, message, attention_case):
    with pytest.raises(ValueError, match=message):
        edge_attention(**{**attention_case(4, 5, 15), **change})


@pytest.mark.parametrize("table", ["bias_table", "key_table", "query_table", "value_table"])
def test_a_wrong_type_is_refused_in_the_kernel_too(table, attention_case):
    # A compiled caller skips the check at the door; the kernel would read foreign memory.
    compiled = torch.compile(edge_attention, backend="aot_eager", dynamic=True)
    case = {
        n: t for n, t in attention_case(4, 5, 15).items() if not n.endswith("table") or n == table
    }
    case["edge_type"] = torch.full((15,), 6)
    with pytest.raises(ValueError, match=r"edge_type must be in \[0, 6\)"):
        compiled(**case, backend="fused")
