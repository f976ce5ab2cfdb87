import pytest
import torch
from torch_geometric.data import Data

from tgraph_attn.models._labels import check_classes, check_labels, check_numbers


def test_classes_are_kept_as_a_tuple():
    assert check_classes("test", ["b", "a"]) == ("b", "a") == check_classes("test", ("b", "a"))


@pytest.mark.parametrize("classes", [[], ["one"], ["one", "one"], ["a", "b", "a"]])
def test_fewer_than_two_different_classes_are_refused(classes):
    with pytest.raises(
        ValueError, match=r"test: classes must be at least two different names, but"
    ):
        check_classes("test", classes)


@pytest.mark.parametrize("classes", ["ab", 2, {"a", "b"}, [1, 2], ["a", None]])
def test_classes_that_are_no_names_are_refused(classes):
    with pytest.raises(TypeError, match=r"test: (classes|each class) must be .*TextCorpus.classes"):
        check_classes("test", classes)


def test_labels_are_given_back():
    y = torch.tensor([2, 0])
    assert check_labels("test", Data(y=y), torch.zeros(2, 3)) is y


@pytest.mark.parametrize(
    "y", [None, torch.zeros(2), torch.zeros(3, dtype=torch.int64), torch.zeros(2, 1).long()]
)
def test_labels_of_another_shape_or_dtype_are_refused(y):
    with pytest.raises(ValueError, match=r"test: y must be int64 of shape \[2\], a class for each"):
        check_labels("test", Data(y=y), torch.zeros(2, 3))


@pytest.mark.parametrize("y", [[0, 3], [-1, 0]])
def test_labels_out_of_range_are_refused(y):
    message = r"test: y must be in \[0, 3\), but ranges from .*Number the classes from 0 on"
    with pytest.raises(ValueError, match=message):
        check_labels("test", Data(y=torch.tensor(y)), torch.zeros(2, 3))


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([], r"test: train must be int64 of shape \[M\], .* got torch.float32 of shape \[0\]"),
        ([[0]], r"train must be int64 of shape \[M\], .* got torch.int64 of shape \[1, 1\]"),
        ([True, False], r"train must be int64 .* got torch.bool"),
        ([0, 3], r"train must be in \[0, 3\), but ranges from 0 to 3. Number the documents"),
        ([-1, 2], r"train must be in \[0, 3\), but ranges from -1 to 2"),
    ],
)
def test_what_is_no_number_of_a_document_is_refused(numbers, message):
    check_numbers("test", 3, train=torch.tensor([0, 2]))
    with pytest.raises(ValueError, match=message):
        check_numbers("test", 3, train=torch.tensor(numbers))
