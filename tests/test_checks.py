import numpy as np
import pytest

from tgraph_attn._checks import (
    check_choice,
    check_distance,
    check_fraction,
    check_multiple,
    check_not_negative,
    check_num_edges,
    check_positive,
    check_type,
    check_within,
)


def test_positive_sizes_pass():
    check_positive("Layer", heads=1, channels=8)


@pytest.mark.parametrize("size", [0, -3])
def test_sizes_below_one_are_refused(size):
    with pytest.raises(
        ValueError, match=rf"^Layer: heads must be at least 1, but got {size}\. Pass"
    ):
        check_positive("Layer", heads=size)


@pytest.mark.parametrize("size", [1.0, "1", True, None])
def test_sizes_that_are_no_ints_are_refused(size):
    with pytest.raises(TypeError, match=r"^Layer: heads must be an int of at least 1, but got"):
        check_positive("Layer", heads=size)


@pytest.mark.parametrize("fraction", [-0.1, 1, 1.5, float("nan")])
def test_fractions_outside_are_refused(fraction):
    with pytest.raises(ValueError, match=r"^Layer: dropout must be in \[0, 1\), but got"):
        check_fraction("Layer", dropout=fraction)


def test_fractions_inside_pass():
    check_fraction("Layer", dropout=0.0, other=0.99)


def test_a_choice_that_is_none_of_them_is_refused():
    check_choice("parse", "errors", "keep", ["raise", "keep"])
    with pytest.raises(ValueError, match=r"^parse: errors must be one of \['keep', 'raise'\], but"):
        check_choice("parse", "errors", "drop", ["raise", "keep"])


@pytest.mark.parametrize(
    ("distance", "message"), [(0, "at least 1, but got 0"), (2**30 + 1, "at most 1,073,741,824")]
)
def test_distances_below_one_or_without_end_are_refused(distance, message):
    check_distance("Layer", reach=1, other=2**30)
    with pytest.raises(ValueError, match=f"^Layer: reach must be {message}"):
        check_distance("Layer", reach=distance)


def test_sizes_below_zero_are_refused():
    check_not_negative("Layer", level=0)
    with pytest.raises(ValueError, match=r"^Layer: level must be at least 0, but got -1"):
        check_not_negative("Layer", level=-1)
    with pytest.raises(TypeError, match=r"^Layer: level must be an int of at least 0, but got 0.5"):
        check_not_negative("Layer", level=0.5)


def test_pairs_count_twice_and_more_edges_than_the_limit_are_refused():
    assert check_num_edges("edges", 2, 3, 7, "Take less.") == 7
    with pytest.raises(ValueError, match=r"at most 6 edges, .* have 7 \(2 pairs.* Take less\.$"):
        check_num_edges("edges", 2, 3, 6, "Take less.")


def test_a_size_that_is_no_multiple_is_refused():
    check_multiple("Model", "channels", 20, 4, "the heads")
    with pytest.raises(
        ValueError, match=r"^Model: channels must be a multiple of 4, the heads, .* 18\. Pass 20"
    ):
        check_multiple("Model", "channels", 18, 4, "the heads")


def test_what_is_of_another_type_is_refused():
    check_type("op", "size", 3, (int, float), "")
    with pytest.raises(
        TypeError, match=r"^op: size must be a int or float, but got str. Convert it"
    ):
        check_type("op", "size", "3", (int, float), "Convert it.")


@pytest.mark.parametrize("wrong", [[-1, 0], [0, 3]])
def test_numbers_outside_their_range_are_refused_with_what_they_are(wrong):
    check_within("owner", "ids", np.array([0, 2]), 3, "Count from 0.")
    check_within("owner", "ids", np.array([], np.int64), 0, "Count from 0.")
    message = rf"owner: ids must be in \[0, 3\), but ranges from {wrong[0]} to {wrong[1]}\. Count"
    with pytest.raises(ValueError, match=message):
        check_within("owner", "ids", np.array(wrong), 3, "Count from 0.")
