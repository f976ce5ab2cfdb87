import pytest
import torch
from torch_geometric.data import Batch

from tgraph_attn.models._tree.tree_encoder import TreeEncoder, check_shape
from tgraph_attn.transforms import AddSiblingEdges
from tgraph_attn.vocab import Vocab

SHAPE = {"channels": 16, "layers": 2, "hidden": 32, "dropout": 0.0}
RELATIONS = {"ancestor": (1, 7), "sibling": (3, 7)}
SOURCE = Vocab.build([f"word{number}" for number in range(12)])


def make(**settings):
    torch.manual_seed(0)
    settings = {"encoder": "tree", "relations": RELATIONS, **SHAPE, **settings}
    return TreeEncoder("ASTTrans", SOURCE, **settings).double().eval()


def test_nodes_stand_as_in_the_batch(batch, functions, close):
    encoder = make()
    nodes, graph, num_trees = encoder(batch)
    assert graph.equal(batch.batch) and num_trees == 8
    close(nodes, torch.cat([encoder(function).nodes for function in functions]))


def test_places_begin_anew_in_each_tree(batch, functions, close):
    encoder = make(encoder="self", positions=True)
    nodes = encoder(batch).nodes
    close(nodes, torch.cat([encoder(function).nodes for function in functions]))
    assert not nodes.allclose(make(encoder="self")(batch).nodes)


@pytest.mark.parametrize("length", [14, 20])
def test_no_root_leaks_in_one_layer(batch, length, close):
    # But where a relation has fewer pairs than nodes: there the last ones do not hear themselves.
    settings = {"layers": 1, "relations": {"ancestor": (4, 7)}}
    found = make(**settings, legacy_root_leak=length)(batch)
    above = batch.batch[batch.ancestor_edge_index[1, batch.ancestor_edge_type < 7]]
    enough = (above.bincount(minlength=8) >= found.graph.bincount())[found.graph]
    assert enough.any() and not enough.all()
    close(found.nodes[enough], make(**settings)(batch).nodes[enough])


def test_relations_of_another_reach_share_the_height_of_the_tables(batch):
    relations = {"ancestor": (1, 7), "sibling": (3, 5)}
    edges = AddSiblingEdges(5)
    shorter = Batch.from_data_list([edges(tree) for tree in batch.to_data_list()])
    encoder = make(relations=relations, legacy_root_leak=14)
    assert {t.key_table.size(0) for t in encoder.convs.layers[0].tables.values()} == {15}
    assert encoder(shorter).nodes.isfinite().all()


def test_from_the_second_layer_on_roots_leak_more_the_more_padding(batch):
    clean, short, long = (make(legacy_root_leak=n)(batch).nodes for n in (None, 14, 20))
    assert short.isfinite().all()
    assert not short.allclose(clean) and not short.allclose(long)


def test_a_shape_tells_its_heads():
    assert check_shape("ASTTrans", relations=RELATIONS, **SHAPE) == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layers": 0}, "layers must be at least 1"),
        ({"dropout": 1.5}, "dropout must be in"),
        ({"channels": 18}, "channels must be a multiple of 4, the heads of all relations"),
        ({"relations": {}}, "relations must be at least 1"),
        ({"relations": {"ancestor": (1, 0)}}, "relation ancestor: max_distance must be at least 1"),
    ],
)
def test_a_shape_that_does_not_fit_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        check_shape("ASTTrans", **{"relations": RELATIONS, **SHAPE, **changes})
