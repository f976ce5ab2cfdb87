import copy
import pickle

import pytest
import torch

from tgraph_attn.nn.conv import BlockAttentionConv
from tgraph_attn.ops import edge_attention

SIZES = [5, 1, 8, 3]
BATCH = torch.arange(4).repeat_interleave(torch.tensor(SIZES))


def conv_f64(**options):
    return BlockAttentionConv(6, 4, **{"block_size": 2, "heads": 2} | options).double()


def pattern(size, first=0, block_size=2):
    """Each block sees itself and block 0."""
    starts = torch.arange(0, size, block_size)
    edges = torch.cat([torch.stack([starts, starts]), torch.stack([0 * starts, starts])], dim=1)
    return first + edges


def case():
    starts = [0, 5, 6, 14]
    edges = [pattern(size, first) for size, first in zip(SIZES, starts, strict=True)]
    return torch.randn(17, 6, dtype=torch.float64, requires_grad=True), torch.cat(edges, 1)


@pytest.mark.parametrize("bias", [False, True])
def test_equals_edge_attention_on_the_edges_that_it_names(bias, same, close):
    conv, (x, edge_index) = conv_f64(bias=bias), case()
    out, (edges, alpha) = conv(x, edge_index, BATCH, return_attention_weights=True)
    pairs = [
        (j, i)
        for i in range(17)
        for j in range(17)
        if BATCH[i] == BATCH[j]
        for own, other in [(p - int((BATCH < BATCH[p]).sum()) for p in (i, j))]
        if other // 2 in {0, own // 2}
    ]
    assert edges.t().tolist() == [list(pair) for pair in pairs]
    nodes = [lin(x).view(-1, 2, 4) for lin in (conv.lin_query, conv.lin_key, conv.lin_value)]
    expected, weights = edge_attention(*nodes, edges, backend="reference", return_weights=True)
    same(out, expected.flatten(1), x, *conv.parameters())
    close(alpha, weights)


def test_a_batch_gives_what_each_graph_gives_alone(close):
    conv, (x, edge_index) = conv_f64(), case()
    parts = [conv(p, pattern(len(p))) for p in x.split(SIZES)]
    close(conv(x, edge_index, BATCH), torch.cat(parts))


def test_messages_one_by_one_equal_the_op(same):
    conv, (x, edge_index) = conv_f64(), case()
    expected, seen = conv(x, edge_index, BATCH), []
    handle = conv.register_message_forward_hook(lambda *given: seen.append(given[1][0]))
    same(conv(x, edge_index, BATCH), expected, x, *conv.parameters())
    handle.remove()
    assert len(seen) == 1 and "alpha" in seen[0]


def test_dropout_is_for_training_alone():
    conv, (x, edge_index) = conv_f64(dropout=0.5), case()
    trained = [conv(x, edge_index, BATCH) for _ in range(2)]
    assert not torch.equal(*trained)
    conv.eval()
    assert torch.equal(conv(x, edge_index, BATCH), conv(x, edge_index, BATCH))


def test_a_block_that_no_edge_enters_gets_zeros_and_no_node_no_row():
    conv, x = conv_f64(), torch.randn(4, 6, dtype=torch.float64)
    out = conv(x, torch.tensor([[0], [0]]))
    assert (out[2:] == 0).all() and (out[:2] != 0).all()
    assert conv(x[:0], torch.empty(2, 0, dtype=torch.int64)).shape == (0, 8)
    lone = conv(x, torch.empty(2, 0, dtype=torch.int64), torch.arange(4))
    assert (lone == 0).all()


def test_a_loaded_state_gives_the_same_output():
    conv, (x, edge_index) = conv_f64(), case()
    other = conv_f64()
    other.load_state_dict(conv.state_dict())
    for one in (other, copy.deepcopy(conv), pickle.loads(pickle.dumps(conv))):
        assert torch.equal(one(x, edge_index, BATCH), conv(x, edge_index, BATCH))
    conv.reset_parameters()
    assert not torch.equal(other(x, edge_index, BATCH), conv(x, edge_index, BATCH))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block_size": 0}, "block_size must be at least 1"),
        ({"heads": 0}, "heads must be at least 1"),
        ({"dropout": 1.0}, r"dropout must be in \[0, 1\)"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=f"BlockAttentionConv: {message}"):
        conv_f64(**options)


def test_inputs_that_do_not_fit_are_refused():
    conv, (x, edge_index) = conv_f64(), case()
    with pytest.raises(ValueError, match=r"x must be floating of shape \[N, 6\]"):
        conv(x[:, :5], edge_index, BATCH)
    with pytest.raises(ValueError, match="batch must be sorted"):
        conv(x, edge_index, BATCH.flip(0))
    with pytest.raises(ValueError, match="edge_index must join the first nodes of blocks"):
        conv(x, edge_index)  # as one graph, its second one begins in the middle of a block
