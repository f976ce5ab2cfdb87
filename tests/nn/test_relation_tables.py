import copy
import math

import pytest
import torch

from tgraph_attn.nn import RelationTables


def test_tables_are_scaled_by_the_root_of_the_channels(close):
    tables = RelationTables(5, 9)
    drawn = tables()
    assert drawn._fields == ("key_table", "query_table", "value_table")
    for name, table in drawn._asdict().items():
        assert table.shape == (5, 1, 9)
        close(table, 3 * getattr(tables, name))
    tables.scale = 1.0
    close(tables().key_table, tables.key_table)


def test_terms_that_are_left_out_are_none():
    drawn = RelationTables(5, 9, terms=("value", "key"))()
    assert drawn.query_table is None and drawn.key_table is not None
    assert RelationTables(5, 9, terms=())() == (None, None, None)
    assert list(RelationTables(5, 9, terms=()).parameters()) == []


def test_dropout_is_drawn_at_each_call_and_in_training_alone():
    tables = RelationTables(50, 40, dropout=0.2)
    first, second = tables().key_table, tables().key_table
    assert not torch.equal(first, second)
    assert first.eq(0).float().mean().item() == pytest.approx(0.2, abs=0.05)
    kept = first != 0
    expected = tables.key_table * math.sqrt(40) / 0.8
    torch.testing.assert_close(first[kept], expected[kept])
    tables.eval()
    assert torch.equal(tables().key_table, tables().key_table)


def test_each_head_is_drawn_as_xavier_does():
    tables = RelationTables(30, 60, heads=3)
    bound = math.sqrt(6 / (30 + 60))
    for head in range(3):
        largest = tables.key_table[:, head].abs().max().item()
        assert bound * 0.98 < largest <= bound
    before = copy.deepcopy(tables)
    tables.reset_parameters()
    assert tables.value_table.ne(before.value_table).all()


def test_gradients_reach_each_table():
    tables = RelationTables(5, 9, heads=2)
    sum(table.sum() for table in tables()).backward()
    assert all(parameter.grad.eq(3.0).all() for parameter in tables.parameters())


def test_a_loaded_state_gives_the_same_tables():
    tables, other = RelationTables(5, 9), RelationTables(5, 9)
    other.load_state_dict(tables.state_dict())
    assert torch.equal(other().query_table, tables().query_table)


def test_repr_says_it_all():
    text = repr(RelationTables(5, 9, heads=2, terms=("key",), dropout=0.2))
    assert text == "RelationTables(5, 9, heads=2, terms=('key',), dropout=0.2)"


def test_wrong_options_are_refused():
    with pytest.raises(ValueError, match="RelationTables: num_types must be at least 1"):
        RelationTables(0, 9)
    with pytest.raises(ValueError, match="RelationTables: channels must be at least 1"):
        RelationTables(5, 0)
    with pytest.raises(ValueError, match="RelationTables: each of terms must be one of"):
        RelationTables(5, 9, terms=("keys",))
    with pytest.raises(ValueError, match=r"RelationTables: dropout must be in \[0, 1\)"):
        RelationTables(5, 9, dropout=1.0)
