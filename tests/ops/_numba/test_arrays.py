import numpy as np
import torch

from tgraph_attn.ops._numba.arrays import array, optional_array, scalar, type_array


def test_an_array_is_the_tensors_own_memory():
    tensor = torch.zeros(3, requires_grad=True)
    array(tensor)[1] = 5
    assert tensor.tolist() == [0, 5, 0]


def test_what_is_not_there_has_no_elements_but_the_same_type():
    like = torch.zeros(2, dtype=torch.float64)
    assert optional_array(None, like, 3).shape == (0, 0, 0)
    assert optional_array(None, like, 3).dtype == np.float64
    assert type_array(None).dtype == np.int64 and type_array(None).size == 0
    assert type_array(torch.tensor([4])).tolist() == [4]


def test_a_scalar_keeps_the_precision():
    assert type(scalar(0.1, torch.zeros(1))) is np.float32
    assert type(scalar(0.1, torch.zeros(1, dtype=torch.float64))) is np.float64
