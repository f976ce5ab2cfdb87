"""The numbering of words."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Self

from tgraph_attn._checks import check_positive, check_type
from tgraph_attn._files import whole_file


class Vocab:
    """A fixed numbering of words: 0 is padding, 1 stands for every word that is not in it.

    Args:
        tokens: The words from id 0 on; the first two must be `"<pad>"` and `"<unk>"`.

    Raises:
        ValueError: A word comes twice, or the first two are others.
        TypeError: A word is no str.

    Examples:
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["get", "name", "get"], specials=["<bos>"])
        >>> vocab.encode(["get", "size"]), vocab.decode([2, 3])
        ([3, 1], ['<bos>', 'get'])
    """

    PAD: ClassVar[int] = 0
    UNK: ClassVar[int] = 1

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = tuple(tokens)
        _check_words("Vocab", self.tokens)
        self._ids = {token: number for number, token in enumerate(self.tokens)}
        if self.tokens[:2] != ("<pad>", "<unk>"):
            raise ValueError(
                "Vocab: the first two tokens must be '<pad>' and '<unk>', but are "
                f"{list(self.tokens[:2])}. Make it with Vocab.build(tokens)."
            )
        if len(self._ids) != len(self.tokens):
            token, count = Counter(self.tokens).most_common(1)[0]
            raise ValueError(
                f"Vocab: each token must be there once, but {token!r} comes {count} times. "
                "Make it with Vocab.build(tokens), which counts them."
            )

    @classmethod
    def build(
        cls,
        tokens: Iterable[str],
        max_size: int | None = None,
        min_count: int = 1,
        specials: Sequence[str] = (),
    ) -> Self:
        """Number the words by how often they come, the most frequent first, then by alphabet.

        Args:
            tokens: All the words of a corpus, each as often as it comes.
            max_size: How many words to keep at most, with padding, unknown and specials.
            min_count: How often a word must come to be kept.
            specials: Words that get the ids from 2 on, whether they come or not.

        Raises:
            ValueError: max_size has no room for the specials, or min_count is below 1.
            TypeError: A word is no str, or tokens is one str, whose words would be its characters.
        """
        if isinstance(tokens, str):
            raise TypeError(
                f"Vocab.build: tokens must be a series of words, but got one str, {tokens[:20]!r}. "
                "Split it first."
            )
        check_positive("Vocab.build", min_count=min_count)
        first = ["<pad>", "<unk>", *specials]
        if max_size is not None and max_size < len(first):
            raise ValueError(
                f"Vocab.build: max_size must be at least {len(first)}, for {first}, but got "
                f"{max_size}. Pass a greater one, or None for no limit."
            )
        counts = Counter(tokens)
        _check_words("Vocab.build", counts)
        for token in first:
            counts.pop(token, None)
        kept = [token for token, count in counts.items() if count >= min_count]
        kept.sort(key=lambda token: (-counts[token], token))
        room = None if max_size is None else max_size - len(first)
        return cls(first + kept[:room])

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """Return the id of each word, 1 for one that is not in the vocabulary."""
        if isinstance(tokens, str):
            raise TypeError(
                f"Vocab.encode: tokens must be a series of words, but got one str, "
                f"{tokens[:20]!r}. Pass [{tokens[:20]!r}] for a single word."
            )
        ids, unknown = self._ids, self.UNK
        return [ids.get(token, unknown) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Return the word of each id."""
        numbers = [int(number) for number in ids]
        for number in numbers:
            if not 0 <= number < len(self.tokens):
                raise ValueError(
                    f"Vocab.decode: an id must be in [0, {len(self.tokens)}), but got {number}. "
                    "Was it made with another vocabulary?"
                )
        return [self.tokens[number] for number in numbers]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the vocabulary to a JSON file, whole or not at all.

        Raises:
            FileNotFoundError: Its folder is not there.
        """
        text = json.dumps({"format": "tgraph_attn.Vocab", "tokens": self.tokens}, indent=0)
        with whole_file("Vocab.save", path) as file:
            file.write(text.encode("ascii"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a vocabulary that `save` wrote.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: The file holds something else.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            tokens = content["tokens"] if content["format"] == "tgraph_attn.Vocab" else None
            if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
                raise TypeError("no list of tokens")
        except FileNotFoundError:
            raise FileNotFoundError(
                f"Vocab.load: {os.fspath(path)} must be a vocabulary file, but is not there. "
                "Write one with vocab.save(path)."
            ) from None
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"Vocab.load: {os.fspath(path)} must hold what Vocab.save wrote, but does not "
                f"({type(error).__name__}: {error}). Save the vocabulary again."
            ) from error
        return cls(tokens)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __eq__(self, other: object) -> bool:
        return self.tokens == other.tokens if isinstance(other, Vocab) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.tokens)

    def __repr__(self) -> str:
        return f"Vocab({len(self)} tokens)"


def _check_words(owner: str, words: Iterable[str]) -> None:
    for word in words:
        check_type(owner, "each token", word, str, "Turn it into one first: str(token).")
