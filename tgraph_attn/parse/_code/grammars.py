"""Which grammar a language's name stands for, and the parser made of it."""

import threading
from functools import cache
from importlib import metadata

import tree_sitter
from tree_sitter import Language, Parser

from tgraph_attn._optional import require

# name: the package, its function, and the suffixes of its files
_GRAMMARS = {
    "python": ("tree_sitter_python", "language", (".py", ".pyi", ".pyw")),
    "java": ("tree_sitter_java", "language", (".java",)),
    "c": ("tree_sitter_c", "language", (".c", ".h")),
    "cpp": ("tree_sitter_cpp", "language", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx")),
    "javascript": ("tree_sitter_javascript", "language", (".js", ".mjs", ".cjs", ".jsx")),
    "typescript": ("tree_sitter_typescript", "language_typescript", (".ts", ".mts", ".cts")),
    "tsx": ("tree_sitter_typescript", "language_tsx", (".tsx",)),
    "go": ("tree_sitter_go", "language", (".go",)),
    "rust": ("tree_sitter_rust", "language", (".rs",)),
}
_ALIASES = {
    "py": "python",
    "python3": "python",
    "c++": "cpp",
    "cxx": "cpp",
    "js": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "golang": "go",
    "rs": "rust",
}
LANGUAGES = tuple(sorted(_GRAMMARS))
_parsers = threading.local()


def language_of_suffix(suffix: str) -> str | None:
    """Return the name of the language of files that end so (".py"), or None."""
    for name, (_, _, suffixes) in _GRAMMARS.items():
        if suffix.lower() in suffixes:
            return name
    return None


def language_name(language: str) -> str | None:
    """Return the name that a name or an alias, in any case, stands for, or None."""
    name = language.lower()
    name = _ALIASES.get(name, name)
    return name if name in _GRAMMARS else None


def grammar_version(name: str) -> str:
    """Return the package of a language's grammar and its version, "tree-sitter-java 0.23.5"."""
    wheel = _GRAMMARS[name][0].replace("_", "-")
    return f"{wheel} {metadata.version(wheel)}"


def get_language(language: str | Language) -> Language:
    """Return the grammar for a name or an alias, in any case; a Language is returned as it is.

    Raises:
        ValueError: No such language is known, or its grammar does not fit tree-sitter.
        TypeError: It is neither a name nor a Language.
        ImportError: The grammar's package is not installed.
    """
    if isinstance(language, Language):
        return language
    if not isinstance(language, str):
        raise TypeError(
            "parse_code: language must be a name or a tree_sitter.Language, but got "
            f"{type(language).__name__}. Wrap a grammar: tree_sitter.Language(package.language())."
        )
    name = language_name(language)
    if name is None:
        raise ValueError(
            f"parse_code: language must be one of {list(LANGUAGES)}, but got {language!r}. "
            "For another one, pass its tree_sitter.Language."
        )
    return _load(name)


@cache
def _load(name: str) -> Language:
    package, function, _ = _GRAMMARS[name]
    grammar = require(f'parse_code: language="{name}"', package)
    try:
        return Language(getattr(grammar, function)())
    except ValueError as error:
        ours, wheel = metadata.version("tree-sitter"), package.replace("_", "-")
        raise ValueError(
            f"parse_code: tree-sitter {ours} must be able to read the grammar {wheel} "
            f"{metadata.version(wheel)}, from ABI {tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION} to "
            f"{tree_sitter.LANGUAGE_VERSION}, but says: {error}. "
            f"pip install --upgrade tree-sitter {wheel}."
        ) from error


def get_parser(language: Language) -> Parser:
    """Return this thread's parser for a language."""
    parsers: dict[Language, Parser] | None = getattr(_parsers, "of", None)
    if parsers is None:
        parsers = _parsers.of = {}
    parser = parsers.get(language)
    if parser is None:
        parser = parsers[language] = Parser(language)
    return parser
