import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn._checks_tensor import (
    check_edges,
    check_ids,
    check_range,
    check_self_types,
    check_summaries,
)

EDGES = torch.tensor([[0, 1], [1, 0]])


def test_good_edges_pass():
    check_edges("op", EDGES, edge_type=torch.zeros(2), edge_bias=None)


@pytest.mark.parametrize(
    "edge_index", [EDGES.int(), EDGES.float(), EDGES[0], torch.zeros(3, 2, dtype=torch.int64)]
)
def test_edges_of_another_dtype_or_shape_are_refused(edge_index):
    with pytest.raises(
        ValueError, match=r"^op: edge_index must be int64 of shape \[2, E\], but got"
    ):
        check_edges("op", edge_index)


def test_edges_in_a_list_are_refused():
    with pytest.raises(
        TypeError, match=r"^op: edge_index must be a Tensor, but got list. Build it"
    ):
        check_edges("op", [[0], [1]])


@pytest.mark.parametrize(("rows", "has"), [(torch.zeros(3), "3"), (torch.tensor(1.0), "no rows")])
def test_per_edge_tensors_of_another_length_are_refused(rows, has):
    with pytest.raises(
        ValueError, match=rf"edge_type must have one row per edge \(2\), but has {has}"
    ):
        check_edges("op", EDGES, edge_type=rows)


@pytest.mark.parametrize("wrong", [-1, 3])
def test_values_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match=r"^op: edge_type must be in \[0, 3\), but ranges from"):
        check_range("op", "edge_type", torch.tensor([0, wrong, 2]), 3)


def test_no_values_are_in_any_range():
    check_range("op", "edge_type", torch.empty(0, dtype=torch.int64), 0)
    check_range("op", "edge_type", torch.tensor([0, 2]), 3)


def test_values_elsewhere_than_on_the_cpu_are_not_read():
    check_range("op", "edge_type", torch.tensor([9], device="meta"), 3)


def test_an_edge_to_itself_has_the_type_in_the_middle():
    index = torch.tensor([[0, 1, 1], [0, 0, 1]])
    check_self_types("op", index, torch.tensor([2, 0, 2]), 5)
    check_self_types("op", index[:, 1:2], torch.tensor([0]), 5)
    with pytest.raises(ValueError, match=r"^op: the edge .* must have type 2, of 5 .* has 1\. Was"):
        check_self_types("op", index, torch.tensor([2, 2, 1]), 5)


def test_good_ids_are_returned():
    ids = torch.tensor([[0, 2], [1, 0]])
    assert check_ids("Model", "y", ids, (2, "L"), 3) is ids


@pytest.mark.parametrize(
    "ids", [None, torch.zeros(2, 2), torch.tensor([0, 2]), torch.tensor([[0], [1], [2]])]
)
def test_ids_of_another_dtype_or_shape_are_refused(ids):
    with pytest.raises(ValueError, match=r"^Model: y must be ids, int64 of shape \[2, L\], but"):
        check_ids("Model", "y", ids, (2, "L"), 3)


@pytest.mark.parametrize("wrong", [-1, 3])
def test_ids_out_of_the_vocabulary_are_refused(wrong):
    with pytest.raises(ValueError, match=r"^Model: x must be in \[0, 3\), the vocabulary, but"):
        check_ids("Model", "x", torch.tensor([0, wrong]), ("N",), 3)


def test_ids_elsewhere_than_on_the_cpu_are_not_read():
    check_ids("Model", "x", torch.tensor([9], device="meta"), ("N",), 3)


def said(y=((4, 3),), target="a word"):
    return Data(x=torch.tensor([2]), y=torch.tensor(y), target=target, num_nodes=1)


def test_the_targets_of_graphs_are_returned():
    assert check_summaries("fit", "train", [said(), said(target="b")]) == ["a word", "b"]
    assert check_summaries("fit", "train", []) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            Data(x=torch.tensor([2])),
            r"y must be int64 of shape \[1, L\], .* graph 1 of train has N",
        ),
        (said(y=(4, 3)), r"y must be int64 .* graph 1 of train has torch.int64 of shape \[2\]"),
        (said(y=((4,), (3,))), r"y must be .* has torch.int64 of shape \[2, 1\]\. CodeSummaries"),
        (said(y=((0.5,),)), r"y must be .* has torch.float32 of shape \[1, 1\]"),
        (said(target=" "), r"target must be a str with a word in it, .* graph 1 of train has ' '"),
        (said(target=None), r"target must be .* has None\. CodeSummaries makes it so"),
        (Data(y=torch.tensor([[3]])), r"target must be .* has None"),
    ],
)
def test_graphs_of_which_nothing_is_said_are_refused(data, message):
    with pytest.raises(ValueError, match=f"^fit: {message}"):
        check_summaries("fit", "train", [said(), data])
