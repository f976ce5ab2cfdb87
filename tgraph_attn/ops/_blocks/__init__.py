"""Attention between blocks of tokens: who attends to whom, and the products."""
