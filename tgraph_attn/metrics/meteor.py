"""METEOR 1.5, which runs on Java."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tgraph_attn._optional import require, require_java
from tgraph_attn.metrics._token_pairs import Text, token_pairs

_FINAL = re.compile(r"^Final score:\s+(\S+)$", re.MULTILINE)


def meteor(hypotheses: Sequence[Text], references: Sequence[Text]) -> float:
    """Return METEOR 1.5 of all examples at once, for English, with METEOR's own normalisation.

    Words match by form, stem, synonym and paraphrase. The score is METEOR's own final one, of the
    counts of all examples added up, not the mean over examples, which is far higher. METEOR
    lower-cases, and splits punctuation off (its `-norm`); tokens are first joined by a space. An
    empty hypothesis matches nothing, and its reference counts.

    Without Java, there is no METEOR: this raises ImportError at once, so that what else is reported
    can go on::

        try:
            scores["METEOR"] = meteor(hypotheses, references)
        except ImportError as error:
            print(error)  # meteor: Java not found ...

    Each call starts Java anew, which takes seconds before the first example.

    Args:
        hypotheses: What was predicted for each example: a str, split on whitespace, or its tokens.
        references: What is right, one text for each example, likewise; as it is: not cut, and with
            no word replaced by `<unk>`.

    Returns:
        A fraction in [0, 1], not per cent.

    Raises:
        ImportError: There is no `java` on PATH, it does not run METEOR to its end, or
            pycocoevalcap (extra `metrics`), which METEOR comes with, is not there.
        ValueError: The two differ in length, are empty, a reference has no token, or a token holds
            whitespace.
        TypeError: One of them is a str, or a text is neither a str nor a list of str.

    Source:
        Denkowski and Lavie, WMT 2014. It is the program that the COCO caption evaluation ships,
        with the options that it uses, and its first result: what NeuralCodeSum and AST-Trans
        report. Theirs keeps Java waiting for one line after another; ours hands it two files.
    """
    pairs = token_pairs("meteor", hypotheses, references)
    java = require_java("meteor")
    module = require("meteor", "pycocoevalcap.meteor.meteor")
    folder = Path(module.__file__ or "").parent
    with TemporaryDirectory() as made:
        files = [Path(made, name) for name in ("hypotheses", "references")]
        for file, side in zip(files, zip(*pairs, strict=True), strict=True):
            text = "".join(" ".join(tokens) + "\n" for tokens in side)
            file.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        ran = subprocess.run(
            [java, "-Xmx2G", "-jar", module.METEOR_JAR, *files, "-l", "en", "-norm"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    final = _FINAL.search(ran.stdout)
    if ran.returncode or final is None:
        said = (ran.stderr or ran.stdout).strip().splitlines()[-1:]
        raise ImportError(
            f"meteor: {java} must run METEOR to its end, but stopped with code {ran.returncode}"
            f"{': ' if said else ''}{''.join(said)}. See that `java -version` works, or leave "
            "METEOR out: no other metric needs Java."
        )
    return float(final[1])
