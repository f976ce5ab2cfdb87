"""Edges between blocks of tokens, numpy in, numpy out: who attends to whom in `block_attention`.

Block 0 is the first b tokens, block 1 the next b. An edge goes from a key block, row 0, to a query
block, row 1. `tree_block_counts` and `pair_block_counts` tell how close blocks are, `top_blocks`
chooses by that, and `merge_blocks` puts patterns together.
"""

from tgraph_attn.relations.blocks.window_blocks import window_blocks
from tgraph_attn.relations.blocks.global_blocks import global_blocks
from tgraph_attn.relations.blocks.tree_block_counts import tree_block_counts
from tgraph_attn.relations.blocks.pair_block_counts import pair_block_counts
from tgraph_attn.relations.blocks.top_blocks import top_blocks
from tgraph_attn.relations.blocks.released_blocks import released_blocks
from tgraph_attn.relations.blocks.merge_blocks import merge_blocks

__all__ = [
    "window_blocks",
    "global_blocks",
    "tree_block_counts",
    "pair_block_counts",
    "top_blocks",
    "released_blocks",
    "merge_blocks",
]
