"""Message-passing layers; all of them run on `tgraph_attn.ops`."""

from tgraph_attn.nn.conv.relation_attention_conv import RelationAttentionConv
from tgraph_attn.nn.conv.tree_attention_conv import TreeAttentionConv
from tgraph_attn.nn.conv.self_attention_conv import SelfAttentionConv
from tgraph_attn.nn.conv.gcn_conv import GCNConv
from tgraph_attn.nn.conv.gat_conv import GATConv
from tgraph_attn.nn.conv.block_attention_conv import BlockAttentionConv

__all__ = [
    "RelationAttentionConv",
    "TreeAttentionConv",
    "SelfAttentionConv",
    "GCNConv",
    "GATConv",
    "BlockAttentionConv",
]
