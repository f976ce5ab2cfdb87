"""From the functions of a corpus to examples, and an account of all that was left out."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tqdm import tqdm

from tgraph_attn.datasets._functions.split_files import SPLITS
from tgraph_attn.datasets._pairs.find_pairs import FAULTY_FILES
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._summaries.example_of import FunctionExample

Examples = dict[str, list[FunctionExample]]
Report = dict[str, dict[str, Any]]


def collect_examples(
    splits: Mapping[str, list[Pair]],
    dropped: Mapping[str, Counter[str]],
    make: Callable[[Pair], FunctionExample | str],
    *,
    deduplicate: bool,
    progress: bool,
) -> tuple[Examples, Report]:
    """Return the examples of each split that there is, and the numbers of each.

    Args:
        splits: The functions of each split.
        dropped: How many of each were left out already, by reason; and as `FAULTY_FILES`, if they
            are from files of source, how many files have syntax errors.
        make: Returns the example of a function, or why it is left out.
        deduplicate: Leave out what val and test have of train.
        progress: Show it.
    """
    examples: Examples = {}
    report: Report = {}
    known: dict[str, set[bytes]] = {}
    for split in [split for split in SPLITS if split in splits]:
        reasons = Counter(dropped.get(split, {}))
        faulty_files = reasons.pop(FAULTY_FILES, None)
        found: list[FunctionExample] = []
        bar = tqdm(splits[split], f"Parsing {split}", unit=" functions", disable=not progress)
        for example in map(make, bar):
            if isinstance(example, str):
                reasons[example] += 1
            else:
                found.append(example)
        contents = {example.content for example in found}
        copies = {
            "copies of an earlier one": len(found) - len(contents),
            **{f"in {s}": sum(e.content in known[s] for e in found) for s in known},
        }
        if deduplicate and copies.get("in train"):
            reasons["in train"] = copies["in train"]
            found = [example for example in found if example.content not in known["train"]]
        known[split] = contents
        examples[split] = found
        report[split] = {
            "found": len(found) + reasons.total(),
            "kept": len(found),
            "dropped": dict(sorted((+reasons).items())),
            "with syntax errors": sum(example.is_faulty for example in found),
            "truncated": sum(example.is_truncated for example in found),
            **copies,
            **({} if faulty_files is None else {FAULTY_FILES: faulty_files}),
        }
    return examples, report
