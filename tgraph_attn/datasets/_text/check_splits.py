"""The checks that a corpus can be learnt from, and tested on."""

from collections.abc import Collection

from tgraph_attn.datasets._text.documents import SPLITS, Splits


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
