"""Every check of a plain value that a caller hands in, and the words it fails with."""

from collections.abc import Collection
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray


def check_positive(owner: str, **sizes: int) -> None:
    """Raise TypeError unless each size is an int, ValueError unless it is at least 1."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(
                f"{owner}: {name} must be an int of at least 1, but got {size!r} "
                f"({type(size).__name__}). Pass a whole number."
            )
        if size < 1:
            raise ValueError(
                f"{owner}: {name} must be at least 1, but got {size}. Pass a positive number."
            )


def check_fraction(owner: str, **fractions: float) -> None:
    """Raise ValueError unless each number is in [0, 1)."""
    for name, fraction in fractions.items():
        if not 0 <= fraction < 1:
            raise ValueError(
                f"{owner}: {name} must be in [0, 1), but got {fraction}. Pass 0 to switch it off."
            )


def check_type(
    owner: str, name: str, value: object, kinds: type | tuple[type, ...], hint: str
) -> None:
    """Raise TypeError, which ends in hint, unless value is of one of the kinds."""
    if not isinstance(value, kinds):
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"{owner}: {name} must be a {names}, but got {type(value).__name__}. {hint}"
        )


def check_choice(owner: str, name: str, value: object, choices: Collection[str]) -> None:
    """Raise ValueError unless value is one of choices."""
    if value not in choices:
        raise ValueError(
            f"{owner}: {name} must be one of {sorted(choices)}, but got {value!r}. Pick one."
        )


def check_names(
    owner: str, what: str, have: Collection[str], want: Collection[str], hint: str
) -> None:
    """Raise ValueError unless what was handed in has exactly these names."""
    if set(have) != set(want):
        raise ValueError(f"{owner}: {what} must hold {list(want)}, but holds {list(have)}. {hint}")


def check_sizes(owner: str, name: str, have: dict[str, int], want: dict[str, int]) -> None:
    """Raise ValueError unless what was handed in has the sizes that it has to have."""
    if have != want:
        said, wanted = (", ".join(f"{k}={v}" for k, v in d.items()) for d in (have, want))
        raise ValueError(
            f"{owner}: {name} must have {wanted}, but has {said}. Make it with the former sizes."
        )


def check_integers(
    owner: str, name: str, value: Any, shape: tuple[int | None, ...]
) -> NDArray[np.int64]:
    """Return a copy of value as int64 of this shape (None: any size), or raise."""
    array = np.asarray(value)
    if array.dtype == np.int64 and array.ndim == 1 and shape == (None,):
        return array.copy()  # a small tree spends much of its time in checks
    if array.size == 0 and array.ndim == 1:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"{owner}: {name} must hold whole numbers, but got {array.dtype}. "
            "Convert it with numpy.asarray(value, dtype=numpy.int64)."
        )
    fits = array.ndim == len(shape) and all(
        want is None or want == got for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits:
        words = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(
            f"{owner}: {name} must have shape [{words}], but has {list(array.shape)}. "
            "Pass one row for each node."
        )
    return np.array(array, np.int64)


def check_strings(
    owner: str, name: str, value: Any, size: int, default: str | None
) -> NDArray[np.object_]:
    """Return a copy of value as an object array of strings, None replaced by default, or raise."""
    if value is None:
        return np.full(size, default, object)
    hint = f"Pass one of {size} str, one for each node."
    check_type(owner, name, value, (list, tuple, np.ndarray), hint)
    if len(value) != size:
        raise ValueError(
            f"{owner}: {name} must have one string for each of the {size} nodes, but has "
            f"{len(value)}. Pass a list of that length."
        )
    types = set(map(type, value.tolist() if isinstance(value, np.ndarray) else value))
    if not all(issubclass(item, str | type(None)) for item in types):
        names = sorted(item.__name__ for item in types)
        raise TypeError(
            f"{owner}: {name} must hold str or None, but holds {names}. Turn them into str first."
        )
    column = np.empty(size, object)
    column[:] = value
    if default is not None and type(None) in types:
        column[column == None] = default  # noqa: E711, element by element
    return column


def fail_parent(
    owner: str, parent: NDArray[np.int64], row: int, *, forest: bool = False
) -> NoReturn:
    """Raise the ValueError that says why parent, which breaks at row, is no tree in pre-order.

    In a forest, -1 stands for the root of each tree.
    """
    n = parent.size
    if n == 0:
        raise ValueError(
            f"{owner}: parent must have at least one node, but has none. A lone root is [-1]."
        )
    rows, roots = np.arange(n), parent == -1
    own = np.flatnonzero(parent == rows)
    if own.size:
        raise ValueError(
            f"{owner}: no node may be its own parent, but node {own[0]} is. The parent of a root "
            "is -1; parent_of(data) gives it so."
        )
    if parent[0] != -1:
        raise ValueError(
            f"{owner}: node 0 must be the root, with parent -1, but its parent is {parent[0]}. "
            "Put the rows in pre-order, the root first."
        )
    if not forest:
        roots[1:] = False
    above = np.where(roots, rows, parent)
    outside = np.flatnonzero((above < 0) | (above >= n))
    if outside.size and above[outside[0]] == -1:
        raise ValueError(
            f"{owner}: there must be one root, but nodes 0 and {outside[0]} both have parent -1. "
            "Make one tree of each, or add a node above both."
        )
    if outside.size:
        raise ValueError(
            f"{owner}: the parent of each node must be one of the {n} rows, but that of node "
            f"{outside[0]} is {above[outside[0]]}. Number the rows from 0."
        )
    for _ in range(n.bit_length()):  # who does not arrive at a root is in, or below, a cycle
        above = above[above]
    if not roots[above].all():
        raise ValueError(
            f"{owner}: following parents must lead to the root, but from node "
            f"{np.flatnonzero(~roots[above])[0]} it leads round a cycle. Remove the edge that "
            "closes it."
        )
    raise ValueError(
        f"{owner}: rows must be in pre-order, each node's subtree in one piece, but node {row} "
        f"(parent {parent[row]}) comes too early or too late. from_networkx puts them in order."
    )


def check_distance(owner: str, **distances: int) -> None:
    """Raise unless each greatest distance is an int from 1 to 2**30, so that types fit in int64."""
    check_positive(owner, **distances)
    for name, distance in distances.items():
        if distance > 2**30:
            raise ValueError(
                f"{owner}: {name} must be at most {2**30:,}, but got {distance:,}. "
                "No tree is that large: pass its number of nodes for no limit."
            )


def check_not_negative(owner: str, **sizes: int) -> None:
    """Raise TypeError unless each size is an int, ValueError if it is below 0."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(
                f"{owner}: {name} must be an int of at least 0, but got {size!r} "
                f"({type(size).__name__}). Pass a whole number."
            )
        if size < 0:
            raise ValueError(f"{owner}: {name} must be at least 0, but got {size}. Pass 0 or more.")


def check_num_edges(owner: str, num_pairs: int, num_self: int, limit: int, instead: str) -> int:
    """Return the number of edges, each pair both ways; raise ValueError if it is over the limit."""
    num_edges = 2 * num_pairs + num_self
    if num_edges > limit:
        raise ValueError(
            f"{owner}: a relation may have at most {limit:,} edges, but this one would have "
            f"{num_edges:,} ({num_pairs:,} pairs of nodes, both ways, and {num_self:,} self "
            f"edges). {instead}"
        )
    return num_edges


def check_multiple(owner: str, name: str, value: int, of: int, what: str) -> None:
    """Raise ValueError unless value is a multiple of another number."""
    if value % of:
        raise ValueError(
            f"{owner}: {name} must be a multiple of {of}, {what}, but got {value}. "
            f"Pass {(value // of + 1) * of}, for example."
        )


def check_within(owner: str, name: str, value: NDArray[np.int64], limit: int, hint: str) -> None:
    """Raise ValueError, which ends in hint, unless each number is in [0, limit)."""
    if value.size and not (0 <= value.min() and value.max() < limit):
        raise ValueError(
            f"{owner}: {name} must be in [0, {limit}), but ranges from {value.min()} to "
            f"{value.max()}. {hint}"
        )
