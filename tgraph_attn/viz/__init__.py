"""Pictures, of matplotlib: a figure is returned, and nothing else is shown or kept."""

from tgraph_attn.viz.draw_tree import draw_tree
from tgraph_attn.viz.draw_learning_curves import draw_learning_curves

__all__ = ["draw_tree", "draw_learning_curves"]
