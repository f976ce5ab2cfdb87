"""Whole models: a batch of trees in, a prediction out."""

from tgraph_attn.models.ast_trans import ASTTrans
from tgraph_attn.models.decoding_settings import DecodingSettings
from tgraph_attn.models.tree_classifier import TreeClassifier
from tgraph_attn.models.document_gnn import DocumentGNN
from tgraph_attn.models.text_gcn import TextGCN
from tgraph_attn.models.text_level_gnn import TextLevelGNN
from tgraph_attn.models.sasa import SASA

__all__ = [
    "ASTTrans",
    "DecodingSettings",
    "TreeClassifier",
    "DocumentGNN",
    "TextGCN",
    "TextLevelGNN",
    "SASA",
]
