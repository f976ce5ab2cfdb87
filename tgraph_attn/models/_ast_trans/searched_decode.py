"""Beam search, drawn words and length control, by transformers."""

import functools
from typing import Any

import torch
from torch import Tensor

from tgraph_attn._optional import require
from tgraph_attn.models._ast_trans.cached_decoder import CachedDecoder
from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder
from tgraph_attn.models.decoding_settings import DecodingSettings
from tgraph_attn.vocab import Vocab


def searched_decode(
    decoder: TargetDecoder,
    memory: Tensor,
    is_node: Tensor,
    *,
    bos: int,
    eos: int,
    max_length: int,
    settings: DecodingSettings,
) -> Tensor:
    """Return for each tree a sequence that transformers' `generate` finds.

    For one beam and no more it equals `greedy_decode`. The decoder has to be in evaluation mode.
    Words are drawn by a generator of their own: torch's global one is left as it was.

    Args:
        decoder: The decoder.
        memory: The nodes of each tree.
        is_node: Where there is no padding.
        bos: The word before the first.
        eos: The word that ends a sequence; padding ends it too.
        max_length: How many words to write at most.
        settings: How to look for them.

    Shapes:
        - **memory**: `[B, N, F]`; **is_node**: `[B, N]` bool
        - **output**: `[B, L]` int64, 0 after the end; L as the longest, at most max_length

    Raises:
        ImportError: transformers is not installed (extra `pretrained`).
    """
    instead = "Leave settings out for the likeliest word each time."
    transformers = require("ASTTrans.generate", "transformers", instead)
    asked: dict[str, Any] = {}
    if settings.beams > 1:  # transformers warns of what has no effect
        asked |= {"length_penalty": settings.length_penalty, "early_stopping": "never"}
    if settings.seed is not None:
        asked |= {"temperature": settings.temperature, "top_p": settings.top_p, "top_k": 0}
    config = transformers.GenerationConfig(
        num_beams=settings.beams,
        do_sample=settings.seed is not None,
        max_new_tokens=max_length,
        min_new_tokens=settings.min_length,
        bos_token_id=bos,
        eos_token_id=[eos, Vocab.PAD],
        pad_token_id=Vocab.PAD,
        **asked,
    )
    first = torch.full((memory.size(0), 1), bos, device=memory.device)
    writer = _writer_class()(decoder, CachedDecoder(decoder, memory, is_node))
    with torch.random.fork_rng([memory.device] if memory.is_cuda else []):
        if settings.seed is not None:
            torch.manual_seed(settings.seed)
        # Without a mask it would warn of padding before the first word, of which there is none.
        written = writer.generate(
            first, generation_config=config, attention_mask=torch.ones_like(first)
        )
    words: Tensor = written[:, 1:]
    ends = (words == eos) | (words == Vocab.PAD)
    # Where padding is 0, its beam search fills rows that are at their end with <eos>.
    return words.masked_fill(ends.cumsum(1) - ends.long() > 0, Vocab.PAD)


@functools.cache
def _writer_class() -> type:
    """Return the class that transformers' `generate` runs on; it is imported only here."""
    from transformers import GenerationMixin, PreTrainedConfig, PreTrainedModel
    from transformers.modeling_outputs import CausalLMOutput

    make_config: Any = PreTrainedConfig

    class Writer(PreTrainedModel, GenerationMixin):
        """A decoder whose nodes are fixed: to transformers, a language model that begins at <bos>.

        The keys and values of the words so far are in the cache of transformers, which puts them in
        the order of the beams.
        """

        config_class = PreTrainedConfig

        def __init__(self, decoder: TargetDecoder, cached: CachedDecoder) -> None:
            num_words, channels = decoder.embedding.weight.shape
            layer = decoder.stack.layers[0]
            super().__init__(
                make_config(
                    vocab_size=num_words,
                    hidden_size=channels,
                    num_hidden_layers=len(decoder.stack.layers),
                    num_attention_heads=layer.self_attn.num_heads,
                )
            )
            self.words = decoder  # whose weights tell device and dtype
            self.cached = cached

        # Some versions name the cache one way, some the other.
        def prepare_inputs_for_generation(
            self,
            input_ids: Tensor,
            cache: Any = None,
            past_key_values: Any = None,
            attention_mask: Tensor | None = None,
            **kwargs: Any,
        ) -> dict[str, Any]:
            return {"input_ids": input_ids, "kept": past_key_values if cache is None else cache}

        def forward(self, input_ids: Tensor, kept: Any, return_dict: bool = True) -> Any:
            word, place = input_ids[:, -1:], input_ids.size(1) - 1
            return CausalLMOutput(logits=self.cached.step(word, place, kept.update))

    return Writer
