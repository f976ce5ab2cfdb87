"""Pictures, of matplotlib: a figure is returned, and nothing else is shown or kept."""

from tgraph_attn.viz.draw_tree import draw_tree
from tgraph_attn.viz.draw_learning_curves import draw_learning_curves
from tgraph_attn.viz.draw_confusion import draw_confusion
from tgraph_attn.viz.draw_accuracy_by_size import draw_accuracy_by_size
from tgraph_attn.viz.draw_words import draw_words
from tgraph_attn.viz.words_html import words_html

__all__ = [
    "draw_tree",
    "draw_learning_curves",
    "draw_confusion",
    "draw_accuracy_by_size",
    "draw_words",
    "words_html",
]
