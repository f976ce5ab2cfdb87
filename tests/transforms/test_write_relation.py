"""What holds for every transform: it goes through a batch and back, and touches nothing else."""

import copy
import pickle

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, InMemoryDataset
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import Compose

from tgraph_attn.convert import data_to_tree, relation_edges, tree_to_data
from tgraph_attn.transforms import (
    AddAncestorEdges,
    AddFullEdges,
    AddPathLevelEdges,
    AddSiblingEdges,
    AddWindowEdges,
)
from tgraph_attn.transforms._write_relation import write_relation
from tgraph_attn.tree import Tree

TRANSFORMS = {
    "ancestor": AddAncestorEdges(2),
    "sibling": AddSiblingEdges(2),
    "path_level": AddPathLevelEdges(3),
    "window": AddWindowEdges(2),
    "full": AddFullEdges(),
    "ancestor_without_self": AddAncestorEdges(2, self_edges=False),
    "sibling_without_self": AddSiblingEdges(2, self_edges=False),
    "path_level_without_self": AddPathLevelEdges(3, self_edges=False),
    "window_without_self": AddWindowEdges(2, self_edges=False),
    "all": Compose(
        [AddAncestorEdges(2), AddSiblingEdges(2), AddPathLevelEdges(3), AddWindowEdges(2)]
    ),
}
each_transform = pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)


@each_transform
def test_before_or_after_batching_is_the_same(transform, graphs, same):
    before = Batch.from_data_list([transform(graph) for graph in graphs])
    after = transform(Batch.from_data_list(graphs))
    assert same(before, after)
    assert before.ptr.tolist() == [0, 5, 6, 7, 12]


@each_transform
@pytest.mark.parametrize("late", [False, True], ids=["before_batching", "after_batching"])
def test_batch_can_be_taken_apart_again(transform, late, graphs, same):
    expected = [transform(graph) for graph in graphs]
    batch = transform(Batch.from_data_list(graphs)) if late else Batch.from_data_list(expected)
    for graph, data, tree in zip(batch.to_data_list(), expected, graphs, strict=True):
        assert same(graph, data)
        assert data_to_tree(graph) == data_to_tree(tree)
    assert same(Batch.from_data_list(batch.to_data_list()), batch)


@each_transform
def test_input_is_not_changed(transform, graphs, same):
    batch = Batch.from_data_list(graphs)
    for data in (graphs[0], batch):
        before = copy.deepcopy(data)
        out = transform(data)
        assert same(data, before) and not same(out, before)
    assert same(batch[0], graphs[0])  # PyG's notes on where each graph is are the same, too


def test_two_relations_of_one_batch_do_not_mix(graphs, same):
    batch = Batch.from_data_list(graphs)
    near, far = AddAncestorEdges(1)(batch), AddAncestorEdges(2)(batch)
    assert same(near[3], AddAncestorEdges(1)(graphs[3]))
    assert same(far[3], AddAncestorEdges(2)(graphs[3]))


@each_transform
def test_labels_and_features_are_not_taken_for_edges(transform):
    data = tree_to_data(Tree([-1, 0]))
    data.y, data.note = torch.tensor([3]), torch.tensor([[5.0], [6.0]])  # as long as edge_index
    out = transform(data)
    assert out.y.tolist() == [3] and out.depth.tolist() == [0, 1]
    assert out.note.tolist() == [[5.0], [6.0]] and out.edge_type.tolist() == [1, 0]


@each_transform
def test_lone_node_without_self_edges_has_empty_edges(transform, graphs):
    out = transform(graphs[1])
    out.validate()
    names = [key for key in out.keys() if key.endswith("_edge_index")]
    for name in names:
        edge_index, edge_type = out[name], out[name.replace("index", "type")]
        assert edge_index.shape == (2, len(edge_type)) and edge_type.dim() == 1
        assert edge_index.dtype == edge_type.dtype == torch.int64
    if names and "self_edges=False" in repr(transform):
        assert out[names[0]].shape == (2, 0)


@each_transform
def test_pickle_and_torch_save_keep_transform_and_data(transform, graphs, tmp_path, same):
    again = pickle.loads(pickle.dumps(transform))
    assert repr(again) == repr(transform)
    out = transform(graphs[0])
    assert same(pickle.loads(pickle.dumps(out)), out) and same(again(graphs[0]), out)
    torch.save(out, tmp_path / "data.pt")
    assert same(torch.load(tmp_path / "data.pt", weights_only=False), out)


@each_transform
def test_saved_data_set_is_loaded_without_more_code(transform, graphs, tmp_path, same):
    InMemoryDataset.save([transform(graph) for graph in graphs], str(tmp_path / "data.pt"))
    dataset = InMemoryDataset()
    dataset.load(str(tmp_path / "data.pt"))
    assert len(dataset) == 4
    assert all(same(a, transform(b)) for a, b in zip(dataset, graphs, strict=True))


@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_workers_give_what_the_parent_gives(start, graphs, same):
    dataset = InMemoryDataset(transform=TRANSFORMS["all"])
    dataset.data, dataset.slices = InMemoryDataset.collate(graphs)
    expected = list(DataLoader(dataset, batch_size=2))  # the kernels have run here first
    loader = DataLoader(dataset, batch_size=2, num_workers=1, multiprocessing_context=start)
    batches = list(loader)
    assert len(batches) == 2
    assert all(same(a, b) for a, b in zip(batches, expected, strict=True))


def test_relations_with_as_many_edges_in_each_tree_are_shifted(graphs):
    first, *_, last = (AddAncestorEdges(2)(graph) for graph in graphs)
    batch = Batch.from_data_list([first, last])
    assert batch.ancestor_edge_index.shape == (2, 2 * first.ancestor_edge_index.size(1))
    joined = torch.cat([first.ancestor_edge_index, last.ancestor_edge_index + 5], dim=1)
    assert torch.equal(batch.ancestor_edge_index, joined)


def test_nodes_that_no_edge_reaches_still_count():
    tree = tree_to_data(Tree([-1, 0, 1]))
    pair = AddSiblingEdges(1, self_edges=False)(tree_to_data(Tree([-1, 0, 0])))
    lone = AddSiblingEdges(1, self_edges=False)(tree)
    batch = Batch.from_data_list([lone, pair])
    assert batch.sibling_edge_index.tolist() == [[5, 4], [4, 5]]
    assert batch.ptr.tolist() == [0, 3, 6]


def test_parents_alone_get_num_nodes_so_that_pyg_need_not_guess():
    bare = [Data(parent_index=torch.tensor(parent)) for parent in ([0, 0, 0], [0, 0])]
    first, second = (AddSiblingEdges(1, self_edges=False)(data) for data in bare)
    batch = Batch.from_data_list([first, second])
    assert batch.ptr.tolist() == [0, 3, 5]
    assert batch.parent_index.tolist() == [0, 0, 0, 3, 3]


def test_no_pair_of_a_batch_crosses_from_tree_to_tree():
    trees = [tree_to_data(Tree([-1, 0]))] * 2
    batch = TRANSFORMS["all"](Batch.from_data_list(trees))
    for edge_index, _, _ in relation_edges(batch, ["ancestor", "path_level", "window"]).values():
        assert edge_index.tolist() == [[0, 1, 0, 1, 2, 3, 2, 3], [0, 0, 1, 1, 2, 2, 3, 3]]
    assert batch.sibling_edge_index.tolist() == [[0, 1, 2, 3], [0, 1, 2, 3]]


def test_edges_are_written_where_the_data_is():
    data = Data(num_nodes=1)
    edges = (np.zeros((2, 1), np.int64), np.zeros(1, np.int64))
    write_relation(data, "some", edges, 1, torch.device("meta"))
    assert data.some_edge_index.is_meta and data.some_edge_type.is_meta


@pytest.mark.parametrize("name", ["ancestor", "sibling", "path_level"])
def test_data_without_a_tree_is_refused(name):
    with pytest.raises(ValueError, match=r"must have parent_index, but has only \['num_nodes'\]"):
        TRANSFORMS[name](Data(num_nodes=3))


@pytest.mark.parametrize("name", ["ancestor", "sibling", "path_level", "window", "full"])
def test_data_pipes_have_a_method_for_it(name):
    from torch_geometric.data.datapipes import DatasetAdapter

    arguments = {"window": {"size": 2}}.get(name, {})
    pipe = getattr(DatasetAdapter([tree_to_data(Tree([-1, 0]))]), f"add_{name}_edges")(**arguments)
    assert list(relation_edges(next(iter(pipe)), [name])) == [name]
