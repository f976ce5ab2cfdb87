"""The sub-words of a text that a pre-trained model reads, and the nodes that they are of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch_geometric.data import Data

from tgraph_attn.convert.text_to_data import FIRST_WORD_ID
from tgraph_attn.vocab import Vocab

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def add_pieces(data: Data, words: Sequence[str], vocab: Vocab, tokenizer: "Tokenizer") -> Data:
    """Return data with the pieces that a tokenizer cuts its text into.

    All words are read, also those that are not in the vocabulary and have no node: their pieces,
    and those that the tokenizer adds, such as "[CLS]", are the document node's.

    Args:
        data: What `text_to_data` made of the words.
        words: The words of the text, in order.
        vocab: The vocabulary that data was made with.
        tokenizer: A tokenizer of Hugging Face's `tokenizers`, without padding.

    Shapes:
        - **data.piece**: `[S]` int64, written: the tokenizer's ids
        - **data.piece_index**: `[S]` int64, written: the node of each piece
    """
    node = np.full(len(words) + 1, data.num_nodes - 1)  # the last one for pieces of no word
    is_kept = np.array(vocab.encode(words), np.int64) >= FIRST_WORD_ID
    node[:-1][is_kept] = data.token_index.numpy()
    found = tokenizer.encode(list(words), is_pretokenized=True)
    of_word = [len(words) if word is None else word for word in found.word_ids]
    data.piece = torch.tensor(found.ids, dtype=torch.int64)
    data.piece_index = torch.from_numpy(node[of_word])
    return data
