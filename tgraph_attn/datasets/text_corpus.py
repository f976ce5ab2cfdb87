"""Texts with classes, each as a graph of its words."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch_geometric.data import Data
from torch_geometric.data.dataset import IndexType
from tqdm import tqdm

import tgraph_attn
from tgraph_attn._checks import check_choice, check_positive, check_sizes, check_type
from tgraph_attn.convert.text_to_data import FIRST_WORD_ID
from tgraph_attn.datasets._check_same_keys import check_same_keys
from tgraph_attn.datasets._processed import (
    KeptDataset,
    check_marks,
    check_repr,
    filled_whole,
    read_json,
    reading,
    write_json,
)
from tgraph_attn.datasets._text.check_splits import (
    check_heads,
    check_letters,
    check_splits,
    check_words,
)
from tgraph_attn.datasets._text.corpus_source import STDLIB, find_source
from tgraph_attn.datasets._text.count_words import WordCount, count_words
from tgraph_attn.datasets._text.documents import SPLITS, Document
from tgraph_attn.datasets._text.read_published import check_counts
from tgraph_attn.datasets._text.stop_words import LIST
from tgraph_attn.datasets._text.stop_words import stop_words as read_stop_words
from tgraph_attn.parse.clean_text import clean_text
from tgraph_attn.relations.word_statistics import WordStatistics
from tgraph_attn.transforms.document_graph import RELATIONS, DocumentGraph


class TextCorpus(KeptDataset):
    r"""The documents of a corpus, each with its class, as graphs of words with weighted edges.

    One graph is one document: a node for each different word, in the order of their first places,
    and last one for the document itself (`text_to_data`). The words are cleaned and filtered as
    Text-GCN does it; each of its quirks has a switch here. Words that are filtered out leave no
    gap. A document that loses every word keeps its document node and its class.

    Args:
        root: A folder: `raw/` in it holds the published files, which are fetched if they are not
            there; beside it is one sub-folder for each setting.
        name: "R8", "R52" or "Ohsumed", as published; "stdlib", the docstrings of Python's standard
            library, with eight groups of its packages as classes; or the path of a folder of your
            own, with `train` and `test`, each as `.txt` (`label<TAB>text` lines), `.csv` (columns
            label and text) or `.jsonl` (objects with label and text; or with tokens, the words,
            which are put in lower case, and heads, the place of each word's head).
        split: "train" or "test".
        transform: Applied each time a graph is read.
        pre_transform: Applied once, before the graphs are kept. Its repr must say its settings.
        relations: The edges of each graph: any of "pmi", "tfidf", "neighbour", "full" and, for a
            folder of your own with heads, "dependency" (see `DocumentGraph`).
        nodes: "words", one node for each different word, or "tokens", one for each word.
        statistics: What vocabulary, PMI and TF-IDF are counted on: "transductive", train and test,
            as the literature does, or "inductive", train alone.
        min_count: How often a word must come in the texts that are counted; stop words are taken
            out afterwards.
        stop_words: Whether NLTK's 179 English stop words are taken out.
        window: How many words are near each other, for PMI.
        legacy_counts: Count pairs of places for PMI, as Text-GCN's code does; see `WordStatistics`.
        legacy_backslashes: Name three signs as Text-GCN's code does; see `clean_text`.
        neighbours: How far apart the words of a "neighbour" edge may be.
        encoding: That of the files of a folder of your own.
        log: Show the progress.

    Shapes:
        - **x**, **token_index**, **document_index**: as `text_to_data`; ids of `graph.vocab`
        - **y**: `[1]` int64, the place of the document's class in `classes`
        - the edges of each relation, as `DocumentGraph`

    Attributes:
        classes: The names of the classes, sorted.
        graph: The `DocumentGraph` that made the graphs, and makes the same of any other text.
        texts: The raw text of each document of this split, in the order of the graphs.
        report: What was found, kept and left out, and the settings.

    Raises:
        ValueError: An option is unknown; a file is not the published one, or is in another form or
            encoding; there is one class only, or one that is only in test; no word of train is
            kept, or most of its letters are not ASCII; a published corpus has other counts;
            pre_transform does not write the same attributes for each graph; or what was made
            before is damaged.
        TypeError: An option is of another type.
        FileNotFoundError: name is a folder without train or test.
        ConnectionError: A published file is not there and cannot be fetched.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from tgraph_attn.datasets import TextCorpus
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "train.txt").write_text("oil\tOil is up\ngold\tGold is down")
        >>> _ = (folder / "test.txt").write_text("gold\tIs gold or silver up?")
        >>> test = TextCorpus(folder / "data", folder, "test", min_count=1, log=False)
        >>> test.classes, test[0].y, test.graph.vocab.decode(test[0].x)
        (['gold', 'oil'], tensor([0]), ['gold', 'silver', '\\?', '<document>'])

    Source:
        Text-GCN (Yao et al., AAAI 2019) for the corpora and their filters. Card:
        `datasets/text_corpora/README.md`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        name: str | os.PathLike[str] = STDLIB,
        split: str = "train",
        *,
        transform: Callable[[Data], Data] | None = None,
        pre_transform: Callable[[Data], Data] | None = None,
        relations: Sequence[str] = ("pmi", "tfidf"),
        nodes: str = "words",
        statistics: str = "transductive",
        min_count: int = 5,
        stop_words: bool = True,
        window: int = 20,
        legacy_counts: bool = False,
        legacy_backslashes: bool = True,
        neighbours: int = 3,
        encoding: str = "utf-8",
        log: bool = True,
    ) -> None:
        check_choice("TextCorpus", "split", split, SPLITS)
        check_choice("TextCorpus", "nodes", nodes, ("words", "tokens"))
        check_choice("TextCorpus", "statistics", statistics, ("transductive", "inductive"))
        check_type("TextCorpus", "relations", relations, (list, tuple), "Pass a list of names.")
        for relation in relations:
            check_choice("TextCorpus", "each relation", relation, RELATIONS)
        check_positive("TextCorpus", min_count=min_count, window=window, neighbours=neighbours)
        check_repr("TextCorpus", pre_transform)
        self._source = find_source(Path(root), name, encoding, progress=log)
        self._progress = log
        self.settings = {
            "name": self._source.name,
            "source": self._source.identity,
            "relations": list(relations),
            "nodes": nodes,
            "statistics": statistics,
            "min_count": min_count,
            "stop_words": LIST if stop_words else None,
            "window": window,
            "legacy_counts": legacy_counts,
            "legacy_backslashes": legacy_backslashes,
            "neighbours": neighbours,
            "pre_transform": repr(pre_transform),
            "tgraph_attn": tgraph_attn.__version__,
        }
        check_marks("TextCorpus", root, self.settings)
        super().__init__(os.fspath(root), transform, pre_transform, log=False)
        made = self.processed_dir
        with reading("TextCorpus", made):
            self.report: dict[str, Any] = read_json(made, "report.json")
            self.classes: list[str] = self.report["classes"]
            self._texts: list[str] = read_json(made, f"texts-{split}.json")
            self.graph = DocumentGraph.load(made)
            self.load(os.path.join(made, f"{split}.pt"))
            want = {"documents": self.len()}
            check_sizes("TextCorpus", "texts", {"documents": len(self._texts)}, want)

    @property
    def texts(self) -> list[str]:
        """The raw text of each document, in the order of the graphs, also of some of them."""
        if self._indices is None:
            return self._texts
        return [self._texts[index] for index in self._indices]

    def copy(self, idx: IndexType | None = None) -> Self:
        """Return a copy of all graphs, or of those at some indices, with their texts."""
        copied: Self = super().copy(idx)
        copied._texts = list(self.texts if idx is None else self.index_select(idx).texts)
        return copied

    @property
    def num_classes(self) -> int:
        """How many classes there are, also if this split lacks some."""
        return len(self.classes)

    @property
    def raw_dir(self) -> str:
        """The folder of the files that the documents are in."""
        return str(self._source.folder)

    def process(self) -> None:
        """Turn each document into one Data, and keep those of each split in one file."""
        documents, dropped = self._source.read()
        classes = check_splits(documents, self.raw_dir)
        with_heads = check_heads(documents, self.settings["relations"])
        words = {split: [self._words(d) for d in documents[split]] for split in SPLITS}
        counted = SPLITS[: 2 if self.settings["statistics"] == "transductive" else 1]
        count = count_words(
            words,
            counted=counted,
            min_count=self.settings["min_count"],
            stop=read_stop_words() if self.settings["stop_words"] else frozenset(),
        )
        check_words(count, self.raw_dir, self.settings["min_count"])
        check_letters(documents["train"], self.raw_dir)
        self._check_words(count)
        graph = self._graph(count, [text for split in counted for text in words[split]])
        with filled_whole(self.root, self.settings) as made:
            graph.save(made)
            for split in SPLITS:
                pairs = list(zip(words[split], documents[split], strict=True))
                bar = tqdm(pairs, f"Converting {split}", unit=" texts", disable=not self._progress)
                items = []
                for text, document in bar:
                    data = graph(text, document.heads if with_heads else None)
                    data.y = torch.tensor([classes.index(document.label)])
                    items.append(data if self.pre_transform is None else self.pre_transform(data))
                check_same_keys("TextCorpus", items)
                self.save(items, os.path.join(made, f"{split}.pt"))
                write_json(made, f"texts-{split}.json", [item.text for item in documents[split]])
            report = {"classes": classes, "words": count.words, "dropped": dropped}
            for split in SPLITS:
                labels = Counter(document.label for document in documents[split])
                report[split] = count.splits[split] | {"classes": dict(sorted(labels.items()))}
            write_json(made, "report.json", report | {"settings": self.settings})

    def _words(self, document: Document) -> list[str]:
        if document.tokens is not None:
            return [token.lower() for token in document.tokens]
        legacy = self.settings["legacy_backslashes"]
        return clean_text(document.text, legacy_backslashes=legacy)

    def _check_words(self, count: WordCount) -> None:
        """Raise unless the filters that are published leave the words that are published."""
        settings, expected = self.settings, self._source.num_words
        published = ("transductive", 5, LIST)
        filters = tuple(settings[name] for name in ("statistics", "min_count", "stop_words"))
        if expected is not None and filters == published:
            found = {"words in the vocabulary": count.words["kept"]}
            check_counts(settings["name"], found, {"words in the vocabulary": expected})

    def _graph(self, count: WordCount, texts: list[list[str]]) -> DocumentGraph:
        """Return what makes a graph of each text, with the statistics of all the texts."""
        settings, vocab = self.settings, count.vocab
        ids = [np.array(vocab.encode(text), np.int64) for text in texts]
        statistics = WordStatistics.count(
            [text[text >= FIRST_WORD_ID] for text in ids],
            len(vocab),
            window=settings["window"],
            legacy_counts=settings["legacy_counts"],
        )
        return DocumentGraph(
            vocab,
            statistics,
            relations=settings["relations"],
            nodes=settings["nodes"],
            neighbours=settings["neighbours"],
            cleaning={"legacy_backslashes": settings["legacy_backslashes"]},
        )
