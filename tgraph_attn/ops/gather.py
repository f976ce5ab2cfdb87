"""Edge attention by gathering to edges and scattering back, with torch-scatter."""

from torch import Tensor

from tgraph_attn._optional import require
from tgraph_attn.ops.reference import AttentionInputs


def gather_attention(inputs: AttentionInputs) -> tuple[Tensor, Tensor]:
    """Return the output `[Nq, H, Cv]` and the weights `[E, H]` of `edge_attention`.

    Raises:
        ImportError: torch-scatter is not installed.
    """
    scatter = require("edge_attention", "torch_scatter", 'backend="gather" cannot run: use "auto".')
    source, target = inputs.edge_index
    num_queries, edge_type = inputs.query.size(0), inputs.edge_type
    query, key, value = inputs.query[target], inputs.key[source], inputs.value[source]  # [E, H, C]

    # q · (k + key_table) + query_table · k: two products for three terms
    shifted = key if inputs.key_table is None else key + inputs.key_table[edge_type]
    score = (query * shifted).sum(-1)
    if inputs.query_table is not None:
        score = score + (inputs.query_table[edge_type] * key).sum(-1)
    score = score * inputs.scale  # [E, H]
    if inputs.bias_table is not None:
        score = score + inputs.bias_table[edge_type]
    if inputs.edge_bias is not None:
        score = score + inputs.edge_bias

    alpha = scatter.scatter_softmax(score, target, dim=0, dim_size=num_queries)
    weight = alpha if inputs.dropout_mask is None else alpha * inputs.dropout_mask
    if inputs.value_table is not None:
        value = value + inputs.value_table[edge_type]
    message = weight.unsqueeze(-1) * value
    return scatter.scatter_sum(message, target, dim=0, dim_size=num_queries), alpha
