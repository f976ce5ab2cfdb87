"""Torch tensors as the arrays that kernels take."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


def array(tensor: Tensor) -> NDArray[Any]:
    """Return the tensor's memory as an array, copied only if it is not contiguous."""
    return tensor.detach().contiguous().numpy()


def optional_array(tensor: Tensor | None, like: Tensor, dim: int) -> NDArray[Any]:
    """Return the tensor's array, or for None one of the same type without elements."""
    return array(like.new_empty((0,) * dim) if tensor is None else tensor)


def type_array(edge_type: Tensor | None) -> NDArray[np.int64]:
    """Return the types' array, for None one without elements."""
    return np.empty(0, np.int64) if edge_type is None else array(edge_type)


def scalar(number: float, like: Tensor) -> Any:
    """Return the number in the tensor's precision, so that kernels do not widen."""
    return array(like.new_empty(0)).dtype.type(number)
