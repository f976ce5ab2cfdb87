"""How every loop over nodes or edges is compiled."""

from collections.abc import Callable
from typing import Any

from numba import njit

# Sums may be reordered, so that they fill vector registers; infinities and NaN stay what they are.
_REORDERED = {"reassoc", "contract", "nsz"}


def kernel(*, reorder_sums: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function on its first call, serial and without the GIL.

    What is compiled is kept beside the source, or else in the user's cache or NUMBA_CACHE_DIR.
    Where none of them can be written, it is compiled anew in each process.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": _REORDERED if reorder_sums else False}

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # numba found no place for its cache
            return njit(**options)(function)

    return compiled
