"""Programs that solve the same problems, each with its problem as class."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
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
from tgraph_attn.datasets._processed import (
    KeptDataset,
    check_marks,
    check_repr,
    filled_whole,
    read_json,
    reading,
    write_json,
)
from tgraph_attn.datasets._programs.distinct_programs import distinct_programs
from tgraph_attn.datasets._programs.program import Program
from tgraph_attn.datasets._programs.read_programs import (
    ARCHIVE,
    program_files,
    read_archive,
    read_folder,
)
from tgraph_attn.datasets._programs.split_programs import (
    SPLITS,
    split_by_class,
    split_by_program,
)
from tgraph_attn.datasets._raw.source_files import fingerprint
from tgraph_attn.datasets.program_tree import TASKS, program_tree
from tgraph_attn.tree import Tree
from tgraph_attn.vocab import Vocab


class POJ104(KeptDataset):
    """Programs in C and C++, by students, as syntax trees; the class is the problem they solve.

    One graph is one program. Of 53,000 programs 51,995 are kept: copies of an earlier one, byte by
    byte, are left out. Then 103 of the 104 classes have 500 programs, and one has 495.

    Syntax errors are kept, and counted. `program_tree` makes the same tree of any other program.

    Args:
        root: A folder: `raw/` in it holds the published archive, `programs.tar.gz`, which is
            fetched if it is not there; beside it is one sub-folder for each setting.
        task: What a tree tells: "full", with names and values, or "structure", the kinds of nodes,
            operators, keywords and primitive types alone.
        split: "train", "val" or "test".
        protocol: "classification": 60, 20 and 20 of a hundred programs of each class; or
            "retrieval": classes 1 to 64, 65 to 80, and 81 to 104, as CodeXGLUE has them, so that
            no class of one split is in another.
        transform: Applied each time a tree is read.
        pre_transform: Applied once, before the trees are kept. Its repr must say its settings.
        max_nodes: A greater tree is cut to its first nodes in pre-order.
        min_count: How often a label must come in the training split to be in the vocabulary.
        split_seed: Another number deals the programs out in another way.
        source: A folder of your own instead, with one sub-folder of programs for each class; for
            "classification" alone. Empty files are left out. A class of one program or two is in
            "train" alone.
        log: Show the progress.

    Shapes:
        - **x**: `[N]` int64, ids of `vocab`
        - **parent_index**: `[N]` int64; the root is its own parent
        - **y**: `[1]` int64, the place of the class in `classes`
        - **origin**: str, class and name, such as "1/10"

    Attributes:
        classes: The names of the classes, in order.
        vocab: The labels of the nodes of the training split.
        report: What was found, kept and left out, and why; the programs of each split.

    Raises:
        ValueError: An option is unknown or below 1; the archive is not the published one; source
            has fewer than two classes, one without a program of its own, or is root; there is no
            program in a split; pre_transform does not write the same attributes for each tree; or
            what was made before is damaged.
        FileNotFoundError: source is not a folder.
        ConnectionError: The archive is not there and cannot be fetched.
        ImportError: tree-sitter-cpp is not installed.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from tgraph_attn.datasets import POJ104
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name, sign in [("sum", "+"), ("product", "*")]:
        ...     (folder / name).mkdir()
        ...     for k in range(5):
        ...         file = folder / name / f"{k}.c"
        ...         _ = file.write_text(f"int f(int a) {{ return a {sign} {k}; }}")
        >>> data = POJ104(folder / "data", "structure", source=folder, log=False)
        >>> data.classes, len(data), data[0].origin.split("/")[0]
        (['product', 'sum'], 6, 'product')

    Source:
        Mou et al. (AAAI 2016); the split for retrieval is CodeXGLUE's (Lu et al., 2021). Card:
        `datasets/poj104/README.md`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        task: str = "full",
        split: str = "train",
        *,
        protocol: str = "classification",
        transform: Callable[[Data], Data] | None = None,
        pre_transform: Callable[[Data], Data] | None = None,
        max_nodes: int = 400,
        min_count: int = 2,
        split_seed: int = 0,
        source: str | os.PathLike[str] | None = None,
        log: bool = True,
    ) -> None:
        owner = "POJ104"
        check_choice(owner, "task", task, TASKS)
        check_choice(owner, "split", split, SPLITS)
        protocols = ("classification", "retrieval")[: 1 if source is not None else 2]
        check_choice(owner, "protocol", protocol, protocols)
        check_positive(owner, max_nodes=max_nodes, min_count=min_count)
        check_type(owner, "split_seed", split_seed, int, "Pass 0, for example.")
        check_repr(owner, pre_transform)
        self._folder = None if source is None else Path(source)
        self._files = [] if self._folder is None else program_files(self._folder, Path(root))
        self._progress = log
        content = ARCHIVE.sha256
        if self._folder is not None:
            content = fingerprint(self._folder, self._files)
        self.settings = {
            "task": task,
            "protocol": protocol,
            "max_nodes": max_nodes,
            "min_count": min_count,
            "split_seed": split_seed,
            "pre_transform": repr(pre_transform),
            "source": content,
            "tree_sitter": metadata.version("tree-sitter"),
            "tree_sitter_cpp": _version("tree-sitter-cpp"),
            "tgraph_attn": tgraph_attn.__version__,
        }
        check_marks(owner, root, self.settings)
        super().__init__(os.fspath(root), transform, pre_transform, log=False)
        made = self.processed_dir
        with reading(owner, made):
            self.report: dict[str, Any] = read_json(made, "report.json")
            self.classes: list[str] = self.report["classes"]
            self.vocab = Vocab.load(os.path.join(made, "vocab.json"))
            self.load(os.path.join(made, f"{split}.pt"))
            want = {"programs": self.report["splits"][split]}
            check_sizes(owner, split, {"programs": self.len()}, want)

    @property
    def num_classes(self) -> int:
        """How many classes there are, also if this split lacks some."""
        return len(self.classes)

    def process(self) -> None:
        """Turn each program into one Data, and keep those of each split in one file."""
        if self._folder is None:
            found = read_archive(Path(self.raw_dir))
        else:
            found = read_folder(self._folder, self._files)
        whole = [program for program in found if program.source.strip()]
        kept = distinct_programs(whole)
        lost = {program.label for program in found} - {program.label for program in kept}
        if lost:
            raise ValueError(
                f"POJ104: each class must have a program of its own, but all of {sorted(lost)} in "
                f"{self._folder} are empty, or copies of those of other classes. Remove these "
                "classes, or put more programs into them."
            )
        if self.settings["protocol"] == "retrieval":
            splits = split_by_class(kept)
        else:
            splits = split_by_program(kept, self.settings["split_seed"])
        empty = [split for split in SPLITS if not splits[split]]
        if empty:
            raise ValueError(
                f"POJ104: each split must have programs, but of {len(kept)} in {self._folder} none "
                f"fell to {empty[0]!r}. A class needs three different programs for each to get one."
            )
        trees, counts = {}, Counter[str]()
        for split in SPLITS:
            bar = tqdm(
                splits[split], f"Parsing {split}", unit=" programs", disable=not self._progress
            )
            trees[split] = [self._tree(program, counts) for program in bar]
        classes = list(dict.fromkeys(program.label for program in kept))
        labels = (label for tree in trees["train"] for label in tree.labels)
        vocab = Vocab.build(labels, min_count=self.settings["min_count"])
        with filled_whole(self.root, self.settings) as made:
            vocab.save(os.path.join(made, "vocab.json"))
            for split in SPLITS:
                pairs = zip(splits[split], trees.pop(split), strict=True)
                items = self._items(pairs, classes, vocab)
                self.save(items, os.path.join(made, f"{split}.pt"))
            write_json(
                made,
                "report.json",
                {
                    "classes": classes,
                    "found": len(found),
                    "dropped": {
                        "empty": len(found) - len(whole),
                        "duplicate": len(whole) - len(kept),
                    },
                    **{name: counts[name] for name in ("truncated", "with syntax errors")},
                    "labels": len(vocab),
                    "splits": {split: len(splits[split]) for split in SPLITS},
                },
            )

    def _tree(self, program: Program, counts: Counter[str]) -> Tree:
        """Return the tree of a program, and count what is to be told of it."""
        tree = program_tree(program.source, self.settings["task"])
        counts["with syntax errors"] += len(tree.faults) > 0
        counts["truncated"] += tree.num_nodes > self.settings["max_nodes"]
        return tree.truncate(self.settings["max_nodes"])

    def _items(
        self, pairs: Iterable[tuple[Program, Tree]], classes: list[str], vocab: Vocab
    ) -> list[Data]:
        number = {name: place for place, name in enumerate(classes)}
        items = []
        for program, tree in pairs:
            made = tree_to_data(tree, vocab)
            item = Data(
                x=made.x,
                parent_index=made.parent_index,
                y=torch.tensor([number[program.label]]),
                origin=program.origin,
                num_nodes=made.num_nodes,
            )
            items.append(item if self.pre_transform is None else self.pre_transform(item))
        check_same_keys("POJ104", items)
        return items


def _version(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
