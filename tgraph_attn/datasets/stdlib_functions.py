"""The functions of Python's standard library, to name or to summarise."""

import os
import platform
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from torch_geometric.data import Data
from tqdm import tqdm

import tgraph_attn
from tgraph_attn._checks import check_choice, check_positive, check_sizes, check_type
from tgraph_attn.convert.tree_to_data import tree_to_data
from tgraph_attn.datasets._check_same_keys import check_same_keys
from tgraph_attn.datasets._functions.collect import Collection, Example, collect
from tgraph_attn.datasets._functions.encode_target import BOS, EOS, encode_target
from tgraph_attn.datasets._functions.find_functions import MASK
from tgraph_attn.datasets._functions.split_files import SPLITS, split_files
from tgraph_attn.datasets._processed import (
    KeptDataset,
    check_marks,
    check_repr,
    filled_whole,
    read_json,
    reading,
    write_json,
)
from tgraph_attn.datasets._raw.source_files import fingerprint, source_files, stdlib_folder
from tgraph_attn.vocab import Vocab


class StdlibFunctions(KeptDataset):
    """Every function of the running interpreter's own standard library, as a syntax tree.

    One graph is one function: also a method, and one inside of another. It is always at hand, and
    nothing is downloaded. How many there are, and what becomes of the rest, is in `report` and in
    the card, `datasets/stdlib_functions/README.md`.

    The tree holds no answer: each identifier with the words of the function's name is the one
    token "<mask>", the docstring is cut out, and so is the text of all strings and comments, for
    both targets. A tree with the nodes and words of an earlier one is left out. Then each file
    goes to one split, by its name alone: so both targets split alike.

    Args:
        root: A folder for what is made of the library: one sub-folder for each setting.
        target: What to say of a function: its "name", or the first sentence of its docstring, a
            "summary"; functions without one are left out.
        split: "train", "val" or "test": 80, 10 and 10 of a hundred files.
        transform: Applied each time a tree is read.
        pre_transform: Applied once, before the trees are kept. Its repr must say its settings.
        max_nodes: A greater tree is cut to its first nodes in pre-order.
        max_target: How many words a target has at most, with the one that ends it.
        min_count: How often a word must come in the training split to be in a vocabulary.
        split_seed: Another number deals the files out in another way.
        source: Another folder of Python files instead of the standard library.
        log: Show the progress.

    Shapes:
        - **x**: `[N]` int64, ids of `source_vocab`
        - **parent_index**, **depth**: `[N]` int64; the root is its own parent, at depth 0
        - **edge_index**: `[2, 2(N - 1)]` and **edge_type**: `[2(N - 1)]` int64, as `tree_to_data`
        - **y**: `[1, max_target]` int64, ids of `target_vocab`: the words, "<eos>", then 0
        - **target**: str, all the words, with a space between them
        - **origin**: str, file and line, such as "json/tool.py:13"

    Attributes:
        source_vocab: The words of the trees of the training split, "<mask>" first.
        target_vocab: The words of its targets; "<bos>" and "<eos>" come first.
        report: What was found, kept and dropped, and why; the files of each split.

    Raises:
        ValueError: An option is unknown or below 1, there is no example, none in this split,
            pre_transform does not write the same attributes for each tree, or what was made before
            is damaged.
        TypeError: A number is no int.
        FileNotFoundError: source is not a folder.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from tgraph_attn.datasets import StdlibFunctions
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "shapes.py").write_text("def get_area(a, b): return get_area(b, a)")
        >>> data = StdlibFunctions(folder / "data", source=folder, min_count=1, log=False)
        >>> data[0].target, data.target_vocab.decode(data[0].y[0, :4])
        ('get area', ['get', 'area', '<eos>', '<pad>'])
        >>> data.source_vocab.decode(data[0].x[:3]), data[0].origin
        (['function_definition', '<mask>', 'parameters'], 'shapes.py:1')
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        target: str = "name",
        split: str = "train",
        *,
        transform: Callable[[Data], Data] | None = None,
        pre_transform: Callable[[Data], Data] | None = None,
        max_nodes: int = 200,
        max_target: int = 30,
        min_count: int = 2,
        split_seed: int = 0,
        source: str | os.PathLike[str] | None = None,
        log: bool = True,
    ) -> None:
        check_choice("StdlibFunctions", "target", target, ("name", "summary"))
        check_choice("StdlibFunctions", "split", split, SPLITS)
        check_positive(
            "StdlibFunctions", max_nodes=max_nodes, max_target=max_target, min_count=min_count
        )
        check_type("StdlibFunctions", "split_seed", split_seed, int, "Pass 0, for example.")
        check_repr("StdlibFunctions", pre_transform)
        self._folder = stdlib_folder() if source is None else Path(source)
        self._files = source_files(self._folder)
        self.settings = {
            "target": target,
            "max_nodes": max_nodes,
            "max_target": max_target,
            "min_count": min_count,
            "split_seed": split_seed,
            "pre_transform": repr(pre_transform),
            "source": fingerprint(self._folder, self._files),
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "tree_sitter": metadata.version("tree-sitter"),
            "tree_sitter_python": metadata.version("tree-sitter-python"),
            "tgraph_attn": tgraph_attn.__version__,
        }
        self._progress = log
        check_marks("StdlibFunctions", root, self.settings)
        super().__init__(os.fspath(root), transform, pre_transform, log=False)
        made = self.processed_dir
        with reading("StdlibFunctions", made):
            self.report: dict[str, Any] = read_json(made, "report.json")
            self.source_vocab = Vocab.load(os.path.join(made, "source_vocab.json"))
            self.target_vocab = Vocab.load(os.path.join(made, "target_vocab.json"))
            num_functions = self.report["splits"][split]["functions"]
            if num_functions:
                self.load(os.path.join(made, f"{split}.pt"))
                want = {"functions": num_functions}
                check_sizes("StdlibFunctions", split, {"functions": self.len()}, want)
        if not num_functions:
            raise ValueError(
                f"StdlibFunctions: split {split!r} must have functions, but none of the "
                f"{self.report['functions']['kept']} in {self._folder} fell to it. Pass a source "
                "with more files, or another split_seed."
            )

    def process(self) -> None:
        """Turn each function into one Data, and keep those of each split in one file."""
        settings, vocabs = self.settings, {}
        found = collect(
            self._folder,
            self._files,
            target=settings["target"],
            max_nodes=settings["max_nodes"],
            progress=self._progress,
        )
        if not found.examples:
            raise ValueError(
                f"StdlibFunctions: there are no examples in {self._folder}: all that it holds was "
                f"dropped, {found.report()}. Pass another source."
            )
        place = split_files(found.files, settings["split_seed"])
        splits = {s: [e for e in found.examples if place[e.file] == s] for s in SPLITS}
        count, train = settings["min_count"], splits["train"]
        sides = {
            "source_vocab": ([MASK], (word for e in train for word in e.tree.labels)),
            "target_vocab": ([BOS, EOS], (word for e in train for word in e.words)),
        }
        with filled_whole(self.root, self.settings) as made:
            for name, (specials, words) in sides.items():
                vocabs[name] = Vocab.build(words, min_count=count, specials=specials)
                vocabs[name].save(os.path.join(made, f"{name}.json"))
            for split, examples in splits.items():
                if examples:
                    bar = tqdm(
                        examples, f"Converting {split}", unit=" trees", disable=not self._progress
                    )
                    self.save(self._items(bar, **vocabs), os.path.join(made, f"{split}.pt"))
            write_json(made, "report.json", _report(found, splits, place))

    def _items(
        self, examples: Iterable[Example], source_vocab: Vocab, target_vocab: Vocab
    ) -> list[Data]:
        items = []
        for example in examples:
            tree = tree_to_data(example.tree, source_vocab)
            item = Data(
                x=tree.x,
                edge_index=tree.edge_index,
                edge_type=tree.edge_type,
                parent_index=tree.parent_index,
                depth=tree.depth,
                y=encode_target(example.words, target_vocab, self.settings["max_target"]),
                target=" ".join(example.words),
                origin=f"{example.file}:{example.line}",
                num_nodes=tree.num_nodes,
            )
            items.append(item if self.pre_transform is None else self.pre_transform(item))
        check_same_keys("StdlibFunctions", items)
        return items


def _report(
    found: Collection, splits: dict[str, list[Example]], place: dict[str, str]
) -> dict[str, Any]:
    files = {split: [name for name in found.files if place[name] == split] for split in SPLITS}
    return found.report() | {
        "splits": {s: {"functions": len(splits[s]), "files": files[s]} for s in SPLITS}
    }
