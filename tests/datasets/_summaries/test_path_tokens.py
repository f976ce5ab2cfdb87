import pytest

from tgraph_attn.datasets._summaries.path_tokens import PATH, has_path, path_tokens
from tgraph_attn.linearize import path_contexts
from tgraph_attn.parse import parse_code
from tgraph_attn.tree import Tree


def pieces(tokens):
    """The tokens of each path."""
    begins = [n for n, token in enumerate(tokens) if token == PATH]
    assert begins[:1] == [0][: len(tokens)]
    return [tokens[a:b] for a, b in zip(begins, [*begins[1:], len(tokens)], strict=True)]


def many(leaves):
    """A root over so many leaves, each pair of which has a path of three nodes."""
    return Tree(
        [-1] + [0] * leaves, ["call"] + ["integer"] * leaves, [None, *map(str, range(leaves))]
    )


def test_a_small_tree_by_hand():
    tree = parse_code("maxSize = n + 1", "python", numbers="mark")
    assert path_tokens(tree, 100, seed=0) == (
        [
            *[PATH, "subtoken max", "subtoken size"],
            *["identifier", "assignment", "binary_operator +", "identifier", "subtoken n"],
            *[PATH, "subtoken max", "subtoken size"],
            *["identifier", "assignment", "binary_operator +", "integer", "subtoken NUM"],
            *[PATH, "subtoken n"],
            *["identifier", "binary_operator +", "integer", "subtoken NUM"],
        ],
        False,
    )


@pytest.mark.parametrize("subtokens", ["off", "chain", "children"])
def test_each_path_is_one_of_the_tree_whatever_its_subtokens(subtokens):
    source = "def f(a, b):\n    return g(a_b_c_d_e_f, b)[a] + 1"
    tree = parse_code(source, "python", subtokens=subtokens)
    whole = {
        (PATH, *(f"subtoken {w}" for w in start[:5]), *path, *(f"subtoken {w}" for w in end[:5]))
        for start, path, end, _ in path_contexts(tree, max_length=8, max_width=2)
    }
    tokens, is_cut = path_tokens(tree, 10_000, seed=0)
    assert {tuple(piece) for piece in pieces(tokens)} == whole and not is_cut
    assert "subtoken e" in tokens and "subtoken f" in tokens  # f is the function's own name
    assert not any(
        piece.count("subtoken a") and "subtoken f" in piece[6:7] for piece in pieces(tokens)
    )


def test_only_whole_paths_are_drawn_and_they_stay_in_order():
    tree = many(10)  # 45 paths of 6 tokens
    tokens, is_cut = path_tokens(tree, 40, seed=0)
    found = [(int(p[1].split()[1]), int(p[-1].split()[1])) for p in pieces(tokens)]
    assert len(found) == 6 and is_cut and found == sorted(found)
    assert path_tokens(tree, 45 * 6, seed=0)[1] is False
    assert path_tokens(tree, 45 * 6 - 1, seed=0)[1] is True


def test_paths_are_drawn_from_the_whole_tree_by_the_seed():
    tree = many(40)
    drawn = [path_tokens(tree, 60, seed)[0] for seed in range(30)]
    assert drawn[0] == path_tokens(tree, 60, 0)[0] != drawn[1]
    starts = [int(piece[1].split()[1]) for tokens in drawn for piece in pieces(tokens)]
    assert 8 < sum(starts) / len(starts) < 17  # 12.7 if all paths have the same chance


def test_no_more_than_150_paths_are_read():
    assert len(pieces(path_tokens(many(17), 10_000, seed=0)[0])) == 136
    tokens, is_cut = path_tokens(many(18), 10_000, seed=0)  # 153 paths
    assert len(pieces(tokens)) == 150 and is_cut


def test_a_path_that_is_too_long_is_cut():
    tokens, is_cut = path_tokens(many(2), 4, seed=0)
    assert tokens == [PATH, "subtoken 0", "integer", "call"] and is_cut


def test_a_tree_without_a_path_is_one_token():
    tree = Tree([-1, 0], ["a", "b"], [None, "c"])
    assert path_tokens(tree, 10, seed=0) == ([PATH], False) and not has_path(tree)
    assert has_path(many(2)) and has_path(many(40))
