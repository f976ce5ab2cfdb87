import pytest
import torch

from tgraph_attn.convert import text_to_data
from tgraph_attn.transforms import AddDependencyEdges


@pytest.fixture
def sentence(vocab):
    """Oil <- price <- rises; the labels are 0 (compound), 1 (subject) and 2 (root)."""
    data = text_to_data("oil price rises".split(), vocab, heads=[1, 2, 2])
    data.dependency = torch.tensor([0, 1, 2])
    return data


def test_edges_of_a_sentence_by_hand(sentence, edges_of):
    data = AddDependencyEdges(3, self_edges=False)(sentence)
    assert edges_of(data, "dependency") == [(1, 0, 0), (0, 1, 3), (2, 1, 1), (1, 2, 4)]


def test_labels_are_not_read_without_their_number(sentence, edges_of):
    data = AddDependencyEdges()(sentence)
    assert edges_of(data, "dependency") == [
        *((0, 0, 2), (1, 0, 0)),
        *((0, 1, 1), (1, 1, 2), (2, 1, 0)),
        *((1, 2, 1), (2, 2, 2), (3, 3, 2)),
    ]


def test_label_that_is_not_there_is_refused(sentence):
    with pytest.raises(ValueError, match=r"labels must be in \[0, 2\), but ranges from 0 to 2"):
        AddDependencyEdges(2)(sentence)


def test_repr_names_every_parameter():
    expected = "AddDependencyEdges(num_labels=4, self_edges=False)"
    assert repr(AddDependencyEdges(4, self_edges=False)) == expected


def test_number_of_types():
    assert [AddDependencyEdges(labels).num_types for labels in (None, 1, 4)] == [3, 3, 9]


def test_no_labels_at_all_are_refused():
    with pytest.raises(ValueError, match=r"^AddDependencyEdges: num_labels must be at least 1"):
        AddDependencyEdges(0)
