"""What a relation's types add to keys, queries and values."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import Module, Parameter
from torch.nn.functional import dropout

from tgraph_attn._checks import check_choice, check_fraction, check_positive

TERMS = ("key", "query", "value")


class DrawnTables(NamedTuple):
    """The tables of one relation as they enter one forward pass; None where a term is left out.

    Shapes:
        - **key_table**, **query_table**, **value_table**: `[T, H, C]`, or `[T, 1, C]` for all heads
    """

    key_table: Tensor | None
    query_table: Tensor | None
    value_table: Tensor | None


class RelationTables(Module):
    """The key, query and value tables of one relation, to share between layers.

    Calling it scales the tables and draws their dropout. A model calls it once a forward pass and
    hands what it returns to each of its layers, so that all of them miss the same elements::

        tables = RelationTables(15, 32, dropout=0.2)
        convs = [RelationAttentionConv(..., form="disentangled", tables=tables) for _ in range(4)]
        drawn = tables()
        for conv in convs:
            x = conv(x, edge_index, edge_type, tables=drawn)

    Args:
        num_types: How many edge types the relation has, T.
        channels: Channels of a head, C.
        heads: How many heads have rows of their own; 1 for one row that all heads share.
        terms: Which tables there are, of "key", "query" and "value".
        dropout: Chance that an element is set to zero; the rest grow by 1 / (1 - dropout).
        scale: Factor on the tables; sqrt(C) if None.

    Shapes:
        - **each table**: `[T, heads, C]`

    Calling it returns the `DrawnTables` of one forward pass: `.key_table`, `.query_table` and
    `.value_table`.

    Raises:
        ValueError: A size is below 1, a term is unknown, or dropout is not in [0, 1).

    Examples:
        >>> from tgraph_attn.nn import RelationTables
        >>> drawn = RelationTables(15, 32, terms=("key", "query"))()
        >>> drawn.key_table.shape, drawn.value_table
        (torch.Size([15, 1, 32]), None)

    Source:
        AST-Trans (Tang et al., ICSE 2022): the defaults are those of the released code, but for
        dropout, which is 0.2 there. A node's row for itself is a row like any other.
    """

    def __init__(
        self,
        num_types: int,
        channels: int,
        *,
        heads: int = 1,
        terms: Sequence[str] = TERMS,
        dropout: float = 0.0,
        scale: float | None = None,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        check_positive(owner, num_types=num_types, channels=channels, heads=heads)
        check_fraction(owner, dropout=dropout)
        for term in terms:
            check_choice(owner, "each of terms", term, TERMS)
        self.num_types = num_types
        self.channels = channels
        self.heads = heads
        self.terms = tuple(term for term in TERMS if term in terms)
        self.dropout = dropout
        self.scale = math.sqrt(channels) if scale is None else scale
        for term in TERMS:
            table = Parameter(torch.empty(num_types, heads, channels)) if term in terms else None
            self.register_parameter(f"{term}_table", table)
        self.reset_parameters()

    key_table: Tensor | None
    query_table: Tensor | None
    value_table: Tensor | None

    def reset_parameters(self) -> None:
        """Draw each head's `[T, C]` rows anew, as Xavier does."""
        for table in self.parameters():
            for head in range(self.heads):
                torch.nn.init.xavier_uniform_(table.detach()[:, head])

    def forward(self) -> DrawnTables:
        """Return the tables, scaled, with the dropout of one forward pass."""
        return DrawnTables(
            self._draw(self.key_table), self._draw(self.query_table), self._draw(self.value_table)
        )

    def _draw(self, table: Tensor | None) -> Tensor | None:
        return None if table is None else dropout(table * self.scale, self.dropout, self.training)

    def extra_repr(self) -> str:
        """Return what `repr` shows."""
        return (
            f"{self.num_types}, {self.channels}, heads={self.heads}, terms={self.terms}, "
            f"dropout={self.dropout}"
        )
