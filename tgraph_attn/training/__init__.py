"""Training on one machine: a plain loop that chooses its epoch on validation."""

from tgraph_attn.training.fit_classifier import fit_classifier
from tgraph_attn.training.fit_summarizer import fit_summarizer
from tgraph_attn.training.fit_text_gcn import fit_text_gcn
from tgraph_attn.training.split_validation import split_validation
from tgraph_attn.training.training_settings import TrainingSettings
from tgraph_attn.training.history import History

__all__ = [
    "fit_classifier",
    "fit_summarizer",
    "fit_text_gcn",
    "split_validation",
    "TrainingSettings",
    "History",
]
