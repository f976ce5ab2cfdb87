"""A raw text as the graph that a model of texts reads."""

import inspect
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike
from torch_geometric.data import Data

from tgraph_attn._checks import check_choice, check_names, check_positive, check_type
from tgraph_attn._files import sha256_of, whole_file
from tgraph_attn._optional import require
from tgraph_attn.convert.add_pieces import add_pieces
from tgraph_attn.convert.text_to_data import check_document_vocab, text_to_data
from tgraph_attn.parse.clean_text import clean_text
from tgraph_attn.relations.word_statistics import WordStatistics
from tgraph_attn.transforms.add_dependency_edges import AddDependencyEdges
from tgraph_attn.transforms.add_full_edges import AddFullEdges
from tgraph_attn.transforms.add_neighbour_edges import AddNeighbourEdges
from tgraph_attn.transforms.add_pmi_edges import AddPMIEdges
from tgraph_attn.transforms.add_tfidf_edges import AddTFIDFEdges
from tgraph_attn.vocab import Vocab

if TYPE_CHECKING:
    from tokenizers import Tokenizer

RELATIONS = ("pmi", "tfidf", "neighbour", "full", "dependency")
_FORMAT = "tgraph_attn.DocumentGraph 1"
_GRAPH, _VOCAB, _STATISTICS = "graph.json", "vocab.json", "statistics.npz"
_TOKENIZER = "tokenizer.json"
_SWITCHES = {
    name: parameter.default
    for name, parameter in inspect.signature(clean_text).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY
}


class DocumentGraph:
    """Turns raw texts into graphs, always in the same way: as those of a corpus were, say.

    A text is cleaned, its words become nodes (`text_to_data`), and the relations are added (by the
    transforms `AddPMIEdges`, ...). Words that are not in the vocabulary are dropped; a text without
    any is a lone document node.

    Args:
        vocab: The numbering of words, in which `"<document>"` has id 2.
        statistics: The counts over a corpus, numbered by the same vocabulary; the relations "pmi"
            and "tfidf" need them.
        relations: Any of "pmi", "tfidf", "neighbour", "full" and "dependency".
        nodes: "words" for one node for each different word, "tokens" for one for each word.
        neighbours: How many positions the relation "neighbour" reaches.
        cleaning: The switches of `clean_text`, such as `{"legacy_backslashes": False}`.
        tokenizer: The tokenizer of a pre-trained model, of Hugging Face's `tokenizers`, whose
            pieces a graph then has too (`add_pieces`); None for none.
        max_pieces: How many of them a text has at most, with those that the tokenizer adds.

    Raises:
        ValueError: The vocabulary has no `"<document>"`, a relation or switch is not one of these,
            there are no statistics, but relations that need them, or statistics of another number
            of words, or max_pieces has no room for a piece beside those that the tokenizer adds.
        TypeError: vocab is no `Vocab`, or statistics are no `WordStatistics`.

    Examples:
        >>> from tgraph_attn.relations import WordStatistics
        >>> from tgraph_attn.transforms import DocumentGraph
        >>> from tgraph_attn.vocab import Vocab
        >>> vocab = Vocab.build(["oil", "price"], specials=["<document>"])
        >>> statistics = WordStatistics.count([[3, 4], [3, 4], []], num_words=5)
        >>> graph = DocumentGraph(vocab, statistics)
        >>> data = graph("Oil: the PRICE of oil!")
        >>> vocab.decode(data.x), data.token_index.tolist()
        (['oil', 'price', '<document>'], [0, 1, 0])
        >>> data.pmi_edge_index.tolist(), data.tfidf_edge_index.tolist()
        ([[0, 1, 0, 1, 2], [0, 0, 1, 1, 2]], [[2, 2, 0, 1], [0, 1, 2, 2]])
        >>> graph("").num_nodes
        1
    """

    def __init__(
        self,
        vocab: Vocab,
        statistics: WordStatistics | None = None,
        *,
        relations: Iterable[str] = ("pmi", "tfidf"),
        nodes: str = "words",
        neighbours: int = 3,
        cleaning: Mapping[str, bool] | None = None,
        tokenizer: "Tokenizer | None" = None,
        max_pieces: int = 256,
    ) -> None:
        check_document_vocab("DocumentGraph", vocab)
        check_choice("DocumentGraph", "nodes", nodes, ("words", "tokens"))
        check_positive("DocumentGraph", neighbours=neighbours, max_pieces=max_pieces)
        if isinstance(relations, str):
            raise TypeError(
                f"DocumentGraph: relations must be a list of names, but got the str {relations!r}. "
                f"Pass [{relations!r}]."
            )
        self.vocab, self.statistics = vocab, statistics
        self.relations, self.nodes, self.neighbours = tuple(relations), nodes, neighbours
        self.cleaning = {**_SWITCHES, **(cleaning or {})}
        hint = "These are the switches of clean_text."
        check_names("DocumentGraph", "cleaning", self.cleaning, _SWITCHES, hint)
        for name in self.relations:
            check_choice("DocumentGraph", "each relation", name, RELATIONS)
        _check_statistics(statistics, vocab, self.relations)
        self.max_pieces = max_pieces
        self.tokenizer = None if tokenizer is None else _without_padding(tokenizer, max_pieces)
        self._transforms = [self._transform(name) for name in self.relations]

    @property
    def settings(self) -> dict[str, Any]:
        """What the graphs depend on beside vocabulary and statistics, as JSON takes it."""
        return {
            "relations": list(self.relations),
            "nodes": self.nodes,
            "neighbours": self.neighbours,
            "cleaning": dict(self.cleaning),
            "max_pieces": self.max_pieces,
        }

    def __call__(
        self, text: str | list[str] | tuple[str, ...], heads: ArrayLike | None = None
    ) -> Data:
        """Return the graph of a text.

        Args:
            text: A raw text, or a list or tuple of its words if they are cleaned already.
            heads: The place of each word's head, its own for a root, if text is words. The relation
                "dependency" needs them.

        Shapes:
            - What `text_to_data` writes, and **<relation>_edge_index** with
              **<relation>_edge_weight** for pmi and tfidf, **<relation>_edge_type** for neighbour
              and dependency; **full** for full; **piece** and **piece_index** with a tokenizer.

        Raises:
            ValueError: heads are missing, or given for a raw text, or no heads of these words.
            TypeError: text is neither a str nor a list or tuple of str.
        """
        _check_text(text)
        if isinstance(text, str):
            if heads is not None:
                raise ValueError(
                    "DocumentGraph: heads must be those of the words given, but text is one str, "
                    "which is still to be cleaned. Pass a list of words, with heads for them."
                )
            text = clean_text(text, **self.cleaning)
        if heads is None and "dependency" in self.relations:
            if len(text) > 0:
                raise ValueError(
                    "DocumentGraph: heads must be given for the relation 'dependency', but are "
                    "None. Pass a list of words, and the place of each one's head."
                )
            heads = []
        data = text_to_data(text, self.vocab, nodes=self.nodes, heads=heads)
        for transform in self._transforms:
            data = transform(data)
        if self.tokenizer is not None:
            data = add_pieces(data, text, self.vocab, self.tokenizer)
        return data

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write `graph.json`, `vocab.json` and, if there are any, statistics and tokenizer.

        `graph.json` is written last and holds the SHA-256 of the others, so that a folder of which
        one file is of another save is never loaded.

        Args:
            folder: Where to; made if it is not there. Other files in it stay.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        self.vocab.save(target / _VOCAB)
        files = [_VOCAB]
        if self.statistics is not None:
            self.statistics.save(target / _STATISTICS)
            files.append(_STATISTICS)
        if self.tokenizer is not None:
            (target / _TOKENIZER).write_text(self.tokenizer.to_str(), encoding="utf-8")
            files.append(_TOKENIZER)
        content = {
            "format": _FORMAT,
            "settings": self.settings,
            "sha256": {name: sha256_of(target / name) for name in files},
        }
        with whole_file("DocumentGraph.save", target / _GRAPH) as file:
            file.write(json.dumps(content, indent=1).encode())

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: There is no such folder.
            ValueError: The folder holds something else, or not the whole of one save.
        """
        source = Path(folder)
        if not source.is_dir():
            raise FileNotFoundError(
                f"DocumentGraph.load: {source} must be the folder of a saved graph, but is not "
                "there. Write one with graph.save(folder)."
            )
        try:
            content = json.loads((source / _GRAPH).read_text(encoding="utf-8"))
            if content["format"] != _FORMAT:
                raise ValueError(f"its format is {content['format']}")
            for name in (_VOCAB, *content["sha256"]):
                if sha256_of(source / name) != content["sha256"][name]:
                    raise ValueError(f"{_GRAPH} belongs to another {name}")
            vocab, statistics, tokenizer = Vocab.load(source / _VOCAB), None, None
            if _STATISTICS in content["sha256"]:
                statistics = WordStatistics.load(source / _STATISTICS)
            if _TOKENIZER in content["sha256"]:
                tokenizers = require("DocumentGraph.load", "tokenizers")
                tokenizer = tokenizers.Tokenizer.from_file(str(source / _TOKENIZER))
            return cls(vocab, statistics, tokenizer=tokenizer, **content["settings"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"DocumentGraph.load: {source} must hold what DocumentGraph.save wrote, but does "
                f"not ({type(error).__name__}: {error}). Save the graph again."
            ) from error

    def _transform(self, name: str) -> Callable[[Data], Data]:
        if name in ("pmi", "tfidf") and self.statistics is not None:
            kind = AddPMIEdges if name == "pmi" else AddTFIDFEdges
            return kind(self.statistics)
        if name == "neighbour":
            return AddNeighbourEdges(self.neighbours)
        return AddFullEdges() if name == "full" else AddDependencyEdges()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DocumentGraph):
            return NotImplemented
        mine, theirs = (
            (one.vocab, one.statistics, one.settings, one.tokenizer and one.tokenizer.to_str())
            for one in (self, other)
        )
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"{type(self).__name__}({self.vocab}, {self.statistics}, {settings})"


def _check_text(text: str | list[str] | tuple[str, ...]) -> None:
    hint = "Pass one raw text, decoded if it is bytes, or a list of its words."
    check_type("DocumentGraph", "text", text, (str, list, tuple), hint)
    if isinstance(text, str):
        return
    for kind in set(map(type, text)):
        if not issubclass(kind, str):
            raise TypeError(
                f"DocumentGraph: a list of words must hold str, but holds {kind.__name__}. {hint}"
            )


def _check_statistics(
    statistics: WordStatistics | None, vocab: Vocab, relations: tuple[str, ...]
) -> None:
    needy = [name for name in relations if name in ("pmi", "tfidf")]
    if statistics is None:
        if needy:
            raise ValueError(
                f"DocumentGraph: statistics must be given for the relations {needy}, but are None. "
                "Make them with WordStatistics.count(documents, len(vocab))."
            )
        return
    hint = "Make them with WordStatistics.count(documents, len(vocab))."
    check_type("DocumentGraph", "statistics", statistics, WordStatistics, hint)
    if statistics.num_words != len(vocab):
        raise ValueError(
            f"DocumentGraph: statistics must be of the {len(vocab)} words of the vocabulary, but "
            f"are of {statistics.num_words}. {hint}"
        )


def _without_padding(tokenizer: "Tokenizer", max_pieces: int) -> "Tokenizer":
    """Return a copy that cuts texts at so many pieces, and pads none."""
    added = tokenizer.num_special_tokens_to_add(False)
    if max_pieces <= added:
        raise ValueError(
            f"DocumentGraph: max_pieces must be at least {added + 1}, the {added} that the "
            f"tokenizer adds to each text and one of its own, but got {max_pieces}. Pass more."
        )
    copied = type(tokenizer).from_str(tokenizer.to_str())
    copied.no_padding()
    copied.enable_truncation(max_pieces)
    return copied
