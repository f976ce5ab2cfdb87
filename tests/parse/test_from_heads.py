import pytest

from tgraph_attn.parse import from_heads


def test_two_roots_hang_under_a_virtual_one_and_columns_are_in_preorder():
    tree = from_heads([1, 1, 3, 3], ["She", "left", "he", "stayed"])
    assert tree.parent.tolist() == [-1, 0, 1, 0, 3]
    assert tree.source.tolist() == [-1, 1, 0, 3, 2]
    assert tree.kind.tolist() == ["virtual_root", *["token"] * 4]
    assert tree.text.tolist() == [None, "left", "She", "stayed", "he"]
    first, second = tree.children(0)
    assert tree.depth[first] == tree.depth[second] == 1  # a path of two edges, no level apart


def test_one_root_needs_no_virtual_one():
    tree = from_heads([2, 0, 2, 2], virtual_root=False)
    assert tree.parent.tolist() == [-1, 0, 1, 0] and tree.source.tolist() == [2, 0, 1, 3]
    assert tree.text.tolist() == [None] * 4


def test_children_are_in_the_order_of_the_sentence():
    assert from_heads([4, 4, 4, 4, 4], virtual_root=False).source.tolist() == [4, 0, 1, 2, 3]


def test_a_sentence_of_one_word_is_a_tree():
    assert from_heads([0]).parent.tolist() == [-1, 0]
    assert from_heads([0], virtual_root=False).parent.tolist() == [-1]


def test_conllu_heads_are_read_as_the_docstring_says():
    column = [2, 0, 2]
    heads = [i if head == 0 else head - 1 for i, head in enumerate(column)]
    assert from_heads(heads, virtual_root=False).source.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([], "heads must have at least one word"),
        ([1, 1, 3, 3], "must be one root, but words 1 and 3 are both their own head"),
        ([0, 2], r"must be a word of the sentence, in \[0, 2\), but that of word 1 is 2"),
        ([-1, 0], "but that of word 0 is -1"),
        ([0, 2, 1], "but from word 1 they lead round a cycle"),
        ([1, 0], "but from word 0 they lead round a cycle"),
    ],
)
def test_heads_that_make_no_tree_are_refused_with_a_word(heads, message):
    with pytest.raises(ValueError, match=f"from_heads: .*{message}"):
        from_heads(heads, virtual_root=False)


def test_a_cycle_is_refused_under_a_virtual_root_too():
    with pytest.raises(ValueError, match="from word 1 they lead round a cycle"):
        from_heads([0, 2, 1])


def test_tokens_of_another_number_are_refused():
    for tokens in (["a"], "ab"):
        with pytest.raises(ValueError, match="tokens must have one word for each of the 2 heads"):
            from_heads([0, 0], tokens)


def test_a_long_chain_of_heads_is_a_tree():
    assert from_heads([0, *range(20_000)], virtual_root=False).depth.max() == 20_000
