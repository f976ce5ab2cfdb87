import networkx as nx
import pytest

from tgraph_attn.parse import from_networkx


def graph(*edges, alone=()):
    made = nx.DiGraph(edges)
    made.add_nodes_from(alone)
    return made


def test_rows_are_in_preorder_whatever_the_order_of_the_nodes():
    made = nx.DiGraph()
    made.add_nodes_from(["leaf", "root", "inner"])
    made.add_edges_from([("root", "inner"), ("inner", "leaf"), ("root", "last")])
    tree = from_networkx(made)
    assert tree.parent.tolist() == [-1, 0, 1, 0]
    assert tree.source.tolist() == [1, 2, 0, 3]
    assert tree.text.tolist() == ["root", "inner", "leaf", "last"]
    assert tree.kind.tolist() == [""] * 4


def test_children_are_in_the_order_of_their_edges():
    assert from_networkx(graph((0, 3), (0, 1), (0, 2))).text.tolist() == ["0", "3", "1", "2"]


def test_attributes_become_columns():
    made = graph((7, 8))
    made.add_node(7, kind="sum")
    made.add_node(8, kind="name", text="x", span=(2, 3))
    tree = from_networkx(made)
    assert tree.labels == ["sum", "name x"]
    assert tree.span.tolist() == [[-1, -1], [2, 3]]


def test_a_virtual_root_goes_above_each_tree_in_order():
    tree = from_networkx(graph((0, 1), (2, 3)), virtual_root=True)
    assert tree.parent.tolist() == [-1, 0, 1, 0, 3]
    assert tree.source.tolist() == [-1, 0, 1, 2, 3]
    assert tree.kind[0] == "virtual_root" and tree.text[0] is None


def test_a_single_node_is_a_tree():
    assert from_networkx(graph(alone=["x"])).parent.tolist() == [-1]


def test_the_root_that_is_there_may_be_named():
    assert from_networkx(graph((5, 6)), root=5).source.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (graph(), "must have at least one node, but is empty"),
        (
            graph((0, 1), (2, 1)),
            r"must have one parent, but node 1 has 2 edges into it, .*\[0, 2\]",
        ),
        (graph((1, 2), (2, 3), (3, 1), alone=[4]), "but node 1 is in, or under, a cycle"),
        (graph((1, 2), (2, 1)), "must have no parent, but all have one, such as 1"),
        (graph((0, 1), (2, 3)), "must be one root, but nodes 0 and 2 both have no parent"),
        (graph((1, 0), (2, 0)), r"but node 0 has 2 edges into it, .*graph.reverse\(\)"),
        (graph((0, 1), (1, 1)), "node 1 has 2 edges into it"),
        (graph((0, 0)), "no node may be its own parent, but node 0 is"),
        (nx.Graph([(0, 1)]), "graph must be directed, from parent to child, but is undirected"),
        (nx.MultiDiGraph([(0, 1), (0, 1)]), "node 1 has 2 edges into it"),
    ],
)
def test_what_is_no_tree_is_refused_with_the_cause_and_a_node(made, message):
    with pytest.raises(ValueError, match=f"from_networkx: .*{message}"):
        from_networkx(made)


def test_a_cycle_beside_a_tree_is_refused_under_a_virtual_root_too():
    with pytest.raises(ValueError, match="node 1 is in, or under, a cycle"):
        from_networkx(graph((1, 2), (2, 3), (3, 1), alone=[4]), virtual_root=True)


def test_another_root_than_the_one_that_is_there_is_refused():
    with pytest.raises(ValueError, match="the root must be 6, but 5 has no parent"):
        from_networkx(graph((5, 6)), root=6)
