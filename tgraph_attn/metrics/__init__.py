"""Scores of predicted sequences against what they should have been; all are fractions."""

from tgraph_attn.metrics.exact_match import exact_match
from tgraph_attn.metrics.subtoken_f1 import subtoken_f1
from tgraph_attn.metrics.bleu import bleu
from tgraph_attn.metrics.rouge_l import rouge_l
from tgraph_attn.metrics.meteor import meteor
from tgraph_attn.metrics.legacy_references import legacy_references
from tgraph_attn.metrics.map_at_r import map_at_r

__all__ = [
    "exact_match",
    "subtoken_f1",
    "bleu",
    "rouge_l",
    "meteor",
    "legacy_references",
    "map_at_r",
]
