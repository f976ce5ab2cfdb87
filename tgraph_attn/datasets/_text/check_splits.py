"""The checks that a corpus can be learnt from, and tested on."""

import re
from collections.abc import Collection, Iterable

from tgraph_attn.datasets._text.count_words import WordCount
from tgraph_attn.datasets._text.documents import SPLITS, Document, Splits

_LETTER = re.compile("[A-Za-z]")
_CLEANING = (
    "Cleaning keeps ASCII letters, digits and a few signs only. Cut texts in other letters into "
    "words yourself, and pass these as the tokens of .jsonl files."
)


def check_splits(splits: Splits, place: object) -> list[str]:
    """Return the names of the classes, sorted.

    Raises:
        ValueError: A split has no document, there is one class only, or a class is only in test.
    """
    for split in SPLITS:
        if not splits[split]:
            raise ValueError(
                f"TextCorpus: split {split!r} of {place} must have documents, but has none. "
                "Fill its file, or take documents from the other one."
            )
    train, test = ({document.label for document in splits[split]} for split in SPLITS)
    unseen = sorted(test - train)
    if unseen:
        raise ValueError(
            f"TextCorpus: each class of test must be in train too, or none could learn it, but "
            f"{unseen[:5]} of {place} {'is' if len(unseen) == 1 else 'are'} in test only. Move "
            "some of its documents to train, or take it out of test."
        )
    if len(train) < 2:
        raise ValueError(
            f"TextCorpus: {place} must have two classes at least, but has {sorted(train)} only. "
            "Is the label the first column?"
        )
    return sorted(train)


def check_heads(splits: Splits, relations: Collection[str]) -> bool:
    """Return whether each document has heads.

    Raises:
        ValueError: One has none, but a relation needs them.
    """
    documents = [document for split in SPLITS for document in splits[split]]
    without = sum(document.heads is None for document in documents)
    if without and "dependency" in relations:
        raise ValueError(
            f"TextCorpus: each document must have heads for the relation 'dependency', but "
            f"{without:,} of {len(documents):,} have none. Use a folder with train.jsonl and "
            "test.jsonl, whose objects have tokens and heads, or another relation."
        )
    return not without


def check_words(count: WordCount, place: object, min_count: int) -> None:
    """Raise ValueError if no document of train keeps a word, for then there is nothing to learn."""
    train, words = count.splits["train"], count.words
    if train["kept_tokens"]:
        return
    hint = "Pass a smaller min_count, or stop_words=False."
    if not train["tokens"]:
        hint = f"Its texts have no words at all. {_CLEANING}"
    elsewhere = f", {words['kept']:,} are in test only" if words["kept"] else ""
    raise ValueError(
        f"TextCorpus: train must have words to learn from, but no word of it is kept: of the "
        f"{words['found']:,} different words found in {place}, {words['rare']:,} are rare (below "
        f"min_count={min_count}), {words['stop_words']:,} are stop words{elsewhere}. {hint}"
    )


def check_letters(documents: Iterable[Document], place: object) -> None:
    """Raise ValueError if cleaning takes most letters out of the texts, though it leaves signs."""
    texts = [document.text for document in documents if document.tokens is None]
    letters = sum(sum(map(str.isalpha, text)) for text in texts)
    ascii_letters = sum(len(_LETTER.findall(text)) for text in texts)
    if letters > 2 * ascii_letters:
        raise ValueError(
            f"TextCorpus: most letters of train must be ASCII, but of {letters:,} in {place} only "
            f"{ascii_letters:,} are. {_CLEANING}"
        )
