import torch

from tgraph_attn.ops._blocks.block_rows import block_rows


def test_blocks_with_equally_many_keys_stand_together():
    pairs = torch.tensor([(2, 0), (0, 0), (1, 2), (3, 4), (0, 0), (1, 4)]).t()  # key, query
    one, two = block_rows(pairs, 5)
    assert one.query.tolist() == [2] and one.key.tolist() == [[1]]
    assert two.query.tolist() == [0, 4] and two.key.tolist() == [[0, 2], [1, 3]]


def test_without_pairs_there_are_no_rows():
    assert block_rows(torch.empty(2, 0, dtype=torch.int64), 3) == []
