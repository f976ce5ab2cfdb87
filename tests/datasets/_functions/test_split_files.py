from collections import Counter

import pytest

from tgraph_attn.datasets._functions.split_files import split_files

NAMES = [f"folder/{number}.py" for number in range(1000)]


def test_a_tenth_is_for_validation_and_a_tenth_for_the_test():
    assert Counter(split_files(NAMES, 0).values()) == {"train": 800, "val": 100, "test": 100}


@pytest.mark.parametrize(
    ("number", "counts"),
    [
        (1, (1, 0, 0)),
        (2, (2, 0, 0)),
        (3, (1, 1, 1)),
        (9, (7, 1, 1)),
        (10, (8, 1, 1)),
        (15, (11, 2, 2)),
    ],
)
def test_train_is_never_empty_and_the_others_get_one_file_of_three(number, counts):
    split = Counter(split_files(NAMES[:number], 0).values())
    assert (split["train"], split["val"], split["test"]) == counts


def test_lone_surrogates_do_no_harm_and_other_splits_do_not_move():
    names = [f"{letter}.py" for letter in ("a", "\udcff", "\ud800", "\ud800\udc80", "é")]
    assert Counter(split_files(names, 0).values()) == {"train": 3, "val": 1, "test": 1}
    assert split_files(["a.py", "\udcff.py", "é.py", "b.py"], 3) == {
        "a.py": "train",
        "\udcff.py": "train",
        "é.py": "test",
        "b.py": "val",
    }


def test_split_depends_on_names_and_seed_only():
    assert split_files(reversed(NAMES), 0) == split_files(NAMES, 0)
    assert split_files(NAMES, 1) != split_files(NAMES, 0)
    assert split_files(["a.py", "b.py", "c.py"], 0) == {
        "a.py": "test",
        "b.py": "train",
        "c.py": "val",
    }
