"""Data sets, whose items are trees."""

from tgraph_attn.datasets.stdlib_functions import StdlibFunctions

__all__ = ["StdlibFunctions"]
