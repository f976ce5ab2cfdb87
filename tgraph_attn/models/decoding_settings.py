"""How a model looks for the words that it writes."""

import math
from dataclasses import dataclass

from tgraph_attn._checks import check_not_negative, check_positive, check_type


@dataclass(frozen=True, kw_only=True)
class DecodingSettings:
    """How `ASTTrans` looks for a sequence of words, all of it plain JSON.

    As they stand, each word is the likeliest after those before it, which needs no extra package.
    All else is done by transformers' `generate` (extra `pretrained`): the beam search keeps a
    number of sequences side by side, and ends with the one of the greatest score::

        score = (sum of ln p of its words, with <eos>) / (number of its words) ^ length_penalty

    It goes on until no sequence that is not at its end can have a greater score than those that
    are. It has no bound for how far it is from the best of all.

    Attributes:
        beams: How many sequences to keep side by side. With 1 it is the likeliest word each time.
        length_penalty: The greater, the longer are sequences: with 0 their probability counts, with
            1 the mean of a word. For several beams.
        min_length: How many words to write before `<eos>`.
        seed: None, or what to draw the words by, each as often as it is likely. The same seed gives
            the same words, on one machine and in batches of the same trees. For one beam.
        temperature: Divides the logits before words are drawn: below 1, likely words come more
            often.
        top_p: Words are drawn from the likeliest ones whose probabilities sum to it; 1 for all.

    Raises:
        TypeError: A value is of another type.
        ValueError: A number is out of range, or without effect: words are drawn with one beam and
            a seed only, and the length counts with several beams only.

    Examples:
        >>> from tgraph_attn.models import DecodingSettings
        >>> DecodingSettings().is_greedy, DecodingSettings(beams=4).is_greedy
        (True, False)
    """

    beams: int = 1
    length_penalty: float = 1.0
    min_length: int = 0
    seed: int | None = None
    temperature: float = 1.0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_positive(owner, beams=self.beams)
        check_not_negative(owner, min_length=self.min_length)
        for name in ("length_penalty", "temperature", "top_p"):
            check_type(owner, name, getattr(self, name), (float, int), "Pass a number.")
        if self.seed is not None:
            check_not_negative(owner, seed=self.seed)
        ranges = {
            "length_penalty": ("a finite number", math.isfinite(self.length_penalty)),
            "temperature": ("above 0, and finite", 0 < self.temperature < math.inf),
            "top_p": ("above 0, and at most 1", 0 < self.top_p <= 1),
        }
        for name, (want, fits) in ranges.items():
            if not fits:
                value = getattr(self, name)
                raise ValueError(
                    f"{owner}: {name} must be {want}, but got {value}. Leave it out for 1."
                )
        draws = self.seed is not None
        if draws and self.beams > 1:
            raise ValueError(
                f"{owner}: beams must be 1 where words are drawn, but are {self.beams}, with "
                f"seed={self.seed}. Leave one of the two out."
            )
        without_effect = {
            "length_penalty": (self.beams == 1, "beams=4"),
            "temperature": (not draws, "seed=0"),
            "top_p": (not draws, "seed=0"),
        }
        for name, (is_idle, other) in without_effect.items():
            if is_idle and getattr(self, name) != 1:
                raise ValueError(
                    f"{owner}: {name} must be 1 where it has no effect, but is "
                    f"{getattr(self, name)}. Pass {other} besides, for example, or leave it out."
                )

    @property
    def is_greedy(self) -> bool:
        """Whether each word is the likeliest one, whatever it is."""
        return self.beams == 1 and self.seed is None and self.min_length == 0
