"""What a model of trees is told of relations."""

from collections.abc import Mapping

from tgraph_attn._checks import check_positive, check_type

_HINT = 'Pass {"ancestor": (4, 7)}, for example: 4 heads, max_distance=7.'


def check_relations(owner: str, relations: Mapping[str, tuple[int, int]]) -> int:
    """Return the number of heads of all relations.

    Raises:
        TypeError: relations are no mapping of names to two whole numbers.
        ValueError: There is none, or a number is below 1.
    """
    check_type(owner, "relations", relations, Mapping, _HINT)
    check_positive(owner, relations=len(relations))
    for name, pair in relations.items():
        check_type(
            f"{owner}, relation {name}", "heads and max_distance", pair, (tuple, list), _HINT
        )
        if len(pair) != 2:
            raise ValueError(
                f"{owner}, relation {name}: heads and max_distance must be two numbers, but are "
                f"{list(pair)}. {_HINT}"
            )
        heads, max_distance = pair
        check_positive(f"{owner}, relation {name}", heads=heads, max_distance=max_distance)
    return sum(heads for heads, _ in relations.values())
