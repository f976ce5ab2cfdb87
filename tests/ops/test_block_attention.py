import math

import pytest
import torch

from tgraph_attn.ops import block_attention, edge_attention


def case(num_tokens, block_size, num_pairs=None, *, heads=2, channels=5, dtype=torch.float64):
    """Random tokens, and random pairs of blocks, some of them twice."""
    num_blocks = -(-num_tokens // block_size)
    num_pairs = 3 * num_blocks if num_pairs is None else num_pairs
    nodes = [
        torch.randn(num_tokens, heads, width, dtype=dtype).requires_grad_()
        for width in (channels, channels, 3)
    ]
    return nodes, torch.randint(max(num_blocks, 1), (2, num_pairs))


def dense(query, key, value, block_index, block_size, is_token=None):
    """The definition: all scores, those between blocks that are not joined masked."""
    block = torch.arange(query.size(0)) // block_size
    joined = torch.zeros(int(block.max()) + 1, int(block.max()) + 1, dtype=torch.bool)
    joined[block_index[1], block_index[0]] = True
    seen = joined[block][:, block].unsqueeze(-1)  # [N, N, 1]
    if is_token is not None:
        seen = seen & is_token[:, None, None] & is_token[None, :, None]
    score = torch.einsum("ihc,jhc->ijh", query, key) / math.sqrt(query.size(2))
    score = score.masked_fill(~seen, -torch.inf)
    alpha = torch.where(seen.any(1, keepdim=True), score, 0).softmax(1) * seen
    return torch.einsum("ijh,jhc->ihc", alpha, value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("block_size", [1, 4, 32])
@pytest.mark.parametrize("num_tokens", [1, 31, 32, 33, 130])
def test_equals_masked_full_attention(num_tokens, block_size, dtype, same):
    nodes, block_index = case(num_tokens, block_size, dtype=dtype)
    out = block_attention(*nodes, block_index, block_size=block_size)
    same(out, dense(*nodes, block_index, block_size), *nodes)


@pytest.mark.parametrize(
    ("num_tokens", "block_size"),
    [(1000, 32), (1024, 32), (4096, 32), (127, 128), (128, 128), (129, 128), (1025, 128)],
)
def test_long_texts_equal_masked_full_attention(num_tokens, block_size, same):
    nodes, block_index = case(num_tokens, block_size, heads=1, dtype=torch.float32)
    block_index = block_index[:, block_index[1] != 1]  # block 1, if there is one, sees nothing
    out = block_attention(*nodes, block_index, block_size=block_size)
    same(out, dense(*nodes, block_index, block_size), *nodes)


def test_equals_edge_attention_along_all_edges_of_joined_blocks(same):
    nodes, block_index = case(9, 3, 4)
    edges_of = torch.cartesian_prod(torch.arange(3), torch.arange(3))
    pairs = {tuple(pair) for blocks in block_index.t() for pair in (3 * blocks + edges_of).tolist()}
    edges = torch.tensor(sorted(pairs)).t()
    expected = edge_attention(*nodes, edges, backend="reference")
    same(block_attention(*nodes, block_index, block_size=3), expected, *nodes)


@pytest.mark.parametrize("num_spare", [1, 7, 500])
def test_padding_is_never_attended_to_and_changes_nothing(num_spare, same):
    nodes, block_index = case(130, 32)
    out = block_attention(*nodes, block_index, block_size=32)
    padded = [torch.cat([x, x.new_full((num_spare, *x.shape[1:]), torch.nan)]) for x in nodes]
    is_token = torch.arange(130 + num_spare) < 130
    got = block_attention(*padded, block_index, block_size=32, is_token=is_token)
    assert (got[130:] == 0).all()
    same(got[:130], out, *nodes)


def test_gaps_are_left_out_and_get_zeros(same):
    nodes, block_index = case(40, 8)
    is_token = torch.rand(40) < 0.6
    is_token[8:16] = False  # a whole block
    out = block_attention(*nodes, block_index, block_size=8, is_token=is_token)
    same(out, dense(*nodes, block_index, 8, is_token), *nodes)
    assert (out[~is_token] == 0).all()


def test_gradients_equal_finite_differences():
    nodes, block_index = case(7, 3, 4)
    is_token = torch.tensor([True] * 5 + [False, True])

    def function(*nodes):
        return block_attention(*nodes, block_index, block_size=3, is_token=is_token)

    assert torch.autograd.gradcheck(function, nodes)


def test_a_token_with_nothing_to_attend_to_gets_zeros(same):
    nodes, _ = case(10, 4)
    block_index = torch.tensor([[0, 1], [0, 0]])
    out = block_attention(*nodes, block_index, block_size=4)
    assert (out[4:] == 0).all() and (out[:4] != 0).all()
    none = block_attention(*nodes, block_index[:, :0], block_size=4)
    assert (none == 0).all()


def test_no_tokens_get_no_output():
    nodes, _ = case(0, 4)
    empty = torch.empty(2, 0, dtype=torch.int64)
    assert block_attention(*nodes, empty, block_size=4).shape == (0, 2, 3)


def test_pairs_come_in_any_order_and_count_once(close):
    nodes, block_index = case(20, 4, 12)
    twice = torch.cat([block_index, block_index], 1)[:, torch.randperm(24)]
    expected = block_attention(*nodes, block_index, block_size=4)
    close(block_attention(*nodes, twice, block_size=4), expected)


def test_parts_give_what_the_whole_gives(monkeypatch, same):
    nodes, block_index = case(64, 4)
    whole = block_attention(*nodes, block_index, block_size=4)
    monkeypatch.setattr("tgraph_attn.ops._blocks.attend_blocks._MOST_SCORES", 1)
    same(block_attention(*nodes, block_index, block_size=4), whole, *nodes)


def test_sequences_of_a_batch_see_themselves_alone(close):
    one, two = (case(8, 4, 3) for _ in range(2))
    both = [torch.cat(pair) for pair in zip(one[0], two[0], strict=True)]
    block_index = torch.cat([one[1], two[1] + 2], dim=1)
    out = block_attention(*both, block_index, block_size=4)
    alone = [block_attention(*nodes, edges, block_size=4) for nodes, edges in (one, two)]
    close(out, torch.cat(alone))


def test_dropout_is_drawn_by_the_seed_and_keeps_the_mean():
    nodes, block_index = case(64, 4, dtype=torch.float32)
    outs = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        outs.append(block_attention(*nodes, block_index, block_size=4, dropout=0.5))
    assert torch.equal(outs[0], outs[1]) and not torch.equal(outs[0], outs[2])
    many = [block_attention(*nodes, block_index, block_size=4, dropout=0.1) for _ in range(200)]
    plain = block_attention(*nodes, block_index, block_size=4)
    assert (torch.stack(many).mean(0) - plain).abs().mean() < 0.05


def test_gradients_with_dropout_are_those_of_the_weights_that_were_kept():
    nodes, block_index = case(7, 3, 4)

    def function(*nodes):
        torch.manual_seed(0)
        return block_attention(*nodes, block_index, block_size=3, dropout=0.4)

    assert torch.autograd.gradcheck(function, nodes)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_and_autocast_are_finite_and_near(dtype, close):
    nodes, block_index = case(33, 8, dtype=torch.float32)
    expected = block_attention(*nodes, block_index, block_size=8)
    half = [x.detach().to(dtype).requires_grad_() for x in nodes]
    out = block_attention(*half, block_index, block_size=8)
    close(out, expected.detach().to(dtype))
    assert all(torch.isfinite(g).all() for g in torch.autograd.grad(out.sum(), half))
    with torch.autocast("cpu", dtype=dtype):
        out = block_attention(*nodes, block_index, block_size=8)
    close(out, expected)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"block_size": 0}, "block_size must be at least 1"),
        ({"dropout": 1.0}, "dropout must be"),
        ({"block_index": torch.tensor([[0], [3]])}, r"block_index must be in \[0, 3\)"),
        ({"block_index": torch.zeros(2, 1)}, "block_index must be int64 of shape"),
        (
            {"key": torch.zeros(9, 2, 5), "value": torch.zeros(9, 2, 3)},
            "key must have one row for each query, 10, but has 9",
        ),
        ({"key": torch.zeros(10, 2, 4)}, "key must have shape"),
        ({"value": torch.zeros(10, 2, 3).double()}, "value must have the query's dtype"),
        ({"query": torch.zeros(10, 10)}, "query must be floating"),
        ({"is_token": torch.ones(10)}, r"is_token must be bool of shape \[10\]"),
        ({"is_token": torch.ones(9, dtype=torch.bool)}, r"is_token must be bool of shape \[10\]"),
    ],
)
def test_refuses(changes, message):
    nodes, block_index = case(10, 4, dtype=torch.float32)
    given = dict(zip(("query", "key", "value"), nodes, strict=True), block_index=block_index)
    with pytest.raises(ValueError, match=f"block_attention: {message}"):
        block_attention(**given | {"block_size": 4} | changes)
