import pytest

from tgraph_attn.models._tree.check_relations import check_relations


def test_heads_are_those_of_all_relations():
    assert check_relations("Model", {"ancestor": (1, 7), "sibling": [3, 5]}) == 4


@pytest.mark.parametrize(
    ("relations", "error", "message"),
    [
        ({}, ValueError, r"Model: relations must be at least 1"),
        (["ancestor"], TypeError, r"Model: relations must be a Mapping, but got list\. Pass"),
        ({"ancestor": 7}, TypeError, r"relation ancestor: heads and max_distance must be a tuple"),
        ({"ancestor": (1, 7, 7)}, ValueError, r"must be two numbers, but are \[1, 7, 7\]\. Pass"),
        ({"ancestor": (0, 7)}, ValueError, r"relation ancestor: heads must be at least 1"),
        ({"ancestor": (1, 0.5)}, TypeError, r"relation ancestor: max_distance must be an int"),
    ],
)
def test_other_relations_are_refused(relations, error, message):
    with pytest.raises(error, match=message):
        check_relations("Model", relations)
