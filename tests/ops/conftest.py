import pytest
import torch


def _attention_case(num_queries, num_keys, num_edges, *, heads=3, channels=5, width=4, num_types=6):
    """Random inputs in float64, edges in no order and some twice."""

    def draw(*shape):
        return torch.randn(*shape, dtype=torch.float64)

    edge_index = torch.stack(
        [torch.randint(max(n, 1), (num_edges,)) for n in (num_keys, num_queries)]
    )
    return {
        "query": draw(num_queries, heads, channels),
        "key": draw(num_keys, heads, channels),
        "value": draw(num_keys, heads, width),
        "edge_index": edge_index,
        "edge_type": torch.randint(num_types, (num_edges,)),
        "key_table": draw(num_types, 1, channels),
        "query_table": draw(num_types, heads, channels),
        "value_table": draw(num_types, 1, width),
        "bias_table": draw(num_types, heads),
        "edge_bias": draw(num_edges, heads),
    }


@pytest.fixture
def attention_case():
    """Makes random inputs of edge attention: num_queries, num_keys, num_edges, sizes."""
    return _attention_case
