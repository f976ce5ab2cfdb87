import numpy as np
import pytest

from tgraph_attn.linearize._near_pairs import near_pairs


def pairs(tree, rows, length, width, by_arms, wanted=None):
    """The numbers of both terminals and the top of each wanted pair, and how many there are."""
    columns = (tree.parent, tree.depth, tree.child_position, tree.subtree_size)
    rows = np.array(rows, np.int64)
    number, *_ = near_pairs(*columns, rows, length, width, by_arms, np.empty(0, np.int64))
    wanted = np.arange(number) if wanted is None else np.array(wanted, np.int64)
    again, *found = near_pairs(*columns, rows, length, width, by_arms, wanted)
    assert again == number
    return list(zip(*(part.tolist() for part in found), strict=True)), number


def slow_pairs(tree, rows, length, width, by_arms):
    """The same by following parents from both ends of each pair."""

    def line(row):
        above = [row]
        while tree.parent[above[-1]] != -1:
            above.append(int(tree.parent[above[-1]]))
        return above

    found = []
    for a, one in enumerate(rows):
        for b in range(a + 1, len(rows)):
            first, second = line(one), line(rows[b])
            top = next(row for row in first if row in second)
            up, down = first.index(top), second.index(top)
            places = tree.child_position[[first[up - 1], second[down - 1]]]
            wide = abs(up - down) if by_arms else places[1] - places[0]
            if up + 1 + down <= length and wide <= width:
                found.append((a, b, top))
    return found


@pytest.mark.parametrize("by_arms", [True, False])
@pytest.mark.parametrize(("length", "width"), [(8, 2), (4, 1), (3, 0), (2, 5), (99, 99), (9, 0)])
def test_they_are_those_that_climbing_from_both_ends_finds(random_trees, by_arms, length, width):
    for tree in random_trees:
        leaves = np.flatnonzero(tree.subtree_size == 1)
        for rows in (leaves, leaves[::2]):
            expected = slow_pairs(tree, rows.tolist(), length, width, by_arms)
            found, number = pairs(tree, rows, length, width, by_arms)
            assert sorted(found) == expected and number == len(expected)


def test_each_pair_has_a_number_of_its_own(random_trees):
    for tree in random_trees[:30]:
        rows = np.flatnonzero(tree.subtree_size == 1)
        found, number = pairs(tree, rows, 8, 2, True)
        some = list(range(1, int(number), 3))
        assert pairs(tree, rows, 8, 2, True, some)[0] == [found[i] for i in some]


def test_no_terminals_make_no_pairs(random_trees):
    for tree in random_trees[:3]:
        assert pairs(tree, [], 8, 2, True) == ([], 0)
