import pytest
import torch

from tgraph_attn.models._ast_trans.cached_decoder import CachedDecoder

IS_NODE = torch.arange(5) < torch.tensor([[5], [1], [3]])


class Kept:
    def __init__(self):
        self.of_layer = {}

    def __call__(self, key, value, layer):
        before = self.of_layer.get(layer, (key[:, :, :0], value[:, :, :0]))
        both = [torch.cat(pair, 2) for pair in zip(before, (key, value), strict=True)]
        self.of_layer[layer] = both
        return both


@pytest.mark.parametrize("is_node", [IS_NODE, torch.ones_like(IS_NODE)], ids=["padded", "full"])
@pytest.mark.parametrize("several", [1, 2, 4])
def test_each_step_is_the_decoder_on_all_words_so_far(wild, is_node, several, close):
    decoder, memory = wild()
    words = torch.randint(9, (3 * several, 6))
    nodes, there = (part.repeat_interleave(several, 0) for part in (memory, is_node))
    with torch.no_grad():
        expected = decoder.generator(decoder(words, nodes, there))
        cached, kept = CachedDecoder(decoder, memory, is_node), Kept()
        for place in range(6):
            logits = cached.step(words[:, place : place + 1], place, kept)
            close(logits[:, 0], expected[:, place])
    assert {keys.shape for keys, _ in kept.of_layer.values()} == {(3 * several, 2, 6, 4)}
    assert sorted(kept.of_layer) == [0, 1]
