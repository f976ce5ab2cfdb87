"""Data sets, whose items are trees or texts, and the word vectors to start from."""

from tgraph_attn.datasets.stdlib_functions import StdlibFunctions
from tgraph_attn.datasets.code_summaries import CodeSummaries
from tgraph_attn.datasets.read_functions import read_functions
from tgraph_attn.datasets.poj104 import POJ104
from tgraph_attn.datasets.program_tree import program_tree
from tgraph_attn.datasets.write_toy_programs import write_toy_programs
from tgraph_attn.datasets.text_corpus import TextCorpus
from tgraph_attn.datasets.load_vectors import load_vectors
from tgraph_attn.datasets.word_vectors import WordVectors

__all__ = [
    "StdlibFunctions",
    "CodeSummaries",
    "read_functions",
    "POJ104",
    "program_tree",
    "write_toy_programs",
    "TextCorpus",
    "load_vectors",
    "WordVectors",
]
