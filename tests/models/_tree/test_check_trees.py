import pytest
import torch
from torch_geometric.data import Batch, Data

from tgraph_attn.models._tree.check_trees import check_targets, check_trees
from tgraph_attn.vocab import Vocab

VOCAB = Vocab.build(["a", "b"], specials=["<bos>", "<eos>"])


def trees(x, **given):
    return check_trees("Model", Data(x=torch.tensor(x), **given), VOCAB)


def targets(y, num_trees=2, longest=3):
    return check_targets("Model", Data(y=torch.tensor(y)), VOCAB, num_trees, longest)


def test_a_lone_graph_is_one_tree():
    x, graph, num_trees = trees([4, 5])
    assert (x.tolist(), graph.tolist(), num_trees) == ([4, 5], [0, 0], 1)


def test_a_batch_says_how_many_trees_there_are():
    batch = Batch.from_data_list([Data(x=torch.tensor([4, 5])), Data(x=torch.tensor([1]))])
    x, graph, num_trees = check_trees("Model", batch, VOCAB)
    assert (x.tolist(), graph.tolist(), num_trees) == ([4, 5, 1], [0, 0, 1], 2)


def test_a_batch_vector_of_ones_own_will_do():
    assert trees([4, 5, 1], batch=torch.tensor([0, 0, 1]))[2] == 2


def test_missing_ids_are_refused():
    with pytest.raises(
        ValueError, match=r"Model: x must be ids, int64 of shape \[N\], but got Non"
    ):
        check_trees("Model", Data(num_nodes=2), VOCAB)


@pytest.mark.parametrize("x", [[6, 0], [-1, 0]])
def test_ids_out_of_the_vocabulary_are_refused(x):
    with pytest.raises(ValueError, match=r"x must be in \[0, 6\), the vocabulary, but ranges from"):
        trees(x)


@pytest.mark.parametrize("x", [[[4], [5]], [0.5, 1.0]])
def test_features_in_place_of_ids_are_refused(x):
    with pytest.raises(ValueError, match=r"x must be ids, int64 of shape \[N\], but got torch\."):
        trees(x)


def test_an_unsorted_batch_is_refused():
    with pytest.raises(ValueError, match="batch must be sorted"):
        trees([4, 4, 4], batch=torch.tensor([0, 1, 0]))


def test_a_tree_without_nodes_is_refused():
    empty = Data(x=torch.zeros(0, dtype=torch.int64))
    batch = Batch.from_data_list([Data(x=torch.tensor([4])), empty])
    with pytest.raises(ValueError, match=r"must have a node, but tree 1 of the batch has none"):
        check_trees("Model", batch, VOCAB)
    with pytest.raises(ValueError, match=r"must have a node, but tree 0"):
        check_trees("Model", empty, VOCAB)


def test_targets_end_anywhere():
    y = [[4, 5, 3], [3, 0, 0]]
    assert targets(y).tolist() == y


def test_targets_out_of_the_vocabulary_are_refused():
    with pytest.raises(ValueError, match=r"y must be in \[0, 6\), the vocabulary, .* from 3 to 6"):
        targets([[6, 3], [4, 3]])


@pytest.mark.parametrize("y", [[[4, 3]], [4, 3], [[0.5], [1.0]]])
def test_targets_of_another_shape_or_dtype_are_refused(y):
    with pytest.raises(
        ValueError, match=r"y must be ids, int64 of shape \[2, L\], but got torch\."
    ):
        targets(y)


def test_targets_that_are_too_long_are_refused():
    with pytest.raises(ValueError, match=r"y must have at most max_target=3 columns .* has 4"):
        targets([[4, 4, 4, 3], [3, 0, 0, 0]])


@pytest.mark.parametrize("row", [[0, 0, 0], [4, 0, 3], [0, 4, 3]])
def test_an_empty_target_and_padding_in_between_are_refused(row):
    with pytest.raises(ValueError, match=r"must be a target, then padding, but row 1 begins with"):
        targets([[4, 3, 0], row])


def test_targets_with_bos_are_refused():
    with pytest.raises(ValueError, match=r"y must hold targets without <bos>, but row 1 has it"):
        targets([[4, 3, 0], [2, 4, 3]])
