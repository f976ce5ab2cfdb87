"""The arithmetic of edges: tensors in, tensors out."""

from tgraph_attn.ops.edge_attention import edge_attention
from tgraph_attn.ops.edge_softmax import edge_softmax
from tgraph_attn.ops.edge_aggregate import edge_aggregate
from tgraph_attn.ops.block_attention import block_attention

__all__ = ["edge_attention", "edge_softmax", "edge_aggregate", "block_attention"]
