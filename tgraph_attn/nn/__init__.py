"""Layers that attend along the edges of trees."""

from tgraph_attn.nn.relation_tables import RelationTables

__all__ = ["RelationTables"]
