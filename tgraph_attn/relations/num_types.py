"""How many edge types each kind of relation has."""


def signed_num_types(max_distance: int) -> int:
    """Return the number of types of a relation with signed distances, T = 2P + 1.

    Examples:
        >>> from tgraph_attn.relations import signed_num_types
        >>> signed_num_types(7)
        15
    """
    return 2 * max_distance + 1


def path_level_num_types(max_path: int) -> int:
    """Return the number of types of the path-level relation, T = (2P + 1)^2.

    Examples:
        >>> from tgraph_attn.relations import path_level_num_types
        >>> path_level_num_types(19)
        1521
    """
    return (2 * max_path + 1) ** 2
