from tgraph_attn.parse._preorder import preorder

CHILDREN = {"a": ["b", "c"], "b": [], "c": ["d"], "d": [], "e": ["f"], "f": []}


def test_nodes_come_in_preorder_with_the_rows_of_their_parents():
    assert preorder(["a"], CHILDREN.__getitem__) == (list("abcd"), [-1, 0, 0, 2])


def test_several_roots_follow_one_another_below_none_or_below_a_virtual_one():
    assert preorder("ae", CHILDREN.__getitem__) == (list("abcdef"), [-1, 0, 0, 2, -1, 4])
    assert preorder("ae", CHILDREN.__getitem__, above=0) == (list("abcdef"), [0, 1, 1, 3, 0, 5])


def test_a_long_chain_needs_no_recursion():
    nodes, parents = preorder([0], lambda node: [node + 1] if node < 50_000 else [])
    assert nodes == list(range(50_001)) and parents == list(range(-1, 50_000))
