import pytest
import torch

from tgraph_attn._optional import is_available
from tgraph_attn.ops import edge_attention

NEEDS = {"gather": "torch_scatter", "decomposed": "torch_scatter", "sparse": "torch_sparse"}
BACKENDS = [
    "dense",
    "fused",
    "auto",
    *(
        pytest.param(
            backend,
            marks=pytest.mark.skipif(
                not is_available(package), reason="the extra scatter is not installed"
            ),
        )
        for backend, package in NEEDS.items()
    ),
]
FUSED = ("fused", "auto")  # no second derivatives
TABLES = ("key_table", "query_table", "value_table", "bias_table", "edge_bias")


def star(attention_case, num_leaves):
    """All leaves point at node 0, and it at them."""
    case = attention_case(num_leaves + 1, num_leaves + 1, 2 * num_leaves, num_types=2)
    leaf = torch.arange(1, num_leaves + 1)
    middle = torch.zeros_like(leaf)
    case["edge_index"] = torch.stack([torch.cat([leaf, middle]), torch.cat([middle, leaf])])
    return case


def huge_logits(attention_case):
    """Scores of +-1000."""
    case = attention_case(5, 5, 20)
    case["edge_bias"] = torch.where(torch.rand(20, 3) < 0.5, -1000.0, 1000.0).double()
    return case


CASES = {
    "odd sizes": lambda make: make(7, 5, 41),
    "more queries than edges": lambda make: make(9, 4, 5),
    "no edges": lambda make: make(3, 3, 0),
    "no nodes": lambda make: make(0, 0, 0),
    "one node": lambda make: make(1, 1, 1),
    "one node, many edges": lambda make: make(1, 1, 7),
    "wide heads": lambda make: make(11, 11, 60, heads=1, channels=33, width=65),
    "a star": lambda make: star(make, 700),
    "logits of +-1000": huge_logits,
}


def result_and_gradients(case, **options):
    """Output, weights, and the gradients of every floating input under fixed upstream gradients."""
    case = {
        name: t.detach().clone().requires_grad_(t.is_floating_point()) for name, t in case.items()
    }
    torch.manual_seed(1)  # the dropout mask
    out, weights = edge_attention(**case, **options, return_weights=True)
    torch.manual_seed(2)
    upstream = [torch.randn(t.shape, dtype=t.dtype) for t in (out, weights)]
    leaves = [t for t in case.values() if t.requires_grad]
    gradients = torch.autograd.grad([out, weights], leaves, upstream, materialize_grads=True)
    return out, weights, *gradients


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("dropout", [0.0, 0.4])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_equals_the_reference_and_its_gradients(
    backend, case, dropout, dtype, close, attention_case
):
    case = {
        name: t.to(dtype) if t.is_floating_point() else t
        for name, t in CASES[case](attention_case).items()
    }
    got = result_and_gradients(case, backend=backend, dropout=dropout)
    expected = result_and_gradients(case, backend="reference", dropout=dropout)
    for actual, want in zip(got, expected, strict=True):
        assert torch.isfinite(actual).all()
        close(actual, want)


@pytest.mark.parametrize("terms", [(), *((t,) for t in TABLES), ("key_table", "value_table")])
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_equals_the_reference_with_some_tables_only(
    backend, terms, close, attention_case
):
    case = attention_case(6, 8, 30)
    case = {n: t for n, t in case.items() if n not in TABLES or n in terms}
    got = result_and_gradients(case, backend=backend)
    for actual, want in zip(got, result_and_gradients(case, backend="reference"), strict=True):
        close(actual, want)


@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_takes_tables_for_all_heads_and_for_each(
    backend, heads, close, attention_case
):
    case = attention_case(6, 8, 30)
    for name in ("key_table", "query_table", "value_table"):
        case[name] = torch.randn(6, heads, case[name].size(2), dtype=torch.float64)
    got = result_and_gradients(case, backend=backend)
    for actual, want in zip(got, result_and_gradients(case, backend="reference"), strict=True):
        close(actual, want)


@pytest.mark.parametrize("backend", ["reference", *(b for b in BACKENDS if b not in FUSED)])
def test_second_derivatives_equal_finite_differences(backend, attention_case):
    case = attention_case(3, 4, 7, heads=2, channels=2, width=1, num_types=3)
    names = [n for n, t in case.items() if t.is_floating_point()]

    def function(*tensors):
        return edge_attention(
            **{**case, **dict(zip(names, tensors, strict=True))},
            backend=backend,
            return_weights=True,
        )

    assert torch.autograd.gradgradcheck(function, [case[n].requires_grad_() for n in names])


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_a_query_without_edges_gets_zeros_and_finite_gradients(backend, attention_case):
    case = attention_case(4, 4, 12)
    case["edge_index"][1].clamp_(max=2)
    out, _, *gradients = result_and_gradients(case, backend=backend)
    assert out[3].eq(0).all() and out[:3].ne(0).any()
    assert all(torch.isfinite(gradient).all() for gradient in gradients)


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("logits", [(1000.0, 1001.0), (-1000.0, -1001.0)])
def test_large_logits_give_the_softmax_of_their_difference(logits, dtype, backend):
    one = torch.ones(2, 1, 1, dtype=dtype)
    edge_index = torch.tensor([[0, 1], [0, 0]])
    bias = torch.tensor(logits).to(dtype)
    _, weights = edge_attention(
        one, one, one, edge_index, edge_bias=bias, backend=backend, return_weights=True
    )
    expected = (bias.double() - bias.double().max()).softmax(0).view(2, 1)
    torch.testing.assert_close(weights.double(), expected, rtol=1e-2, atol=1e-2)
    if dtype in (torch.float32, torch.float64):
        assert weights.flatten().sort().values.tolist() == pytest.approx(
            [0.26894, 0.73106], abs=1e-5
        )


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_in_float32(backend, dtype, close, attention_case):
    case = {
        name: t.to(dtype) if t.is_floating_point() else t
        for name, t in attention_case(6, 6, 30).items()
    }
    wide = {name: t.float() if t.is_floating_point() else t for name, t in case.items()}
    got = result_and_gradients(case, backend=backend)
    expected = result_and_gradients(wide, backend="reference")
    assert got[0].dtype == dtype
    for actual, want in zip(got[:2], expected[:2], strict=True):
        torch.testing.assert_close(actual, want.to(dtype))
    for actual in got:
        assert torch.isfinite(actual).all()


def test_under_autocast_tables_follow_the_query(attention_case):
    case = {
        n: t.float() if t.is_floating_point() else t for n, t in attention_case(6, 6, 30).items()
    }
    for name in ("query", "key", "value"):
        case[name] = case[name].bfloat16()
    with pytest.raises(ValueError, match=r"key_table must have the query's dtype"):
        edge_attention(**case)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert edge_attention(**case).dtype == torch.bfloat16


def test_weights_come_in_the_order_of_the_edges_and_sum_to_one(attention_case):
    case = attention_case(7, 7, 40)
    order = torch.randperm(40)
    _, weights = edge_attention(**case, return_weights=True)
    for name in ("edge_type", "edge_bias"):
        case[name] = case[name][order]
    case["edge_index"] = case["edge_index"][:, order]
    _, shuffled = edge_attention(**case, return_weights=True)
    torch.testing.assert_close(shuffled, weights[order])
    total = torch.zeros(7, 3, dtype=torch.float64).index_add(0, case["edge_index"][1], shuffled)
    torch.testing.assert_close(total[case["edge_index"][1]], torch.ones(40, 3).double())


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_the_biases_alone_make_the_scores_where_keys_have_no_channels(
    backend, close, attention_case
):
    case = attention_case(5, 5, 20)
    empty = torch.empty(5, 3, 0, dtype=torch.float64, requires_grad=True)
    score = case["edge_bias"]
    out, alpha = edge_attention(
        *(empty, empty, case["value"], case["edge_index"]),
        edge_bias=score,
        return_weights=True,
        backend=backend,
    )
    total = torch.zeros(5, 3, dtype=torch.float64).index_add(0, case["edge_index"][1], score.exp())
    close(alpha, score.exp() / total[case["edge_index"][1]])
    [gradient] = torch.autograd.grad(out, empty, torch.ones_like(out), materialize_grads=True)
    assert gradient.shape == empty.shape


@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_duplicate_edges_count_as_separate_edges(backend, close):
    x = torch.randn(3, 1, 2, dtype=torch.float64)
    twice = torch.tensor([[0, 0, 1], [2, 2, 2]])
    _, alpha = edge_attention(x, x, x, twice, backend=backend, return_weights=True, scale=0.0)
    close(alpha, torch.full((3, 1), 1 / 3, dtype=torch.float64))


def test_a_bias_for_each_edge_is_shared_by_its_heads(close, attention_case):
    case = attention_case(5, 5, 20)
    one = case["edge_bias"][:, 0]
    close(
        edge_attention(**{**case, "edge_bias": one}),
        edge_attention(**{**case, "edge_bias": one.unsqueeze(1).expand(-1, 3)}),
    )


def test_dropped_weights_have_the_right_mean(attention_case):
    case = attention_case(1, 400, 4000)
    _, alpha = edge_attention(**case, return_weights=True)
    kept = [edge_attention(**case, dropout=0.5) for _ in range(300)]
    whole = edge_attention(**case)
    assert not torch.equal(kept[0], kept[1]) and alpha.shape == (4000, 3)
    torch.testing.assert_close(torch.stack(kept).mean(0), whole, rtol=0.1, atol=0.1)


def test_memory_that_nobody_wrote_is_never_read(attention_case):
    # On CPU, torch fills new_empty with NaN under deterministic algorithms.
    torch.use_deterministic_algorithms(True)
    try:
        case = attention_case(9, 4, 5)
        assert all(torch.isfinite(t).all() for t in result_and_gradients(case, backend="fused"))
    finally:
        torch.use_deterministic_algorithms(False)


def test_many_types_and_few_edges_do_not_build_a_product_for_each_type(
    monkeypatch, close, attention_case
):
    def refuse(inputs):
        raise AssertionError("fused")

    case = attention_case(200, 200, 40, num_types=1521)
    expected = edge_attention(**case, backend="fused")
    monkeypatch.setitem(
        __import__("sys").modules["tgraph_attn.ops.edge_attention"]._BACKENDS, "fused", refuse
    )
    close(edge_attention(**case), expected)
