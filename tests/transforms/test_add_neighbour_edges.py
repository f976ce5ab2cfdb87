import pytest

from tgraph_attn.convert import text_to_data
from tgraph_attn.transforms import AddNeighbourEdges


def test_edges_of_a_small_text_by_hand(vocab, edges_of):
    data = AddNeighbourEdges(1)(text_to_data("oil price wheat oil".split(), vocab))
    assert edges_of(data, "neighbour") == [
        *((0, 0, 1), (1, 0, 2), (2, 0, 0)),
        *((0, 1, 0), (1, 1, 1), (2, 1, 2)),
        *((0, 2, 2), (1, 2, 0), (2, 2, 1)),
        (3, 3, 1),
    ]


def test_words_that_were_dropped_bring_their_neighbours_together(vocab, edges_of):
    data = AddNeighbourEdges(1, self_edges=False)(text_to_data("oil of price".split(), vocab))
    assert edges_of(data, "neighbour") == [(1, 0, 2), (0, 1, 0)]


def test_repr_names_every_parameter_and_there_are_three_types():
    transform = AddNeighbourEdges(4, self_edges=False)
    assert repr(transform) == "AddNeighbourEdges(size=4, self_edges=False)"
    assert transform.num_types == 3


def test_size_below_1_is_refused():
    with pytest.raises(ValueError, match=r"^AddNeighbourEdges: size must be at least 1, but got 0"):
        AddNeighbourEdges(0)
