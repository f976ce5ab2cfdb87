"""Functions and what their comments say of them."""

import os
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import torch
from torch_geometric.data import Data

import tgraph_attn
from tgraph_attn._checks import (
    check_choice,
    check_not_negative,
    check_positive,
    check_sizes,
    check_type,
)
from tgraph_attn.convert.tree_to_data import tree_to_data
from tgraph_attn.datasets._check_same_keys import check_same_keys
from tgraph_attn.datasets._functions.encode_target import BOS, EOS, encode_target
from tgraph_attn.datasets._functions.split_files import SPLITS
from tgraph_attn.datasets._pairs.pair_source import find_pair_source
from tgraph_attn.datasets._processed import (
    KeptDataset,
    check_marks,
    check_repr,
    filled_whole,
    read_json,
    reading,
    write_json,
)
from tgraph_attn.datasets._summaries.collect_examples import collect_examples
from tgraph_attn.datasets._summaries.example_of import FunctionExample, example_of
from tgraph_attn.datasets._summaries.summary_words import summary_words
from tgraph_attn.parse._code.grammars import grammar_version
from tgraph_attn.vocab import Vocab

_CHOICES = {
    "split": SPLITS,
    "form": ("tree", "code", "brackets", "paths"),
    "reverse_root": ("truncated", "always", "never"),
    "errors": ("keep", "drop"),
    "without_path": ("keep", "drop"),
    "subtokens": ("children", "chain", "off"),
    "strings": ("drop", "keep"),
    "numbers": ("keep", "drop", "mark"),
}
_ABSENT = "there is no file for it"


class CodeSummaries(KeptDataset):
    r"""Functions, each with the summary that its comment gives, as syntax trees or sequences.

    Args:
        root: A folder: `raw/` in it holds the published files, which are fetched if they are not
            there and have a pinned address; beside it is one sub-folder for each setting.
        name: "tl_codesum", Java methods and their comments, as tokens; "code_docstring", Python
            functions and their docstrings; or a path of your own: a folder with `train.jsonl`,
            `val.jsonl` and `test.jsonl` (objects with `code` and `docstring`, as CodeSearchNet's);
            one such file, whose functions are dealt out by their code; or a folder with files of
            Python or Java, which are dealt out by their names. Hidden folders in it, and those of
            tests and of installed packages, are left out.
        split: "train", "val" or "test".
        language: That of a path of your own, as `parse_code` names it.
        parts: Which part of a published corpus each split is; for example
            `{"train": "valid", "test": "test"}` where the large one is not at hand. By default
            train, valid and test.
        form: A function is its "tree"; the tokens of its "code"; its tree with "brackets" (SBT,
            `bracket_tokens`); or some of the "paths" of its tree in a row (PD, `path_contexts`:
            up to 8 nodes, arms that differ by up to 2; each as "<path>", up to 5 words of one leaf,
            the labels of its nodes, and up to 5 words of the other leaf).
        comment: Its words are "tokens", as they stand there; or follow the "rules" of AST-Trans, of
            `comment_words`; or those rules with other values, such as `{"first_sentence": False}`.
            By default tokens for "tl_codesum" and else rules. One rule more, "first_paragraph",
            comes before them, and is on for a path of your own alone: what is behind an empty line
            is left out.
        max_nodes: A greater tree, or longer sequence, is cut to its first nodes. Of paths, whole
            ones are drawn, up to 150, while there is room for them.
        max_target: How many words a summary has at most, with the one that ends it: 29 and
            "<eos>". AST-Trans has 28, which is 29 here.
        min_count: How often a word must come in the training split to be in a vocabulary.
        reverse_root: Whether the children of a function's root are turned round, in its tree or
            between brackets, if it is "truncated", "always", or "never" (`cut_tree`).
        subtokens: "children", "chain" or "off", as `parse_code` has it. In code, "off" leaves names
            in one piece; for paths it says nothing.
        strings: "drop" or "keep" the text of strings, each in one piece.
        numbers: "keep" or "drop" the text of numbers, or "mark" each: "NUM", as published paths do.
        errors: "keep" functions with syntax errors, or "drop" them.
        without_path: "keep" functions without such a path, which are "<path>" alone in that form,
            or "drop" them, the same ones in each form, as the authors of AST-Trans do.
        deduplicate: Leave out what val and test have of train: functions with the same tree and the
            same names, whatever their decorators, strings, comments and layout; the same ones in
            each form.
        split_seed: Another number deals files, or functions, of your own out in another way.
        path_seed: Another number draws other paths.
        transform: Applied each time a graph is read.
        pre_transform: Applied once, before the graphs are kept. Its repr must say its settings.
        log: Show the progress.

    Shapes:
        - **x**: `[N]` int64, ids of `source_vocab`
        - **parent_index**: `[N]` int64, for the form "tree" alone; the root is its own parent
        - **y**: `[1, max_target]` int64, ids of `target_vocab`: the words, "<eos>", then 0
        - **target**: str, all the words, with a space between them
        - **origin**: str, where the function is, such as "util/Lists.java:12"

    Attributes:
        source_vocab: The labels, or tokens, of the training split.
        target_vocab: The words of its summaries; "<bos>" and "<eos>" come first.
        report: For each split what was found, kept, and left out and why; how many functions have
            syntax errors, are cut, come twice in it, or come in an earlier split too; and how many
            files of source have syntax errors, in which functions may not have been found.

    Raises:
        ValueError: An option or the language is unknown, or a number is below 1; name is neither a
            corpus nor a path of yours that is there; a file is not the published one, or is in
            another form or encoding; there is no example in this split; pre_transform does not
            write the same attributes for each graph; or what was made before is damaged.
        TypeError: An option is of another type, or language is missing for a path of your own.
        FileNotFoundError: A part of a published corpus has no pinned address and is not there.
        ConnectionError: A published file is not there and cannot be fetched.
        ImportError: The grammar of the language is not installed.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from tgraph_attn.datasets import CodeSummaries
        >>> folder = Path(tempfile.mkdtemp())
        >>> code = 'def area(a):\n    "Square it."\n    return a * a'
        >>> _ = (folder / "area.py").write_text(code)
        >>> data = CodeSummaries(folder / "data", folder, language="python", log=False)
        >>> data[0].target, data[0].origin, data.source_vocab.decode(data[0].x[:1])
        ('square it', 'area.py:1', ['function_definition'])

    Source:
        "tl_codesum": Hu et al. (IJCAI 2018); "code_docstring": Barone and Sennrich (2017); the
        steps from a function to its tree: AST-Trans (Tang et al., ICSE 2022). Card:
        `datasets/code_summaries/README.md`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        name: str | os.PathLike[str],
        split: str = "train",
        *,
        language: str | None = None,
        parts: Mapping[str, str] | None = None,
        form: str = "tree",
        comment: str | Mapping[str, Any] | None = None,
        max_nodes: int = 200,
        max_target: int = 30,
        min_count: int = 1,
        reverse_root: str = "truncated",
        subtokens: str = "children",
        strings: str = "drop",
        numbers: str = "keep",
        errors: str = "keep",
        without_path: str = "keep",
        deduplicate: bool = False,
        split_seed: int = 0,
        path_seed: int = 0,
        transform: Callable[[Data], Data] | None = None,
        pre_transform: Callable[[Data], Data] | None = None,
        log: bool = True,
    ) -> None:
        owner = "CodeSummaries"
        choices = {"split": split, "form": form, "reverse_root": reverse_root, "errors": errors}
        choices |= {"subtokens": subtokens, "strings": strings, "numbers": numbers}
        choices["without_path"] = without_path
        for option, choice in choices.items():
            check_choice(owner, option, choice, _CHOICES[option])
        check_type(owner, "deduplicate", deduplicate, bool, "Pass True or False.")
        sizes = {"max_nodes": max_nodes, "max_target": max_target, "min_count": min_count}
        check_positive(owner, **sizes)
        check_not_negative(owner, path_seed=path_seed)
        check_type(owner, "split_seed", split_seed, int, "Pass 0, for example.")
        check_repr(owner, pre_transform)
        self._progress = log
        self._source = find_pair_source(
            Path(root).expanduser() / "raw", name, language, parts, split_seed
        )
        told, self._words = summary_words(
            self._source.comment if comment is None else comment,
            first_paragraph=self._source.name == "own",
        )
        self.settings = {
            "name": self._source.name,
            "source": self._source.identity,
            "language": self._source.language,
            "comment": told,
            **{option: choice for option, choice in choices.items() if option != "split"},
            **sizes,
            "path_seed": path_seed,
            "deduplicate": deduplicate,
            "pre_transform": repr(pre_transform),
            "tree_sitter": metadata.version("tree-sitter"),
            "grammar": grammar_version(self._source.language),
            "tgraph_attn": tgraph_attn.__version__,
        }
        check_marks(owner, root, self.settings)
        super().__init__(os.fspath(root), transform, pre_transform, log=False)
        made = self.processed_dir
        with reading(owner, made):
            self.report: dict[str, Any] = read_json(made, "report.json")
            self.source_vocab = Vocab.load(os.path.join(made, "source_vocab.json"))
            self.target_vocab = Vocab.load(os.path.join(made, "target_vocab.json"))
            kept = self.report.get(split, {}).get("kept", 0)
            if kept:
                self.load(os.path.join(made, f"{split}.pt"))
                check_sizes(owner, split, {"functions": self.len()}, {"functions": kept})
        if not kept:
            raise ValueError(
                f"{owner}: split {split!r} must have examples, but has none in "
                f"{self._source.folder}: {self.report.get(split, _ABSENT)}. Pass another split, or "
                "a source that has some."
            )

    @property
    def raw_dir(self) -> str:
        """The folder of the files that the functions are in."""
        return str(self._source.folder)

    def process(self) -> None:
        """Turn each function into one Data, and keep those of each split in one file."""
        splits, dropped = self._source.read()
        language, settings, words_of = self._source.language, self.settings, self._words
        examples, report = collect_examples(
            splits,
            dropped,
            lambda pair: example_of(pair, language, settings, words_of),
            deduplicate=settings["deduplicate"],
            progress=self._progress,
        )
        if not examples.get("train"):
            of_split: dict[str, Any] = report or {"train": _ABSENT}
            raise ValueError(
                f"CodeSummaries: there are no examples in {self._source.folder} that fall to "
                f"train, which must have some: {of_split}. Pass another source, or, where files "
                "are split by their names, another split_seed."
            )
        self._keep(examples, report)

    def _keep(
        self, examples: dict[str, list[FunctionExample]], report: dict[str, dict[str, Any]]
    ) -> None:
        count, train, vocabs = self.settings["min_count"], examples["train"], {}
        sides = {
            "source_vocab": ((), (token for e in train for token in e.tokens)),
            "target_vocab": ((BOS, EOS), (word for e in train for word in e.words)),
        }
        with filled_whole(self.root, self.settings) as made:
            for name, (specials, words) in sides.items():
                vocabs[name] = Vocab.build(words, min_count=count, specials=specials)
                vocabs[name].save(os.path.join(made, f"{name}.json"))
            for split, found in examples.items():
                if found:
                    items = [self._item(example, **vocabs) for example in found]
                    check_same_keys("CodeSummaries", items)
                    self.save(items, os.path.join(made, f"{split}.pt"))
            write_json(made, "report.json", report)

    def _item(self, example: FunctionExample, source_vocab: Vocab, target_vocab: Vocab) -> Data:
        x = torch.tensor(source_vocab.encode(example.tokens), dtype=torch.int64)
        data = Data(x=x, num_nodes=len(x))
        if example.tree is not None:
            data.parent_index = tree_to_data(example.tree).parent_index
        data.y = encode_target(example.words, target_vocab, self.settings["max_target"])
        data.target = " ".join(example.words)
        data.origin = example.origin
        return data if self.pre_transform is None else self.pre_transform(data)
