"""Pre-trained models of transformers, with our attention and their own weights."""

from tgraph_attn.models.pretrained.use_block_attention import use_block_attention
from tgraph_attn.models.pretrained.number_blocks import number_blocks
from tgraph_attn.models.pretrained.stretch_positions import stretch_positions

__all__ = ["use_block_attention", "number_blocks", "stretch_positions"]
