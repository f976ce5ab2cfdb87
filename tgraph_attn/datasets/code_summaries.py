"""Functions and what their comments say of them."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import torch
from torch_geometric.data import Data
from tqdm import tqdm

import tgraph_attn
from tgraph_attn._checks import check_choice, check_positive, check_sizes, check_type
from tgraph_attn.convert.tree_to_data import tree_to_data
from tgraph_attn.datasets._check_same_keys import check_same_keys
from tgraph_attn.datasets._functions.encode_target import BOS, EOS, encode_target
from tgraph_attn.datasets._functions.example_of import FunctionExample, example_of
from tgraph_attn.datasets._functions.pair_source import find_pair_source
from tgraph_attn.datasets._functions.split_files import SPLITS
from tgraph_attn.datasets._processed import (
    KeptDataset,
    check_marks,
    check_repr,
    filled_whole,
    read_json,
    reading,
    write_json,
)
from tgraph_attn.vocab import Vocab


class CodeSummaries(KeptDataset):
    r"""Functions, each with the summary that its comment gives, as syntax trees or sequences.

    Args:
        root: A folder: `raw/` in it holds the published files, which are fetched if they are not
            there and have a pinned address; beside it is one sub-folder for each setting.
        name: "tl_codesum", Java methods and their comments, as tokens; "code_docstring", Python
            functions and their docstrings; or the path of a folder of your own, with `train.jsonl`,
            `val.jsonl` and `test.jsonl` (objects with `code` and `docstring`, as CodeSearchNet's),
            or with files of Python or Java, which are dealt out by their names.
        split: "train", "val" or "test".
        language: That of a folder of your own, as `parse_code` names it.
        parts: Which part of a published corpus each split is; for example
            `{"train": "valid", "test": "test"}` where the large one is not at hand. By default
            train, valid and test.
        form: A function is its "tree", the tokens of its "code", or its tree with "brackets" (SBT).
        comment: Its words are "tokens", as they stand there, or follow the "rules" of AST-Trans
            (`comment_words`); by default tokens for "tl_codesum" and else rules.
        max_nodes: A greater tree, or longer sequence, is cut to its first nodes.
        max_target: How many words a summary has at most, with the one that ends it.
        min_count: How often a word must come in the training split to be in a vocabulary.
        reverse_root: Whether the children of a function's root are turned round if the tree is
            "truncated", "always", or "never" (`cut_tree`).
        subtokens: "children", "chain" or "off", as `parse_code` has it.
        strings: "drop" or "keep" the text of strings.
        errors: "keep" functions with syntax errors, or "drop" them.
        deduplicate: Leave out what val and test have of train.
        split_seed: Another number deals files of source out in another way.
        transform: Applied each time a graph is read.
        pre_transform: Applied once, before the graphs are kept. Its repr must say its settings.
        log: Show the progress.

    Shapes:
        - **x**: `[N]` int64, ids of `source_vocab`
        - **parent_index**: `[N]` int64, for the form "tree" alone; the root is its own parent
        - **y**: `[1, max_target]` int64, ids of `target_vocab`: the words, "<eos>", then 0
        - **target**: str, all the words, with a space between them
        - **origin**: str, where the function is

    Attributes:
        source_vocab: The labels, or tokens, of the training split.
        target_vocab: The words of its summaries; "<bos>" and "<eos>" come first.
        report: For each split what was found, kept, and left out and why; how many functions have
            syntax errors, are cut, come twice in it, or come in train too.

    Raises:
        ValueError: An option is unknown or below 1; a file is not the published one, or is in
            another form or encoding; there is no example in this split; pre_transform does not
            write the same attributes for each graph; or what was made before is damaged.
        FileNotFoundError: name is a folder that is not there, or a part of a published corpus has
            no pinned address and is not there.
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
        steps from a function to its tree: AST-Trans (Tang et al., ICSE 2022).
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
        comment: str | None = None,
        max_nodes: int = 200,
        max_target: int = 30,
        min_count: int = 1,
        reverse_root: str = "truncated",
        subtokens: str = "children",
        strings: str = "drop",
        errors: str = "keep",
        deduplicate: bool = False,
        split_seed: int = 0,
        transform: Callable[[Data], Data] | None = None,
        pre_transform: Callable[[Data], Data] | None = None,
        log: bool = True,
    ) -> None:
        owner = "CodeSummaries"
        check_choice(owner, "split", split, SPLITS)
        check_choice(owner, "form", form, ("tree", "code", "brackets"))
        check_choice(owner, "reverse_root", reverse_root, ("truncated", "always", "never"))
        check_choice(owner, "subtokens", subtokens, ("children", "chain", "off"))
        check_choice(owner, "strings", strings, ("drop", "keep"))
        check_choice(owner, "errors", errors, ("keep", "drop"))
        check_type(owner, "deduplicate", deduplicate, bool, "Pass True or False.")
        sizes = {"max_nodes": max_nodes, "max_target": max_target, "min_count": min_count}
        check_positive(owner, **sizes)
        check_repr(owner, pre_transform)
        self._progress = log
        self._source = find_pair_source(
            Path(root).expanduser() / "raw", name, language, parts, split_seed
        )
        comment = self._source.comment if comment is None else comment
        check_choice(owner, "comment", comment, ("tokens", "rules"))
        self.settings = {
            "name": self._source.name,
            "source": self._source.identity,
            "language": self._source.language,
            "form": form,
            "comment": comment,
            **sizes,
            "reverse_root": reverse_root,
            "subtokens": subtokens,
            "strings": strings,
            "errors": errors,
            "deduplicate": deduplicate,
            "pre_transform": repr(pre_transform),
            "tree_sitter": metadata.version("tree-sitter"),
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
                f"{self._source.folder}: {self.report.get(split, 'there is no file for it')}. Pass "
                "another split, or a source that has some."
            )

    @property
    def raw_dir(self) -> str:
        """The folder of the files that the functions are in."""
        return str(self._source.folder)

    def process(self) -> None:
        """Turn each function into one Data, and keep those of each split in one file."""
        splits, dropped = self._source.read()
        examples: dict[str, list[FunctionExample]] = {}
        report: dict[str, dict[str, Any]] = {}
        of_train: set[bytes] = set()
        for split in [split for split in SPLITS if split in splits]:
            reasons = Counter(dropped.get(split, {}))
            found: list[FunctionExample] = []
            contents = Counter[bytes]()
            hidden = not self._progress
            bar = tqdm(splits[split], f"Parsing {split}", unit=" functions", disable=hidden)
            for pair in bar:
                example = example_of(pair, self._source.language, self.settings)
                if isinstance(example, str):
                    reasons[example] += 1
                    continue
                contents[example.content] += 1
                found.append(example)
            in_train = [example.content in of_train for example in found]
            if split == "train":
                of_train = set(contents)
            number = sum(reasons.values()) + len(found)
            if self.settings["deduplicate"] and any(in_train):
                pairs = zip(found, in_train, strict=True)
                found = [example for example, known in pairs if not known]
                reasons["in train"] += sum(in_train)
            examples[split] = found
            report[split] = {
                "found": number,
                "kept": len(found),
                "dropped": dict(sorted(reasons.items())),
                "with syntax errors": sum(example.is_faulty for example in found),
                "truncated": sum(example.is_truncated for example in found),
                "copies of an earlier one": contents.total() - len(contents),
                "in train": sum(in_train),
            }
        if not examples.get("train"):
            raise ValueError(
                f"CodeSummaries: train must have examples, but has none in {self._source.folder}: "
                f"{report.get('train', 'there is no file for it')}. Pass another source."
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
