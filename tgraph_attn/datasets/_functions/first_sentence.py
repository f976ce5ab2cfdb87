"""What a docstring says first."""

import inspect
import re

# A full stop that a small letter follows belongs to something like "e.g. this".
_END = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def first_sentence(docstring: str) -> list[str]:
    """Return the words of the first sentence, in lower case, without signs; [] if it has none.

    A sentence ends at a full stop, `!` or `?` before a space that no small letter follows, or with
    its paragraph.
    """
    paragraph = re.split(r"\n\s*\n", inspect.cleandoc(docstring).strip(), maxsplit=1)[0]
    return _WORD.findall(_END.split(paragraph, maxsplit=1)[0].lower())
