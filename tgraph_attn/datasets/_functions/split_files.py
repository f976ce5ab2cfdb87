"""Which file belongs to which part of a data set."""

import hashlib
from collections.abc import Iterable

SPLITS = ("train", "val", "test")


def split_files(files: Iterable[str], seed: int) -> dict[str, str]:
    """Return the split of each file: a tenth is "val", a tenth "test", the rest "train".

    The order in which they are dealt out depends on the names and the seed only, not on the
    version of a random generator. The first file goes to "train", so that it is never empty.
    """

    def draw(name: str) -> bytes:
        text = f"{seed} {name}"
        try:
            content = text.encode("utf-8", "surrogateescape")  # names of files that are no UTF-8
        except UnicodeEncodeError:  # other lone surrogates, such as those of JSON
            content = text.encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).digest()

    order = sorted(files, key=draw)
    tenth = (len(order) + 5) // 10 if len(order) >= 10 else int(len(order) >= 3)
    return {
        name: "val" if 1 <= place <= tenth else "test" if tenth < place <= 2 * tenth else "train"
        for place, name in enumerate(order)
    }
