from types import MappingProxyType

import numpy as np
import pytest

from tgraph_attn.parse import parse_nested


def test_dicts_keys_lists_and_leaves_by_hand():
    tree = parse_nested({"a": None, "b": [], "c": {}, "d": [True, 2, -0.5, ("x",)]})
    assert str(tree).split("\n") == [
        "dict",
        "  key 'a'",
        "    null",
        "  key 'b'",
        "    list",
        "  key 'c'",
        "    dict",
        "  key 'd'",
        "    list",
        "      bool 'true'",
        "      int '2'",
        "      float '-0.5'",
        "      list",
        "        str 'x'",
    ]


def test_a_string_is_one_leaf():
    assert parse_nested(["abc"]).labels == ["list", "str abc"]
    assert parse_nested("").labels == ["str "]


def test_keys_that_are_no_strings_become_text_and_all_survive():
    assert parse_nested({1: "a", "1": "b", None: "c"}).text[[1, 3, 5]].tolist() == [
        "1",
        "1",
        "None",
    ]


def test_other_mappings_and_numpy_floats_are_taken_for_what_they_are():
    assert parse_nested(MappingProxyType({"x": np.float64(1.5)})).labels[-1] == "float 1.5"


def test_five_thousand_lists_in_one_another_are_five_thousand_nodes():
    value = []
    for _ in range(4_999):
        value = [value]
    tree = parse_nested(value)
    assert tree.num_nodes == 5_000 and tree.depth.max() == 4_999


def test_an_object_at_two_places_is_two_subtrees():
    shared = ["x"]
    assert parse_nested([shared, {"k": shared}]).kind.tolist().count("list") == 3


def test_an_object_that_contains_itself_is_refused():
    value = [1]
    value.append({"k": [value]})
    with pytest.raises(ValueError, match="no object may contain itself, but the list at row 5"):
        parse_nested(value)


@pytest.mark.parametrize("value", [{1, 2}, b"x", object(), np.zeros(2), 1j])
def test_objects_of_other_kinds_are_refused(value):
    message = f"an object must be a dict.* but the one at row 1 is a {type(value).__name__}"
    with pytest.raises(TypeError, match=f"parse_nested: {message}"):
        parse_nested([value])
