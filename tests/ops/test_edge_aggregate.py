import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import scatter

from tgraph_attn.ops import edge_aggregate
from tgraph_attn.ops.reference import reference_aggregate


def case(num_values=7, num_queries=5, num_edges=30, heads=3, channels=4):
    edge_index = torch.stack([torch.randint(n, (num_edges,)) for n in (num_values, num_queries)])
    value = torch.randn(num_values, heads, channels, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(num_edges, heads, dtype=torch.float64, requires_grad=True)
    return value, edge_index, weight


@pytest.mark.parametrize("reduce", ["sum", "max"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("num_edges", [0, 1, 30])
def test_equals_the_reference_and_its_gradients(num_edges, weighted, reduce, close):
    value, edge_index, weight = case(num_edges=num_edges)
    leaves = [value, weight] if weighted else [value]
    weight = weight if weighted else None
    got = edge_aggregate(value, edge_index, weight, reduce=reduce, num_queries=5)
    expected = reference_aggregate(value, edge_index, weight, 5, reduce == "max")
    close(got, expected)
    upstream = torch.randn(5, 3, 4, dtype=torch.float64)
    for actual, want in zip(
        torch.autograd.grad(got, leaves, upstream, materialize_grads=True),
        torch.autograd.grad(expected, leaves, upstream, materialize_grads=True),
        strict=True,
    ):
        close(actual, want)


@pytest.mark.parametrize("reduce", ["sum", "mean", "max"])
def test_equals_scatter_of_pyg(reduce, close):
    value, edge_index, _ = case()
    value = value.detach()[:, 0]
    expected = scatter(value[edge_index[0]], edge_index[1], 0, 5, reduce)
    close(edge_aggregate(value, edge_index, reduce=reduce, num_queries=5), expected)


@pytest.mark.parametrize("weighted", [True, False])
def test_symmetric_normalisation_equals_gcn_norm_of_pyg(weighted, close):
    value, edge_index, weight = case(num_queries=6)
    value, weight = value.detach()[:, 0], weight.detach()[:, 0].abs() if weighted else None
    _, norm = gcn_norm(edge_index, weight, 7, add_self_loops=False, dtype=torch.float64)
    expected = edge_aggregate(value, edge_index, norm)
    close(edge_aggregate(value, edge_index, weight, reduce="sym"), expected)


def test_of_equal_maxima_the_first_edge_gets_the_gradient():
    value = torch.tensor([[1.0], [1.0]], requires_grad=True)
    edge_index = torch.tensor([[1, 0], [0, 0]])
    edge_aggregate(value, edge_index, reduce="max").sum().backward()
    assert value.grad.tolist() == [[0.0], [1.0]]


def test_a_maximum_below_zero_stays_below_zero_and_no_edges_give_zero():
    out = edge_aggregate(
        torch.tensor([[-2.0], [-3.0]]), torch.tensor([[0, 1], [0, 0]]), reduce="max"
    )
    assert out.tolist() == [[-2.0], [0.0]]


@pytest.mark.parametrize("reduce", ["sum", "mean", "sym", "max"])
def test_gradients_equal_finite_differences(reduce):
    value, edge_index, weight = case(num_queries=7)
    value, weight = value.detach()[:, 0].requires_grad_(), weight.detach()[:, 0].abs()

    def function(v, w):
        return edge_aggregate(v, edge_index, w, reduce=reduce)

    assert torch.autograd.gradcheck(function, [value, weight.requires_grad_()])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_summed_in_float32(dtype):
    many = torch.ones(1, 1, dtype=dtype)
    edge_index = torch.zeros(2, 3000, dtype=torch.int64)
    assert edge_aggregate(many, edge_index).item() == torch.tensor(3000.0).to(dtype).item()


@pytest.mark.parametrize("reduce", ["sum", "mean", "sym", "max"])
def test_compiles_whole_for_trees_of_any_size(reduce, close):
    counter = CompileCounterWithBackend("aot_eager")
    torch._dynamo.reset()

    def loss(value, edge_index):
        return edge_aggregate(value, edge_index, reduce=reduce).square().sum()

    compiled = torch.compile(loss, backend=counter, fullgraph=True, dynamic=True)
    for size in (9, 17, 40):
        value, edge_index, _ = case(size, size, 3 * size)
        got, want = compiled(value, edge_index), loss(value, edge_index)
        close(got, want)
        close(torch.autograd.grad(got, value)[0], torch.autograd.grad(want, value)[0])
    assert counter.frame_count <= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"value": torch.zeros(7)}, r"value must be floating \[N, F\] or \[N, H, C\]"),
        ({"value": torch.zeros(7, 2).long()}, r"value must be floating"),
        ({"weight": torch.zeros(3, 2)}, r"weight must be torch.float32 \[E\] or \[E, 1\]"),
        ({"weight": torch.zeros(3).double()}, r"but got torch.float64"),
        ({"weight": torch.zeros(2)}, r"weight must have one row per edge \(3\), but has 2"),
        ({"reduce": "min"}, r"reduce must be one of .* but got 'min'"),
        ({"reduce": "sym", "num_queries": 9}, r'reduce="sym" must have as many queries as values'),
        ({"num_queries": 2}, r"the query of an edge must be in \[0, 2\)"),
        ({"edge_index": torch.full((2, 3), 7)}, r"the key of an edge must be in \[0, 7\)"),
        ({"edge_index": torch.zeros(3, 2)}, r"edge_index must be int64 of shape \[2, E\]"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    given = {"value": torch.zeros(7, 2), "edge_index": torch.tensor([[0, 1, 2], [2, 1, 2]])}
    with pytest.raises(ValueError, match=message):
        edge_aggregate(**{**given, **arguments})
