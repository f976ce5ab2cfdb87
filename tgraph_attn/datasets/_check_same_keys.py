"""The check that each graph of a data set has the same attributes."""

from collections.abc import Sequence

from torch_geometric.data import Data


def check_same_keys(owner: str, items: Sequence[Data]) -> None:
    """Raise ValueError unless each item has the attributes of the first one.

    PyG cannot tell: it drops what the first graph lacks, without a word.
    """
    first = set(items[0].keys())
    for number, item in enumerate(items):
        for key in sorted(first ^ set(item.keys())):
            has, lacks = (0, number) if key in first else (number, 0)
            raise ValueError(
                f"{owner}: each item must have the same attributes, but item {has} has {key!r} and "
                f"item {lacks} lacks it. A pre_transform must write the same for each graph."
            )
