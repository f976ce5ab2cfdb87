import itertools

import pytest
import torch

from tgraph_attn.models import DecodingSettings
from tgraph_attn.models._ast_trans.greedy_decode import greedy_decode
from tgraph_attn.models._ast_trans.searched_decode import searched_decode

pytest.importorskip("transformers")

PAD, BOS, EOS = 0, 2, 3
IS_NODE = torch.arange(5) < torch.tensor([[5], [1], [3]])
SEEDS = range(6)


def search(decoder, memory, is_node=IS_NODE, max_length=6, **settings):
    with torch.no_grad():
        return searched_decode(
            *(decoder, memory, is_node),
            **dict(bos=BOS, eos=EOS, max_length=max_length),
            settings=DecodingSettings(**settings),
        )


def greedy(decoder, memory, is_node=IS_NODE, max_length=6):
    with torch.no_grad():
        return greedy_decode(decoder, memory, is_node, bos=BOS, eos=EOS, max_length=max_length)


def without_end(row):
    """The words of a row up to its end, `<eos>` or a padding that was written included."""
    ends = [place for place, word in enumerate(row) if word in (PAD, EOS)]
    return row[: ends[0] + 1] if ends else row


def log_probability(decoder, nodes, there, rows):
    """The ln p of each row of words after <bos>, in the plain decoder without a cache."""
    longest = max(map(len, rows))
    words = torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])
    before = torch.cat([torch.full_like(words[:, :1], BOS), words[:, :-1]], dim=1)
    nodes, there = nodes.expand(len(rows), -1, -1), there.expand(len(rows), -1)
    with torch.no_grad():
        likelihood = decoder.generator(decoder(before, nodes, there)).log_softmax(-1)
    of_word = likelihood.gather(2, words[:, :, None])[:, :, 0]
    return [float(of_word[n, : len(row)].sum()) for n, row in enumerate(rows)]


def ease_ends(decoder, by):
    with torch.no_grad():
        decoder.generator.bias[[PAD, EOS]] += by


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_node", [IS_NODE, torch.ones_like(IS_NODE)], ids=["padded", "full"])
def test_with_one_beam_it_writes_the_likeliest_word_each_time(wild, seed, is_node):
    decoder, memory = wild(seed)
    ease_ends(decoder, by=2.0 * (seed % 3 - 1))
    assert search(decoder, memory, is_node).equal(greedy(decoder, memory, is_node))


def test_the_seeds_above_have_rows_with_and_without_an_end(wild):
    rows = []
    for seed in SEEDS:
        decoder, memory = wild(seed)
        ease_ends(decoder, by=2.0 * (seed % 3 - 1))
        rows += greedy(decoder, memory).tolist()
    lengths = [len(without_end(row)) for row in rows]
    assert min(lengths) < 3 and any(EOS in row for row in rows)
    assert any(EOS not in row and PAD not in row for row in rows)


@pytest.mark.parametrize("penalty", [0.0, 1.0, 2.5, -1.0])
@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_beam_as_wide_as_all_sequences_finds_the_best_of_them(wild, seed, penalty):
    decoder, memory = wild(seed, num_words=5, max_length=4)
    every = sorted({without_end(words) for words in itertools.product(range(5), repeat=4)})
    written = search(*(decoder, memory), max_length=4, beams=160, length_penalty=penalty).tolist()
    for nodes, there, row in zip(memory, IS_NODE, written, strict=True):
        likely = log_probability(decoder, nodes, there, every)
        score = {w: p / len(w) ** penalty for w, p in zip(every, likely, strict=True)}
        best = max(score, key=score.get)
        assert without_end(tuple(row)) == best and not any(row[len(best) :])


def test_a_beam_search_finds_likelier_sequences_than_the_likeliest_word_each_time(wild):
    differ = 0
    for seed in range(12):
        decoder, memory = wild(seed)
        ways = greedy(decoder, memory), search(decoder, memory, beams=3, length_penalty=0.0)
        for nodes, there, *rows in zip(
            memory, IS_NODE, *map(torch.Tensor.tolist, ways), strict=True
        ):
            one, other = map(without_end, rows)
            if one != other:
                differ += 1
                likely = log_probability(decoder, nodes, there, [one, other])
                assert likely[1] > likely[0]
    assert differ > 5


@pytest.mark.parametrize("settings", [{"beams": 3}, {"beams": 3, "length_penalty": 0.0}, {}])
def test_a_batch_is_each_tree_alone(wild, settings):
    for seed in SEEDS:
        decoder, memory = wild(seed)
        together = search(decoder, memory, **settings).tolist()
        for number, there in enumerate(IS_NODE):
            nodes = memory[number : number + 1, there]
            [alone] = search(decoder, nodes, IS_NODE[number : number + 1, there], **settings)
            assert without_end(alone.tolist()) == without_end(together[number])


def test_rows_of_a_beam_search_have_padding_after_their_end(wild):
    lengths = set()
    for seed in SEEDS:
        decoder, memory = wild(seed)
        ease_ends(decoder, by=3.0)
        for row in search(decoder, memory, beams=2, length_penalty=0.0).tolist():
            length = len(without_end(row))
            lengths.add((length, len(row)))
            assert not any(row[length:])
    assert any(length < of for length, of in lengths)


@pytest.mark.parametrize("settings", [{"beams": 3}, {"seed": 0}, {}], ids=str)
def test_no_row_ends_before_min_length_or_goes_on_after_max_length(wild, settings):
    decoder, memory = wild()
    ease_ends(decoder, by=30.0)  # all want to end at once
    written = search(decoder, memory, **settings).tolist()
    assert {len(without_end(row)) for row in written} == {1}
    written = search(decoder, memory, min_length=2, **settings).tolist()
    assert {len(without_end(row)) for row in written} == {3}
    written = search(decoder, memory, min_length=2, max_length=2, **settings)
    assert written.shape == (3, 2) and not written.eq(EOS).any() and not written.eq(PAD).any()
    ease_ends(decoder, by=-99.0)  # none wants to end
    assert search(decoder, memory, max_length=4, **settings).shape == (3, 4)


def test_words_are_drawn_by_the_seed_and_leave_the_global_generator_alone(wild):
    decoder, memory = wild()
    before = torch.get_rng_state()
    one, again, other = (search(decoder, memory, seed=seed, temperature=3.0) for seed in (1, 1, 2))
    assert one.equal(again) and not one.equal(other)
    assert torch.get_rng_state().equal(before)


def test_words_are_drawn_as_often_as_they_are_likely(wild):
    decoder, memory = wild()
    nodes = memory[:1].expand(4000, -1, -1)
    there = torch.ones(4000, 5, dtype=torch.bool)
    with torch.no_grad():
        first = torch.tensor([[BOS]])
        logits = decoder.generator(decoder(first, nodes[:1], there[:1]))[0, 0]
        logits *= 2 / logits.std()
        decoder.generator.forward = lambda states: logits.expand(len(states), 1, -1)
    for settings, expected in {
        (): logits.softmax(-1),
        (("temperature", 2.0),): (logits / 2).softmax(-1),
        (("temperature", 0.5),): (logits * 2).softmax(-1),
    }.items():
        words = search(decoder, nodes, there, max_length=1, seed=3, **dict(settings))[:, 0]
        found = words.bincount(minlength=9) / 4000
        assert (found - expected).abs().max() < 0.03
    likely = logits.softmax(-1).sort(descending=True)
    kept = int((likely.values.cumsum(0) < 0.6).sum()) + 1
    assert 1 < kept < 8
    words = search(decoder, nodes, there, max_length=1, seed=3, top_p=0.6)
    assert set(words.flatten().tolist()) == set(likely.indices[:kept].tolist())


def test_every_word_of_a_large_vocabulary_may_be_drawn(wild):
    decoder, memory = wild(num_words=80)
    nodes, there = memory[:1].expand(6000, -1, -1), torch.ones(6000, 5, dtype=torch.bool)
    logits = torch.linspace(0, 1, 80)
    decoder.generator.forward = lambda states: logits.expand(len(states), 1, -1)
    words = search(decoder, nodes, there, max_length=1, seed=0)
    assert len(words.unique()) == 80


def test_weights_and_mode_of_the_decoder_stay(wild):
    decoder, memory = wild()
    before = {name: weight.clone() for name, weight in decoder.state_dict().items()}
    search(decoder, memory, beams=2)
    assert not any(module.training for module in decoder.modules())
    assert all(weight.equal(before[name]) for name, weight in decoder.state_dict().items())
    assert decoder.generator.weight.requires_grad


def test_it_runs_on_a_model_in_float32(wild):
    decoder, memory = wild()
    decoder, memory = decoder.float(), memory.float()
    assert search(decoder, memory).equal(greedy(decoder, memory))
    assert search(decoder, memory, beams=3).shape[0] == 3
