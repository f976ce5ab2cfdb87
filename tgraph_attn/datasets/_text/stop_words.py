"""The words that the literature on text graphs leaves out."""

import functools
from importlib.resources import files

LIST = "nltk_english_179.txt"


@functools.cache
def stop_words() -> frozenset[str]:
    """Return the English stop words of NLTK, 179 of them.

    They are a file of this package, since NLTK's own list is a download that has grown meanwhile.
    """
    file = files("tgraph_attn.datasets").joinpath("stop_words", LIST)
    return frozenset(file.read_text(encoding="ascii").split())
