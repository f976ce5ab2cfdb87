"""The words of an English text, as the literature on text graphs counts them."""

import re

from tgraph_attn._checks import check_type

_OTHER = re.compile(r"[^A-Za-z0-9(),!?'`]")
_ENDING = re.compile(r"'s|'ve|n't|'re|'d|'ll")
_SIGN = re.compile(r"[,!()?]")
_LEGACY = {sign: f" \\{sign} " for sign in "()?"} | {sign: f" {sign} " for sign in ",!"}


def clean_text(text: str, *, legacy_backslashes: bool = True) -> list[str]:
    r"""Return the words of a text, in lower case, as Text-GCN cleans them.

    Letters and digits of ASCII and the signs ``( ) , ! ? ' ` `` are kept, every other character
    becomes a space: so a letter with an accent parts a word. Endings `'s 've n't 're 'd 'll`, in
    small letters, and the signs `, ! ( ) ?` become words of their own. A text of other characters
    alone has no words.

    Args:
        text: Any text, of any number of lines.
        legacy_backslashes: Give the words `\(`, `\)` and `\?` for `(`, `)` and `?`, as the
            released code does on Python 3. It changes the names of these three words, never how
            many words there are.

    Raises:
        TypeError: text is no str.

    Examples:
        >>> from tgraph_attn.parse import clean_text
        >>> clean_text("Isn't it (mostly) Bob's, too?", legacy_backslashes=False)
        ['is', "n't", 'it', '(', 'mostly', ')', 'bob', "'s", ',', 'too', '?']
        >>> clean_text("A café? 1.5%")
        ['a', 'caf', '\\?', '1', '5']

    Source:
        `clean_str` of Text-GCN's released code, which has it from Kim's CNN for sentences (2014).
    """
    check_type("clean_text", "text", text, str, "Decode bytes first: text.decode('latin-1').")
    spaced = _ENDING.sub(r" \g<0>", _OTHER.sub(" ", text))
    if legacy_backslashes:
        spaced = _SIGN.sub(lambda match: _LEGACY[match[0]], spaced)
    else:
        spaced = _SIGN.sub(r" \g<0> ", spaced)
    return spaced.lower().split()
