"""A program as a pre-trained model reads it, and where its pieces begin."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


class Pieces(NamedTuple):
    """The pieces of a text, with those that a tokenizer adds.

    Shapes:
        - **token_id**: `[L]` int64
        - **start**: `[L]` int64, the place of each piece's first character that is no white space
          in the text; -1 for one that was added
    """

    token_id: NDArray[np.int64]
    start: NDArray[np.int64]


def code_pieces(
    tokenizer: "PreTrainedTokenizerBase", source: str, max_length: int = 1024
) -> Pieces:
    """Return the pieces of a program, cut to a length.

    Args:
        tokenizer: That of the model.
        source: The program.
        max_length: How many pieces there are at most, the two ends included.

    Raises:
        ValueError: The tokenizer does not tell where pieces begin, or max_length is below 3.

    Examples:
        >>> from tgraph_attn.models.pretrained import code_pieces, train_tokenizer
        >>> tokenizer = train_tokenizer(["f = x"] * 9, 300)
        >>> code_pieces(tokenizer, "f = x").start.tolist()
        [-1, 0, 2, 4, -1]
    """
    owner = "code_pieces"
    if max_length < 3:
        raise ValueError(
            f"{owner}: max_length must be at least 3, two of which are the ends, but got "
            f"{max_length}. Pass 1024, for example."
        )
    if not tokenizer.is_fast:
        raise ValueError(
            f"{owner}: tokenizer must tell where its pieces begin, but {type(tokenizer).__name__} "
            "does not. Load it with AutoTokenizer.from_pretrained(..., use_fast=True)."
        )
    read = tokenizer(
        source,
        truncation=True,
        max_length=max_length,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
    )
    start = [
        -1 if added else first + len(piece) - len(piece.lstrip())
        for (first, last), added in zip(
            read["offset_mapping"], read["special_tokens_mask"], strict=True
        )
        for piece in [source[first:last]]
    ]
    return Pieces(np.array(read["input_ids"], np.int64), np.array(start, np.int64))
