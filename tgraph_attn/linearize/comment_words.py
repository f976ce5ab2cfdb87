"""The words of a comment, as the literature on code summarisation counts them."""

import string
from collections.abc import Callable, Sequence

from tgraph_attn._checks import check_choice, check_positive, check_type
from tgraph_attn.parse.split_identifier import split_identifier

_MARKS = str.maketrans("", "", "[]%")


def comment_words(
    text: str,
    *,
    strip: bool = True,
    drop_stop: bool = True,
    first_sentence: bool = True,
    drop_tags: bool = True,
    drop_marks: bool = True,
    lower: str = "first",
    keep_signs: bool = True,
    split: Callable[[str], Sequence[str]] | None = split_identifier,
    max_words: int | None = None,
) -> list[str]:
    """Return the words to say of a piece of code, from the comment on it.

    The rules are used in the order of the arguments. A text without words has none: `[]`. A text
    is taken as one line; of one that has several, pass `" ".join(text.split())`.

    The paper splits words with `wordninja`, by how frequent English words are; pass
    `split=wordninja.split` for that. The default, `split_identifier`, splits where the words of an
    identifier end: `filename` stays whole, `don't` becomes two words, a word of signs alone that
    keep_signs does not keep, such as `->`, stays (`wordninja` drops it), and all is in lower case.

    Args:
        text: The comment.
        strip: Leave out white space at both ends.
        drop_stop: Leave out a full stop at the end; one, of several.
        first_sentence: Keep only what comes before the first full stop with a space behind it.
        drop_tags: Leave out each `<` with all that follows in its line up to the next `>`, if
            anything stands between the two.
        drop_marks: Leave out the characters `[`, `]` and `%`.
        lower: Put the "first" character in lower case, "all" of them, or none ("off").
        keep_signs: Keep a word as it is that stands, as a whole, in `string.punctuation`, such as
            `+`, `()` or `<=`. Without it, words without a letter or digit are left out.
        split: What makes one or several words of each other word; None leaves it as it is.
        max_words: How many words to keep at most.

    Raises:
        ValueError: lower is another word, or max_words is below 1.
        TypeError: text is no str, split can't be called, or max_words is no int.

    Examples:
        >>> from tgraph_attn.linearize import comment_words
        >>> comment_words("Returns the <b>maxSize</b> (in bytes). Never null.")
        ['returns', 'the', 'max', 'size', 'in', 'bytes']
        >>> comment_words("Adds A + B.", split=None), comment_words("")
        (['adds', 'A', '+', 'B'], [])

    Source:
        AST-Trans (Tang et al., ICSE 2022), by its released code, which fails on an empty text.
        TL-CodeSum's comments are in lower case, which is `lower="all"`.
    """
    check_type("comment_words", "text", text, str, "Leave code without a comment out.")
    check_choice("comment_words", "lower", lower, ("first", "all", "off"))
    if max_words is not None:
        check_positive("comment_words", max_words=max_words)
    if split is not None and not callable(split):
        raise TypeError(
            "comment_words: split must be a function from a word to its words, but got "
            f"{type(split).__name__}. Pass split=None to leave words as they are."
        )
    if strip:
        text = text.strip()
    if drop_stop:
        text = text.removesuffix(".")
    if first_sentence:
        text = text.partition(". ")[0]
    if drop_tags:
        text = "\n".join(map(_without_tags, text.split("\n")))
    if drop_marks:
        text = text.translate(_MARKS)
    if lower != "off":
        end = 1 if lower == "first" else len(text)
        text = text[:end].lower() + text[end:]
    words: list[str] = []
    for word in text.split():
        if not keep_signs and not any(map(str.isalnum, word)):
            continue
        if split is None or word in string.punctuation:
            words.append(word)
        else:
            words += [piece for piece in split(word) if piece]
    return words[:max_words]


def _without_tags(line: str) -> str:
    """Return the line without its tags; a regular expression would need quadratic time."""
    kept, begin = [], 0
    while (open_at := line.find("<", begin)) >= 0:
        close_at = line.find(">", open_at + 2)
        if close_at < 0:
            break
        kept.append(line[begin:open_at])
        begin = close_at + 1
    return "".join([*kept, line[begin:]])
