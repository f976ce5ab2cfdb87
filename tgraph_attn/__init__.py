"""Attention on trees: a PyTorch Geometric plugin."""

__version__ = "0.1.0"
