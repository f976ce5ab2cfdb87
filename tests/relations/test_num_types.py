import pytest

from tgraph_attn.relations import (
    ancestor_edges,
    path_level_edges,
    path_level_num_types,
    signed_num_types,
)

#   0 - 1 - 2, and 3 - 4 under 0
PARENT = [-1, 0, 1, 0, 3]


@pytest.mark.parametrize("distance", [1, 2])
def test_signed_types_reach_from_0_to_the_last_one(distance):
    types = ancestor_edges(PARENT, distance)[1]
    assert types.min() == 0 and types.max() == signed_num_types(distance) - 1


def test_path_level_types_stay_below_their_number():
    types = path_level_edges(PARENT, 4)[1]
    # The extremes are path -4 and +4, both with level 0: key 2, query 4, and key 4, query 2.
    assert types.min() == 0 * 9 + 4 and types.max() == 8 * 9 + 4
    assert path_level_num_types(4) == 81
