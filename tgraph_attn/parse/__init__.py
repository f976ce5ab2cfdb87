"""From source text and other nested data to a `Tree`."""

from tgraph_attn.parse.parse_code import parse_code
from tgraph_attn.parse.add_subtokens import add_subtokens
from tgraph_attn.parse.split_identifier import split_identifier
from tgraph_attn.parse.parse_nested import parse_nested
from tgraph_attn.parse.parse_json import parse_json
from tgraph_attn.parse.parse_xml import parse_xml
from tgraph_attn.parse.from_networkx import from_networkx
from tgraph_attn.parse.from_heads import from_heads
from tgraph_attn.parse.clean_text import clean_text
from tgraph_attn.parse.parse_error import ParseError

__all__ = [
    "parse_code",
    "add_subtokens",
    "split_identifier",
    "parse_nested",
    "parse_json",
    "parse_xml",
    "from_networkx",
    "from_heads",
    "clean_text",
    "ParseError",
]
