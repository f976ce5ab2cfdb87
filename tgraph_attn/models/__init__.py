"""Whole models: a batch of trees in, a prediction out."""

from tgraph_attn.models.ast_trans import ASTTrans

__all__ = ["ASTTrans"]
