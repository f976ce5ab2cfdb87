import random
from collections import Counter

import pytest

from tgraph_attn.datasets import program_tree
from tgraph_attn.datasets._programs.toy_programs import TASKS, Writer, toy_program

pytest.importorskip("tree_sitter_cpp")
GCD = """\
int main() {
    int p, b, tmp;
    cin >> b;
    cin >> p;
    while (p != 0) {
        tmp = b % p;
        b = p;
        p = tmp;
    }
    cout << b << endl;
    return 0;
}
"""


@pytest.mark.parametrize("task", TASKS)
def test_programs_of_a_task_differ_and_have_no_syntax_error(task):
    programs = [toy_program(task, f"0 {number}") for number in range(40)]
    assert len(set(programs)) == 40
    assert not any(len(program_tree(program).faults) for program in programs)
    assert all(len(program.splitlines()) < 60 for program in programs)


def test_a_seed_writes_the_same_program_again_on_every_machine():
    assert toy_program("gcd", "0 gcd 0").splitlines()[4:] == GCD.splitlines()


def labels(task, which, seed):
    return Counter(program_tree(toy_program(task, seed), which).labels)


def test_the_two_that_differ_in_a_number_have_the_same_structure():
    for seed in map(str, range(5)):
        one, other = (
            program_tree(toy_program(f"multiples_of_{n}", seed), "structure") for n in (3, 7)
        )
        assert one.labels == other.labels and one.parent.tolist() == other.parent.tolist()
    full = [labels(f"multiples_of_{n}", "full", "0") for n in (3, 7)]
    assert full[0] - full[1] == {"number_literal 3": 1} and full[1] - full[0] == {
        "number_literal 7": 1
    }


def test_the_two_that_differ_in_which_loop_have_the_same_labels():
    seen = [Counter(), Counter()]
    for seed in map(str, range(300)):
        for place, task in enumerate(("sum_of_maxima", "maximum_of_sums")):
            seen[place] += labels(task, "structure", seed)
    assert set(seen[0]) == set(seen[1])
    assert all(
        abs(seen[0][label] - seen[1][label]) < 0.05 * seen[0].total() / 10 for label in seen[0]
    )


def test_a_writer_keeps_to_its_names_and_never_gives_one_twice():
    writer = Writer(random.Random(0))
    names = [*writer.names(4), *writer.names(1, "[100]")]
    assert len(set(names)) == 5 and writer.declared == [*names[:4], f"{names[4]}[100]"]
