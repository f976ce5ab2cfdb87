import pytest

from tgraph_attn.ops import edge_attention


def test_a_backend_without_its_package_says_what_to_do(monkeypatch, attention_case):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r"torch-scatter, which is not installed.*no-build-isola"):
        edge_attention(**attention_case(4, 5, 15), backend="gather")
