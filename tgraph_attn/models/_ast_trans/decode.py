"""The words that a decoder writes about trees."""

from torch import Tensor

from tgraph_attn._checks import check_positive, check_type
from tgraph_attn.models._ast_trans.greedy_decode import greedy_decode
from tgraph_attn.models._ast_trans.searched_decode import searched_decode
from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder
from tgraph_attn.models.decoding_settings import DecodingSettings
from tgraph_attn.vocab import Vocab


def decode(
    decoder: TargetDecoder,
    memory: Tensor,
    is_node: Tensor,
    vocab: Vocab,
    *,
    max_length: int | None,
    settings: DecodingSettings | None,
) -> Tensor:
    """Return what the settings find, or the likeliest word each time if they are None.

    Args:
        decoder: The decoder, in evaluation mode.
        memory: The nodes of each tree.
        is_node: Where there is no padding.
        vocab: The numbering of its words.
        max_length: How many words to write at most; as many as it has places for if None.
        settings: How to look for them.

    Shapes:
        - **memory**: `[B, N, F]`; **is_node**: `[B, N]` bool
        - **output**: `[B, L]` int64, 0 after the end; L as the longest, at most max_length

    Raises:
        ValueError: max_length is below 1, above the decoder's places, or below min_length.
        TypeError: settings are no `DecodingSettings`, or max_length is no int.
        ImportError: The settings need transformers (extra `pretrained`), which is not there.
    """
    owner, places = "ASTTrans.generate", decoder.positions.size(0)
    settings = DecodingSettings() if settings is None else settings
    check_type(owner, "settings", settings, DecodingSettings, "Pass DecodingSettings(beams=4).")
    max_length = places if max_length is None else max_length
    check_positive(owner, max_length=max_length)
    if max_length > places:
        raise ValueError(
            f"{owner}: max_length must be at most max_target={places}, but got {max_length}. Make "
            "the model with a greater max_target."
        )
    if settings.min_length > max_length:
        raise ValueError(
            f"{owner}: min_length must be at most max_length={max_length}, but is "
            f"{settings.min_length}. Pass a smaller one."
        )
    bos, eos = vocab.encode(["<bos>", "<eos>"])
    words = {"bos": bos, "eos": eos, "max_length": max_length}
    if settings.is_greedy:
        return greedy_decode(decoder, memory, is_node, **words)
    return searched_decode(decoder, memory, is_node, **words, settings=settings)
