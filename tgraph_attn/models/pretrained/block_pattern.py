"""Which blocks of a program attend to which, from all that SASA looks at."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tgraph_attn._checks import check_choice, check_not_negative, check_positive
from tgraph_attn.models.pretrained.code_pieces import Pieces
from tgraph_attn.models.pretrained.pair_counts import PairCounts
from tgraph_attn.relations.blocks.global_blocks import global_blocks
from tgraph_attn.relations.blocks.merge_blocks import merge_blocks
from tgraph_attn.relations.blocks.released_blocks import released_blocks
from tgraph_attn.relations.blocks.top_blocks import top_blocks
from tgraph_attn.relations.blocks.tree_block_counts import tree_block_counts
from tgraph_attn.relations.blocks.window_blocks import window_blocks
from tgraph_attn.tree import Tree

_SELECTIONS = ("separate", "merged", "merged_legacy")


@dataclass(frozen=True)
class BlockPattern:
    r"""A window, blocks that all see, and the blocks that belong together most.

    Each of them may be left out. Edges are the union, so a pair of blocks that several name is
    there once. A text of few blocks has what there is of them.

    Args:
        block_size: How many tokens a block has, b.
        window: How many blocks a window has, w, an odd number; 0 for none.
        global_blocks: Blocks that attend to all, and are attended to by all; -1 is the last one
            that holds a token.
        pair_blocks: How many blocks each one sees by the counts of pairs of words, k; 0 for none.
        tree_blocks: How many blocks each one sees by the program's tree; 0 for none.
        selection: "separate": these two apart. "merged": their counts added up, and pair_blocks
            chosen as the released code means to, beyond the window of three and the first and the
            last block. "merged_legacy": as the released code does, one block too early.

    Raises:
        ValueError: A number is out of range, the window is even, or there is no such selection.

    Examples:
        >>> from tgraph_attn.models.pretrained import BlockPattern, code_pieces, train_tokenizer
        >>> pieces = code_pieces(train_tokenizer(["f = x"] * 9, 300), "f = x\n" * 9)
        >>> pattern = BlockPattern(block_size=8, window=1, global_blocks=(0,), pair_blocks=0,
        ...     tree_blocks=0)
        >>> pattern.edges(pieces).tolist()
        [[0, 1, 2, 3, 4, 0, 1, 0, 2, 0, 3, 0, 4], [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]]

    Source:
        SASA (Liu et al., SIGIR 2022). There the two ways to choose are of one matrix, and
        the last global block is that of the padded text.
    """

    block_size: int = 32
    window: int = 3
    global_blocks: tuple[int, ...] = (0, -1)
    pair_blocks: int = 3
    tree_blocks: int = 3
    selection: str = "separate"

    def __post_init__(self) -> None:
        owner = type(self).__name__
        object.__setattr__(self, "global_blocks", tuple(self.global_blocks))  # JSON has lists
        check_positive(owner, block_size=self.block_size)
        counts = {name: getattr(self, name) for name in ("window", "pair_blocks", "tree_blocks")}
        check_not_negative(owner, **counts)
        check_choice(owner, "selection", self.selection, _SELECTIONS)
        if self.window:
            window_blocks(1, self.window)

    def edges(
        self, pieces: Pieces, tree: Tree | None = None, pair_counts: PairCounts | None = None
    ) -> NDArray[np.int64]:
        """Return the edges between the blocks of a program.

        Args:
            pieces: Its pieces, as `code_pieces` makes them.
            tree: Its tree, as `parse_code` makes it, with spans; None, as for a text that does not
                parse, is a tree that joins nothing.
            pair_counts: The counts of the model's vocabulary.

        Returns:
            `[2, E]` int64, sorted by query block (row 1), then key block (row 0).

        Raises:
            ValueError: There are no pieces, or pairs are to be counted, but there are no counts.
        """
        owner = type(self).__name__
        num_blocks = -(-pieces.token_id.size // self.block_size)
        check_positive(owner, **{"the number of pieces": num_blocks})
        counts = self._counts(pieces, tree, pair_counts)
        parts = []
        if self.window:
            parts.append(window_blocks(num_blocks, self.window))
        if self.global_blocks:
            near = [b for b in self.global_blocks if -num_blocks <= b < num_blocks]
            parts.append(global_blocks(num_blocks, near))
        if self.selection == "separate":
            parts += [top_blocks(count, k) for count, k in counts]
        elif counts:
            total = sum(count for count, _ in counts)
            legacy = self.selection == "merged_legacy"
            parts.append(released_blocks(total, self.pair_blocks, legacy_offset=legacy))
        return merge_blocks(*parts)

    def _counts(
        self, pieces: Pieces, tree: Tree | None, pair_counts: PairCounts | None
    ) -> list[tuple[Any, int]]:
        """Return what the blocks have to do with each other, and how many of them to take."""
        counts: list[tuple[Any, int]] = []
        if self.pair_blocks:
            if pair_counts is None:
                raise ValueError(
                    f"{type(self).__name__}: pair_counts must be those of the model's vocabulary, "
                    f"since pair_blocks is {self.pair_blocks}, but are None. Make them with "
                    "PairCounts.measure, or pass pair_blocks=0."
                )
            words = np.where(pieces.start < 0, -1, pieces.token_id)
            counts.append((pair_counts.of_blocks(words, self.block_size), self.pair_blocks))
        if self.tree_blocks and tree is not None:
            near = tree_block_counts(tree, pieces.start, self.block_size)
            counts.append((near, self.tree_blocks))
        return counts
