"""A tokenizer of one's own texts, where none can be downloaded."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tgraph_attn._checks import check_positive
from tgraph_attn._optional import require

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

_SPECIALS = {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "mask": "<mask>"}


def train_tokenizer(
    texts: Iterable[str], num_words: int = 8000, *, min_count: int = 2
) -> "PreTrainedTokenizerFast":
    """Return a tokenizer with byte pairs, as RoBERTa's family has, learned from texts.

    A text becomes `<s>`, its pieces, `</s>`; ids 0 to 4 are `<s>`, `<pad>`, `</s>`, `<unk>` and
    `<mask>`. Every text can be written, since each byte is a piece.

    Args:
        texts: What to learn from.
        num_words: How many pieces there are at most, the specials and the 256 bytes among them.
        min_count: How often two pieces must stand side by side to become one.

    Raises:
        ValueError: num_words has no room for the bytes and the specials, or min_count is below 1.
        ImportError: transformers is not installed.

    Examples:
        >>> from tgraph_attn.models.pretrained import train_tokenizer
        >>> tokenizer = train_tokenizer(["def area(a): return a * a"] * 9, 300)
        >>> tokenizer.decode(tokenizer("area(b)")["input_ids"])
        '<s>area(b)</s>'
    """
    owner = "train_tokenizer"
    check_positive(owner, min_count=min_count)
    least = 256 + len(_SPECIALS)
    if num_words < least:
        raise ValueError(
            f"{owner}: num_words must be at least {least}, for each byte and the specials, but got "
            f"{num_words}. Pass 8000, for example."
        )
    transformers, tokenizers = require(owner, "transformers"), require(owner, "tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=num_words,
        min_frequency=min_count,
        special_tokens=list(_SPECIALS.values()),
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    ends = [(_SPECIALS[name], made.token_to_id(_SPECIALS[name])) for name in ("eos", "bos")]
    made.post_processor = tokenizers.processors.RobertaProcessing(*ends, add_prefix_space=False)
    specials = {f"{name}_token": word for name, word in _SPECIALS.items()}
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, cls_token="<s>", sep_token="</s>", **specials
    )
