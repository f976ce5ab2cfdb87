from collections import Counter
from functools import partial

import pytest

from tgraph_attn.datasets._pairs.find_pairs import FAULTY_FILES
from tgraph_attn.datasets._pairs.pair import Pair
from tgraph_attn.datasets._pairs.published_pairs import read_part
from tgraph_attn.datasets._summaries.collect_examples import collect_examples
from tgraph_attn.datasets._summaries.example_of import FunctionExample, example_of
from tgraph_attn.datasets._summaries.summary_words import by_rules

SETTINGS = {
    "form": "tree",
    "max_nodes": 200,
    "reverse_root": "truncated",
    "subtokens": "children",
    "strings": "drop",
    "numbers": "keep",
    "errors": "keep",
    "without_path": "keep",
}
SPLITS = {"test": "abxe!e", "train": "aabc?", "val": "bdd"}


def make(pair):
    """An example of each letter; of a sign, the reason why there is none."""
    if not pair.source.isalpha():
        return f"because of {pair.source}"
    content = pair.source.encode()
    faulty, cut = pair.source in "ab", pair.source == "e"
    return FunctionExample(None, [pair.source], ["it"], pair.origin, content, faulty, cut)


def collected(deduplicate=False, splits=SPLITS, **reasons):
    pairs = {
        split: [Pair(c, "it", f"{split}:{n}") for n, c in enumerate(splits[split])]
        for split in splits
    }
    dropped = {"train": Counter({"no docstring": 2, "never": 0}) + Counter(reasons)}
    dropped["test"] = Counter({FAULTY_FILES: 0} if reasons else {})
    return collect_examples(pairs, dropped, make, deduplicate=deduplicate, progress=False)


def test_kept_and_dropped_add_up_and_each_copy_is_counted():
    examples, report = collected()
    assert list(report) == ["train", "val", "test"]
    assert report["train"] == {
        "found": 7,
        "kept": 4,
        "dropped": {"because of ?": 1, "no docstring": 2},
        "with syntax errors": 3,
        "truncated": 0,
        "copies of an earlier one": 1,
    }
    assert report["val"] == {
        "found": 3,
        "kept": 3,
        "dropped": {},
        "with syntax errors": 1,
        "truncated": 0,
        "copies of an earlier one": 1,
        "in train": 1,
    }
    assert report["test"] == {
        "found": 6,
        "kept": 5,
        "dropped": {"because of !": 1},
        "with syntax errors": 2,
        "truncated": 2,
        "copies of an earlier one": 1,
        "in train": 2,
        "in val": 1,
    }
    assert [example.origin for example in examples["test"]] == [
        f"test:{n}" for n in (0, 1, 2, 3, 5)
    ]


def test_copies_of_a_corpus_are_as_many_as_its_card_says(data_folder):
    """Those of code-docstring; the 17,428 methods of tl_codesum take too long for a test."""
    raw = data_folder / "code_docstring"
    pairs = {
        split: read_part(raw, "code_docstring", part)
        for split, part in (("train", "valid"), ("test", "test"))
    }
    make = partial(example_of, language="python", settings=SETTINGS, words_of=by_rules)
    _, report = collect_examples(pairs, {}, make, deduplicate=False, progress=False)
    names = ("found", "kept", "with syntax errors", "truncated", "copies of an earlier one")
    assert [report["train"][name] for name in names] == [2000, 1994, 1, 511, 3]
    assert [report["test"][name] for name in names] == [2000, 1992, 0, 542, 2]
    assert report["test"]["in train"] == 4


def test_files_with_syntax_errors_are_told_and_no_functions():
    plain, report = collected()[1], collected(**{FAULTY_FILES: 3})[1]
    assert report["train"] == plain["train"] | {FAULTY_FILES: 3}
    assert report["test"] == plain["test"] | {FAULTY_FILES: 0} and report["val"] == plain["val"]


def test_deduplicating_leaves_out_what_is_in_train_and_nothing_else():
    examples, report = collected(deduplicate=True)
    tokens = {split: "".join(e.tokens[0] for e in examples[split]) for split in examples}
    assert tokens == {"train": "aabc", "val": "dd", "test": "xee"}
    assert report["test"]["dropped"] == {"because of !": 1, "in train": 2}
    assert report["test"]["found"] == 6 and report["test"]["in train"] == 2
    assert report["test"]["with syntax errors"] == 0 and report["test"]["in val"] == 1


@pytest.mark.parametrize("deduplicate", [False, True])
def test_a_split_may_be_left_empty(deduplicate):
    examples, report = collected(deduplicate, {"train": "a", "test": "?"})
    assert examples["test"] == [] and report["test"]["dropped"] == {"because of ?": 1}
    assert "val" not in report and "in val" not in report["test"]
