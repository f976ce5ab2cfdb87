import pytest
import torch
import torch_geometric

from tgraph_attn.nn.conv import GCNConv

EDGE_INDEX = torch.tensor([[0, 0, 1, 2, 1, 3, 2], [1, 2, 0, 0, 2, 3, 2]])
EDGE_TYPE = torch.tensor([1, 1, 2, 2, 0, 0, 2])


def inputs():
    x = torch.randn(5, 6, dtype=torch.float64, requires_grad=True)
    return x, torch.rand(7, dtype=torch.float64).requires_grad_()


def drawn(**options):
    conv = GCNConv(6, 4, **options).double()
    for parameter in conv.parameters():
        torch.nn.init.normal_(parameter)
    return conv


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("bias", [True, False])
def test_equals_pyg_on_copied_weights(weighted, normalize, bias, same):
    conv = drawn(normalize=normalize, bias=bias)
    pyg = torch_geometric.nn.GCNConv(
        6, 4, add_self_loops=False, normalize=normalize, bias=bias
    ).double()
    pyg.load_state_dict(conv.state_dict())
    x, weight = inputs()
    weight = weight if weighted else None
    given = [x, weight] if weighted else [x]
    names = dict(conv.named_parameters())
    same(
        conv(x, EDGE_INDEX, weight),
        pyg(x, EDGE_INDEX, weight),
        *(*given, *names.values()),
        others=[*given, *(pyg.get_parameter(name) for name in names)],
    )


@pytest.mark.parametrize("gate", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shared", [None, [1, 0, 0]])
@pytest.mark.parametrize("normalize", [None, True])
def test_types_equal_the_sum_over_edges(gate, bias, shared, normalize, same):
    conv = drawn(num_types=3, gate=gate, bias=bias, weight_of_type=shared, normalize=normalize)
    x, weight = inputs()
    matrices = conv.lin.weight.view(-1, 4, 6)
    assert matrices.size(0) == (3 if shared is None else 2)
    degree = [weight[EDGE_INDEX[1] == n].sum() for n in range(5)]
    rows = [0 * x[0, :4] for _ in range(5)]
    for e, ((j, i), r) in enumerate(zip(EDGE_INDEX.t().tolist(), EDGE_TYPE.tolist(), strict=True)):
        m = r if shared is None else shared[r]
        message = matrices[m] @ x[j]
        if bias:
            message = message + conv.bias[r]
        if gate:
            message = message * (conv.lin_gate.weight[m] @ x[j] + conv.gate_bias[r]).sigmoid()
        if normalize:
            message = message / (degree[i] * degree[j]).sqrt()
        rows[i] = rows[i] + weight[e] * message
    out = conv(x, EDGE_INDEX, weight, EDGE_TYPE)
    same(out, torch.stack(rows), x, weight, *conv.parameters())
    assert out[4].eq(0).all()


def test_attention_is_the_normalised_weight(close):
    conv, seen = drawn(), []
    conv.register_message_forward_hook(lambda *given: seen.append(given[1][0]["alpha"]))
    x, _ = inputs()
    conv(x, torch.tensor([[0, 1, 0], [0, 0, 1]]), torch.tensor([1.0, 3.0, 4.0]).double())
    close(seen[0], torch.tensor([0.25, 0.75, 1.0]).double())


def test_weights_that_sum_to_zero_give_finite_gradients():
    conv, (x, _) = drawn(), inputs()
    weight = torch.zeros(7, dtype=torch.float64, requires_grad=True)
    conv(x, EDGE_INDEX, weight).sum().backward()
    assert weight.grad.isfinite().all() and x.grad.isfinite().all()


def test_types_must_be_given_where_there_are_types_and_only_there():
    x = torch.randn(5, 6)
    with pytest.raises(ValueError, match="GCNConv: edge_type must be None in a layer without type"):
        GCNConv(6, 4)(x, EDGE_INDEX, None, EDGE_TYPE)
    with pytest.raises(ValueError, match="GCNConv: edge_type must hold the type of each edge"):
        GCNConv(6, 4, num_types=3)(x, EDGE_INDEX)
    with pytest.raises(ValueError, match=r"GCNConv: edge_type must be in \[0, 2\)"):
        GCNConv(6, 4, num_types=2)(x, EDGE_INDEX, None, EDGE_TYPE)
    with pytest.raises(ValueError, match=r"edge_type must have one row per edge \(7\)"):
        GCNConv(6, 4, num_types=3)(x, EDGE_INDEX, None, EDGE_TYPE[1:])
    with pytest.raises(ValueError, match=r"edge_weight must have one row per edge \(7\)"):
        GCNConv(6, 4)(x, EDGE_INDEX, torch.ones(6))


@pytest.mark.parametrize("wrong", [EDGE_TYPE, torch.ones(7, 2)])
def test_types_or_features_are_not_taken_for_weights(wrong):
    with pytest.raises(ValueError, match=r"GCNConv: edge_weight must be floating of shape \[E\]"):
        GCNConv(6, 4)(torch.randn(5, 6), EDGE_INDEX, wrong)


def test_options_of_types_without_types_are_refused():
    with pytest.raises(ValueError, match="gate and weight_of_type must come with num_types"):
        GCNConv(6, 4, gate=True)
    with pytest.raises(ValueError, match="gate and weight_of_type must come with num_types"):
        GCNConv(6, 4, weight_of_type=[0])
    with pytest.raises(ValueError, match="num_types must be at least 1"):
        GCNConv(6, 4, num_types=0)


@pytest.mark.parametrize("wrong", [[0, 1], [0, 0, 2], [1, 2, 3], [-1, 0, 1]])
def test_a_wrong_number_of_matrices_is_refused(wrong):
    with pytest.raises(ValueError, match=r"weight_of_type must have one of the numbers 0, 1, \.\."):
        GCNConv(6, 4, num_types=3, weight_of_type=wrong)
