"""From the words of a text to a graph of PyG."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch_geometric.data import Data

from tgraph_attn._checks import check_choice, check_type
from tgraph_attn.parse.from_heads import from_heads
from tgraph_attn.vocab import Vocab

DOCUMENT = "<document>"
DOCUMENT_ID = 2
FIRST_WORD_ID = 3


def text_to_data(
    words: Sequence[str], vocab: Vocab, *, nodes: str = "words", heads: ArrayLike | None = None
) -> Data:
    """Return a text as a graph without edges: a node for each word, and last one for the document.

    Words that are not in the vocabulary are dropped. Of a text without words only the document node
    is left. The transforms `AddPMIEdges`, `AddTFIDFEdges`, `AddNeighbourEdges`,
    `AddDependencyEdges` and `AddFullEdges` add edges; `DocumentGraph` does all of it, from the raw
    text on.

    Args:
        words: The words of the text, in order.
        vocab: The numbering of words, in which `"<document>"` has id 2.
        nodes: "words" for one node for each different word, in the order of their first places;
            "tokens" for one node for each word of the text.
        heads: The place of each word's head in words; a root is its own head. A word whose head is
            dropped hangs under the nearest word above that is kept, or becomes a root.

    Shapes:
        - **x**: `[N]` int64, the id of each node's word; 2 for the document
        - **token_index**: `[L]` int64, the node of each word of the text that is kept, in order
        - **document_index**: `[1]` int64, the document node, N - 1
        - **head_index**: `[L]` int64, the node of each token's head, its own for a root; only
            with heads
        - **num_nodes**: N

    Raises:
        ValueError: The vocabulary has no `"<document>"`, nodes is another word, or heads are no
            heads of these words.
        TypeError: words is one str, or vocab no `Vocab`.

    Examples:
        >>> from tgraph_attn.convert import text_to_data
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "price", "oil"], specials=["<document>"])
        >>> data = text_to_data(["price", "of", "oil", "oil"], vocab)
        >>> data.x.tolist(), data.token_index.tolist(), data.document_index.tolist()
        ([4, 3, 2], [0, 1, 1], [2])
    """
    check_document_vocab("text_to_data", vocab)
    check_choice("text_to_data", "nodes", nodes, ("words", "tokens"))
    if isinstance(words, str):
        raise TypeError(
            f"text_to_data: words must be a list of words, but got one str, {words[:20]!r}. Split "
            "it first, with clean_text or str.split."
        )
    ids = np.array(vocab.encode(words), np.int64)
    kept = np.flatnonzero(ids >= FIRST_WORD_ID)
    x, token_index = _nodes(ids[kept], unique=nodes == "words")
    data = Data(
        x=torch.from_numpy(np.append(x, DOCUMENT_ID)),
        token_index=torch.from_numpy(token_index),
        document_index=torch.tensor([len(x)]),
        num_nodes=len(x) + 1,
    )
    if heads is not None:
        data.head_index = torch.from_numpy(token_index[_kept_heads(heads, kept, len(ids))])
    return data


def check_document_vocab(owner: str, vocab: Vocab) -> None:
    """Raise unless vocab is a vocabulary in which the document has id 2."""
    hint = f"Make one with Vocab.build(words, specials=[{DOCUMENT!r}])."
    check_type(owner, "vocab", vocab, Vocab, hint)
    if vocab.tokens[DOCUMENT_ID:FIRST_WORD_ID] != (DOCUMENT,):
        raise ValueError(
            f"{owner}: vocab must have {DOCUMENT!r} as id {DOCUMENT_ID}, but has "
            f"{list(vocab.tokens[DOCUMENT_ID:FIRST_WORD_ID])} there. {hint}"
        )


def _nodes(ids: NDArray[np.int64], *, unique: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the word of each word node, and the node of each token."""
    if not unique:
        return ids, np.arange(ids.size)
    node: dict[int, int] = {}
    token_index = [node.setdefault(word, len(node)) for word in ids.tolist()]
    return np.array(list(node), np.int64), np.array(token_index, np.int64)


def _kept_heads(heads: ArrayLike, kept: NDArray[np.int64], num_words: int) -> NDArray[np.int64]:
    """Return the place among the kept words of the nearest kept word above each of them."""
    given = np.asarray(heads)
    if given.shape != (num_words,):
        raise ValueError(
            f"text_to_data: heads must have one head for each of the {num_words} words, but has "
            f"shape {list(given.shape)}. Pass the place of each word's head, its own for a root."
        )
    if num_words == 0:
        return np.empty(0, np.int64)
    tree = from_heads(given)  # whose rows are in pre-order: heads before their dependents
    place = np.full(num_words, -1)
    place[kept] = np.arange(kept.size)
    above = np.full(num_words, -1)  # the nearest kept word above
    nearest = [-1] * tree.num_nodes  # of each row: itself if it is kept, or the one above
    for row, (word, parent) in enumerate(
        zip(tree.source.tolist(), tree.parent.tolist(), strict=True)
    ):
        if word >= 0:
            above[word] = nearest[parent]
            nearest[row] = place[word] if place[word] >= 0 else nearest[parent]
    return np.where(above[kept] < 0, np.arange(kept.size), above[kept])
