"""What each node of a syntax tree says."""

import numpy as np
from numpy.typing import NDArray

from tgraph_attn.parse._code.kind_tables import ERROR_KIND, NUMBER, KindTables
from tgraph_attn.parse._code.walk import Walk
from tgraph_attn.tree import Strings


def node_texts(
    nodes: Walk,
    tables: KindTables,
    text: str,
    span: NDArray[np.int64],
    *,
    keep_strings: bool,
    numbers: str = "keep",
) -> Strings:
    """Return the text of each node, or None: the source of a leaf, the tokens of another node.

    Args:
        nodes: The nodes and their tokens.
        tables: What the grammar's kinds are.
        text: The source.
        span: Where each node stands in it, in characters.
        keep_strings: Whether strings, characters and comments have text, and source that could not
            be read at all, which may be the rest of a file behind a quote.
        numbers: "keep" what numbers say, "drop" it, or "mark" each as NUM.
    """
    texts = np.full(len(span), None, object)
    mute = np.zeros(len(span), np.bool_) if keep_strings else tables.textless[nodes.kind]
    unread = np.zeros_like(mute) if keep_strings else nodes.kind == ERROR_KIND
    rows = np.flatnonzero(nodes.is_leaf & ~mute & ~unread & (span[:, 0] < span[:, 1]))
    places = zip(span[rows, 0].tolist(), span[rows, 1].tolist(), strict=True)
    said = (text[begin:end].rstrip("\r") or None for begin, end in places)
    texts[rows] = np.fromiter(said, object, rows.size)

    heard = ~mute[nodes.token_row]
    rows = nodes.token_row[heard]
    tokens = tables.name[tables.row[nodes.token_kind[heard]]]
    texts[rows] = tokens
    several = np.flatnonzero(np.bincount(rows)[rows] > 1)
    together: dict[int, list[str]] = {}
    for row, token in zip(rows[several].tolist(), tokens[several].tolist(), strict=True):
        together.setdefault(row, []).append(token)
    for row, words in together.items():
        texts[row] = " ".join(words)
    if numbers != "keep":
        rows = np.flatnonzero(tables.number[nodes.kind] & (texts != None))  # noqa: E711
        texts[rows] = NUMBER if numbers == "mark" else None
    return texts
