import numpy as np
import pytest
from scipy.sparse import csr_array

from tgraph_attn.models.pretrained import BlockPattern, PairCounts
from tgraph_attn.models.pretrained.code_pieces import Pieces
from tgraph_attn.parse import parse_code
from tgraph_attn.relations.blocks import (
    global_blocks,
    merge_blocks,
    released_blocks,
    top_blocks,
    tree_block_counts,
    window_blocks,
)

SOURCE = "".join(f"def f{n}(a):\n    return [a, {n}]\npass\n" for n in range(9))
TREE = parse_code(SOURCE, "python", subtokens="off")
STARTS = np.array([-1, *(n for n, letter in enumerate(SOURCE) if letter.strip()), -1])
IDS = np.arange(STARTS.size) % 11
PIECES = Pieces(IDS, STARTS)
COUNTS = PairCounts(csr_array(np.random.default_rng(0).integers(0, 9, (11, 11))), "words")
K = -(-STARTS.size // 8)


def edges(pieces=PIECES, tree=TREE, pair_counts=COUNTS, **changes):
    return BlockPattern(**{"block_size": 8, "window": 5, "tree_blocks": 6} | changes).edges(
        pieces, tree, pair_counts
    )


def parts():
    """The patterns apart."""
    return {
        "window": window_blocks(K, 5),
        "global_blocks": global_blocks(K),
        "pair_blocks": top_blocks(COUNTS.of_blocks(np.where(STARTS < 0, -1, IDS), 8), 3),
        "tree_blocks": top_blocks(tree_block_counts(TREE, STARTS, 8), 6),
    }


def test_it_is_the_union_of_its_parts():
    assert edges().tolist() == merge_blocks(*parts().values()).tolist()


@pytest.mark.parametrize("left_out", ["window", "global_blocks", "pair_blocks", "tree_blocks"])
def test_each_part_can_be_left_out(left_out):
    rest = [part for name, part in parts().items() if name != left_out]
    none = () if left_out == "global_blocks" else 0
    assert edges(**{left_out: none}).tolist() == merge_blocks(*rest).tolist()
    assert edges(**{left_out: none}).shape != edges().shape


@pytest.mark.parametrize("selection", ["merged", "merged_legacy"])
def test_merged_counts_are_chosen_from_as_in_the_released_code(selection):
    words = np.where(STARTS < 0, -1, IDS)
    total = COUNTS.of_blocks(words, 8) + tree_block_counts(TREE, STARTS, 8)
    chosen = released_blocks(total, 2, legacy_offset=selection == "merged_legacy")
    expected = merge_blocks(window_blocks(K, 5), global_blocks(K), chosen)
    assert edges(pair_blocks=2, selection=selection).tolist() == expected.tolist()


def test_without_a_tree_the_rest_works():
    assert edges(tree=None).tolist() == edges(tree_blocks=0).tolist()


def test_a_text_of_one_block_sees_itself():
    short = Pieces(IDS[:3], np.array([-1, 0, -1]))
    assert edges(short).tolist() == [[0], [0]]
    assert edges(short, global_blocks=(0, 1, 5, -3)).tolist() == [[0], [0]]


def test_nothing_at_all_is_no_edges():
    none = edges(window=0, global_blocks=(), pair_blocks=0, tree_blocks=0)
    assert none.shape == (2, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"block_size": 0}, "block_size must be at least 1"),
        ({"window": 2}, "size must be odd"),
        ({"pair_blocks": -1}, "pair_blocks must not be negative|pair_blocks must be"),
        ({"selection": "best"}, "selection must be"),
        ({"pair_counts": None}, "pair_counts must be those of the model's vocabulary"),
        ({"pieces": Pieces(IDS[:0], STARTS[:0])}, "the number of pieces must be at least 1"),
    ],
)
def test_refuses(changes, message):
    with pytest.raises(ValueError, match=message):
        edges(**changes)
