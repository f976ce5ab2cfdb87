"""Pre-trained models of transformers, with our attention and their own weights."""

from tgraph_attn.models.pretrained.use_block_attention import use_block_attention
from tgraph_attn.models.pretrained.number_blocks import number_blocks
from tgraph_attn.models.pretrained.stretch_positions import stretch_positions
from tgraph_attn.models.pretrained.train_tokenizer import train_tokenizer
from tgraph_attn.models.pretrained.pair_counts import PairCounts
from tgraph_attn.models.pretrained.code_pieces import code_pieces
from tgraph_attn.models.pretrained.block_pattern import BlockPattern

__all__ = [
    "use_block_attention",
    "number_blocks",
    "stretch_positions",
    "train_tokenizer",
    "PairCounts",
    "code_pieces",
    "BlockPattern",
]
