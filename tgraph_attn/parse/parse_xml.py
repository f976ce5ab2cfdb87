"""A tree from XML."""

from typing import NoReturn
from xml.parsers import expat

from tgraph_attn.parse.parse_error import ParseError
from tgraph_attn.tree import Tree


def parse_xml(source: str | bytes) -> Tree:
    """Return the tree of an XML document.

    | what | becomes |
    |---|---|
    | element | a node with its name as kind, over its attributes, texts and elements |
    | attribute | a leaf of kind "@name", with the value as text |
    | text | a leaf of kind "#text", wherever it stands between elements |

    Text of spaces alone, comments and processing instructions are left out; text on both sides of
    them is one leaf. Names keep their prefix. Elements may be as deep as memory allows.

    Args:
        source: The document. Bytes are decoded as it says itself; in a str that is ignored.

    Raises:
        ParseError: The document is not well-formed, or declares an entity, which could make it
            grow without end, or read files.
        TypeError: It is neither str nor bytes.

    Examples:
        >>> from tgraph_attn.parse import parse_xml
        >>> print(parse_xml('<p class="a">one<b>two</b>three<!-- not this --></p>'))
        p
          @class 'a'
          #text 'one'
          b
            #text 'two'
          #text 'three'
    """
    if not isinstance(source, str | bytes | bytearray | memoryview):
        raise TypeError(
            f"parse_xml: source must be str or bytes, but got {type(source).__name__}. "
            "Pass the text itself, such as Path(name).read_bytes()."
        )
    parent: list[int] = []
    kind: list[str] = []
    text: list[str | None] = []
    path = [-1]
    pieces: list[str] = []  # of the text since the last tag

    def add(what: str, words: str | None) -> None:
        parent.append(path[-1])
        kind.append(what)
        text.append(words)

    def add_text() -> None:
        words = "".join(pieces)
        pieces.clear()
        if words.strip():
            add("#text", words)

    def start(name: str, attributes: dict[str, str]) -> None:
        add_text()
        add(name, None)
        path.append(len(parent) - 1)
        for attribute, value in attributes.items():
            add(f"@{attribute}", value)

    def end(name: str) -> None:
        add_text()
        path.pop()

    def refuse_entity(name: str, *_: object) -> NoReturn:
        raise ParseError(
            f"parse_xml: a document must not use entities of its own, but has {name!r}. Write out "
            "what it stands for",
            parser.CurrentLineNumber,
            parser.CurrentColumnNumber + 1,
        )

    parser = expat.ParserCreate("utf-8" if isinstance(source, str) else None)
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    parser.EntityDeclHandler = refuse_entity
    parser.SkippedEntityHandler = refuse_entity
    if isinstance(source, str):
        data = source.removeprefix("\ufeff").encode("utf-8", "surrogatepass")
    else:
        data = bytes(source)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ParseError(
            f"parse_xml: the document must be well-formed, but {expat.ErrorString(error.code)}. "
            "Correct it",
            error.lineno,
            error.offset + 1,
        ) from None
    except ParseError:
        raise
    except (LookupError, ValueError) as error:
        raise ParseError(
            f"parse_xml: the encoding must be one that the parser knows, but: {error}. Decode the "
            "document, and pass it as str",
            1,
            1,
        ) from None
    return Tree(parent, kind, text)
