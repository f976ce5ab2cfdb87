import pytest

from tgraph_attn.nn import RelationTables
from tgraph_attn.nn._check_tables import check_tables


@pytest.mark.parametrize("heads", [1, 2])
def test_tables_for_each_head_or_for_all_fit(heads):
    check_tables("Owner", "tables", RelationTables(5, 4, heads=heads), (5, 4, 2))


@pytest.mark.parametrize("sizes", [(6, 4, 2), (5, 3, 2), (5, 4, 3)])
def test_other_sizes_are_refused(sizes):
    with pytest.raises(ValueError, match=r"Owner: tables must have .* num_types=5, chan"):
        check_tables("Owner", "tables", RelationTables(5, 4, heads=2), sizes)
