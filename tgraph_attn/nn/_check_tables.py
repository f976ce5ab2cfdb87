"""The check of tables that were handed to a layer."""

from tgraph_attn._checks import check_sizes
from tgraph_attn.nn.relation_tables import RelationTables


def check_tables(
    owner: str, name: str, tables: RelationTables, sizes: tuple[int, int, int]
) -> None:
    """Raise ValueError unless the tables have these types, channels, and heads (or one for all)."""
    num_types, channels, heads = sizes
    have = {"num_types": tables.num_types, "channels": tables.channels, "heads": tables.heads}
    want = {"num_types": num_types, "channels": channels}
    check_sizes(owner, name, have, {**want, "heads": 1 if tables.heads == 1 else heads})
