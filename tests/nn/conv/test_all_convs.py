"""What every layer promises."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor
from torch._dynamo.testing import CompileCounterWithBackend
from torch_geometric.explain import AttentionExplainer, Explainer, GNNExplainer
from torch_geometric.explain.algorithm.utils import clear_masks, set_masks
from torch_geometric.nn import MessagePassing

from tgraph_attn.nn.conv import (
    GATConv,
    GCNConv,
    RelationAttentionConv,
    SelfAttentionConv,
    TreeAttentionConv,
)
from tgraph_attn.nn.conv._full_edges import full_edges

RELATIONS = {"ancestor": (1, 2), "sibling": (2, 2)}


@dataclass
class Layer:
    make: Callable[[], MessagePassing]
    inputs: Callable  # of a forest: what follows x
    attends: bool = True
    width: int = 8


def ancestor(forest):
    return forest.edges["ancestor"][:1]


def typed(forest):
    return forest.edges["ancestor"][:2]


def weighted(forest):
    index, types, _ = forest.edges["ancestor"]
    return index, 1 + 0.25 * types


def weighted_and_typed(forest):
    return *weighted(forest), forest.edges["ancestor"][1]


LAYERS = {
    "relation, bias": Layer(
        lambda: RelationAttentionConv(6, 4, num_types=5, heads=2, bias_std=1.0), typed
    ),
    "relation, disentangled": Layer(
        lambda: RelationAttentionConv(6, 4, num_types=5, heads=2, form="disentangled", bias=True),
        typed,
    ),
    "tree": Layer(
        lambda: TreeAttentionConv(6, 4, relations=RELATIONS), lambda f: (f.edges,), width=12
    ),
    "self": Layer(lambda: SelfAttentionConv(6, 4, heads=2), lambda f: (f.batch,)),
    "gcn": Layer(lambda: GCNConv(6, 8), weighted, attends=False),
    "gcn, typed": Layer(
        lambda: GCNConv(6, 8, num_types=5, gate=True), weighted_and_typed, attends=False
    ),
    "gat": Layer(lambda: GATConv(6, 4, heads=2), ancestor),
    "gat, typed": Layer(lambda: GATConv(6, 4, heads=2, num_types=5, bias=False), typed),
}
ATTEND = {name: layer for name, layer in LAYERS.items() if layer.attends}
TAKE_EDGES = {name: layer for name, layer in LAYERS.items() if name != "self"}
every_layer = pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS)
layer_that_attends = pytest.mark.parametrize("layer", ATTEND.values(), ids=ATTEND)
layer_that_takes_edges = pytest.mark.parametrize("layer", TAKE_EDGES.values(), ids=TAKE_EDGES)


def drawn(layer: Layer) -> MessagePassing:
    """The layer, with no parameter at zero."""
    conv = layer.make()
    with torch.no_grad():
        for parameter in conv.parameters():
            parameter.copy_(0.5 * torch.randn_like(parameter))
    return conv


def features(forest, dtype=torch.float64):
    return torch.randn(forest.num_nodes, 6, dtype=dtype)


def converted(inputs, dtype=torch.float64):
    return [t.to(dtype) if isinstance(t, Tensor) and t.is_floating_point() else t for t in inputs]


@every_layer
def test_renaming_nodes_renames_the_output(layer, forest, close):
    conv, tree = drawn(layer).double(), forest()
    x = features(tree)
    place = torch.tensor([2, 7, 0, 3, 1, 6, 4, 5])
    order = place.argsort()
    out = conv(x[order], *converted(layer.inputs(tree.renamed(place))))
    close(out[place], conv(x, *converted(layer.inputs(tree))))


@every_layer
def test_a_batch_gives_what_each_tree_gives_alone(layer, forest):
    trees = [-1, 0, 1, 1, 0], [-1, 0], [-1], [-1, *range(39)]
    conv = drawn(layer)
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        chosen = [trees[t] for t in order]
        batch = forest(*chosen)
        x = features(batch, torch.float32)
        alone = [
            conv(part, *layer.inputs(forest(tree)))
            for tree, part in zip(chosen, x.split([len(tree) for tree in chosen]), strict=True)
        ]
        difference = conv(x, *layer.inputs(batch)) - torch.cat(alone)
        assert difference.abs().max() <= 1e-6


@every_layer
@pytest.mark.parametrize("self_edges", [True, False])
def test_lone_nodes_give_finite_numbers_twice_the_same(layer, forest, self_edges):
    conv, lone = drawn(layer), forest([-1], [-1], [-1], [-1], self_edges=self_edges)
    x = features(lone, torch.float32).requires_grad_()
    first, second = (conv(x, *layer.inputs(lone)) for _ in range(2))
    first.sum().backward()
    assert first.shape == (4, layer.width)
    assert first.isfinite().all() and torch.equal(first, second)
    assert all(t.grad is None or t.grad.isfinite().all() for t in [x, *conv.parameters()])


@layer_that_takes_edges
def test_a_node_that_no_edge_enters_gets_zeros_or_the_bias(layer, forest):
    conv, lone = drawn(layer), forest([-1], [-1], self_edges=False)
    out = conv(features(lone, torch.float32), *layer.inputs(lone))
    bias = getattr(conv, "bias", None)
    is_added = bias is not None and bias.dim() == 1
    assert torch.equal(out, (bias if is_added else torch.zeros(layer.width)).expand(2, -1))


@every_layer
def test_no_node_at_all_gives_no_row(layer, forest):
    none = forest()
    none.batch = none.batch[:0]
    none.edges = {k: (i[:, :0], t[:0], None) for k, (i, t, _) in none.edges.items()}
    assert layer.make()(torch.randn(0, 6), *layer.inputs(none)).shape == (0, layer.width)


@every_layer
def test_a_loaded_state_gives_the_same_output(layer, forest):
    conv, other, tree = drawn(layer), layer.make(), forest()
    x = features(tree, torch.float32)
    other.load_state_dict(conv.state_dict())
    copies = [other, copy.deepcopy(conv), pickle.loads(pickle.dumps(conv))]
    for one in copies:
        assert torch.equal(one(x, *layer.inputs(tree)), conv(x, *layer.inputs(tree)))


@every_layer
def test_resetting_draws_other_parameters(layer):
    conv = layer.make()
    before = conv.state_dict()
    before = {name: value.clone() for name, value in before.items()}
    conv.reset_parameters()
    weights = [name for name in before if before[name].ne(0).any()]
    assert weights and all(conv.state_dict()[name].ne(before[name]).any() for name in weights)


@every_layer
def test_each_parameter_learns(layer, forest):
    conv, tree = drawn(layer), forest()
    conv(features(tree, torch.float32), *layer.inputs(tree)).square().sum().backward()
    assert all(parameter.grad.abs().sum() > 0 for parameter in conv.parameters())


@every_layer
def test_training_twice_with_one_seed_gives_the_same_bits(layer, forest):
    tree = forest()

    def trained():
        torch.manual_seed(3)
        conv, x = layer.make(), features(tree, torch.float32)
        if layer.attends:
            conv.dropout = 0.5
        optimizer = torch.optim.Adam(conv.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            conv(x, *layer.inputs(tree)).square().mean().backward()
            optimizer.step()
        return torch.cat([parameter.detach().flatten() for parameter in conv.parameters()])

    assert torch.equal(trained(), trained())


@layer_that_attends
def test_dropout_is_for_training_alone(layer, forest):
    conv, tree = drawn(layer), forest()
    x = features(tree, torch.float32)
    plain = conv(x, *layer.inputs(tree))
    conv.dropout = 0.5
    assert not torch.equal(conv(x, *layer.inputs(tree)), plain)
    assert torch.equal(conv.eval()(x, *layer.inputs(tree)), plain)


@layer_that_attends
def test_dropout_is_the_same_where_messages_are_sent_one_by_one(layer, forest, close):
    conv, tree = drawn(layer), forest()
    x = features(tree, torch.float32)
    plain = conv(x, *layer.inputs(tree))
    conv.dropout = 0.5
    conv.register_message_forward_hook(lambda *_: None)
    draws = torch.stack([conv(x, *layer.inputs(tree)) for _ in range(400)])
    assert draws.std(0).gt(0).any()
    error = draws.std(0) / 400**0.5
    assert ((draws.mean(0) - plain).abs() <= 5 * error + 1e-6).all()


@every_layer
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("autocast", [True, False])
def test_half_precision_gives_about_what_float32_gives(layer, forest, dtype, autocast):
    half, tree = drawn(layer).to(dtype), forest()
    x = (0.5 * features(tree)).to(dtype)
    inputs = converted(layer.inputs(tree), torch.float32)
    conv = copy.deepcopy(half).float()
    expected = conv(x.float(), *inputs)
    if autocast:
        half = copy.deepcopy(conv)
        with torch.autocast("cpu", dtype):
            out = half(x.float(), *inputs)
    else:
        out = half(x, *converted(inputs, dtype))
    assert out.dtype == dtype
    torch.testing.assert_close(out.float(), expected, atol=1e-2, rtol=1e-2)
    out.float().sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in half.parameters())


@every_layer
def test_features_of_another_width_are_refused(layer, forest):
    tree = forest()
    with pytest.raises(ValueError, match=r"x must be floating of shape \[N, 6\], but got"):
        layer.make()(torch.randn(tree.num_nodes, 5), *layer.inputs(tree))
    with pytest.raises(ValueError, match=r"x must be floating of shape \[N, 6\], but got"):
        layer.make()(torch.ones(tree.num_nodes, 6, dtype=torch.int64), *layer.inputs(tree))


@layer_that_takes_edges
def test_an_edge_to_a_node_that_is_not_there_is_refused(layer, forest):
    tree = forest()
    with pytest.raises(ValueError, match=r"must be in \[0, 7\), but ranges from 0 to 7"):
        layer.make()(torch.randn(7, 6), *layer.inputs(tree))


@every_layer
def test_a_size_below_one_is_refused(layer):
    kind = type(layer.make())
    types = {"num_types": 2} if kind is RelationAttentionConv else {}
    with pytest.raises(ValueError, match=f"{kind.__name__}: in_channels must be at least 1"):
        kind(0, 4, **types)
    with pytest.raises(ValueError, match=f"{kind.__name__}: out_channels must be at least 1"):
        kind(4, 0, **types)
    if layer.attends:
        with pytest.raises(ValueError, match=rf"{kind.__name__}: dropout must be in \[0, 1\)"):
            kind(4, 4, dropout=1.0, **types)


@every_layer
def test_repr_names_the_layer_and_its_channels(layer):
    conv = layer.make()
    assert repr(conv) == f"{type(conv).__name__}(6, {conv.out_channels})"


# PyG sees the messages ---------------------------------------------------------------------------


@every_layer
def test_pyg_compiled_the_layer(layer):
    conv = layer.make()
    name = type(conv).__name__
    assert type(conv).propagate.__module__.endswith(f"{name}_propagate")


@every_layer
def test_messages_one_by_one_equal_the_fused_op(layer, forest, same):
    trees = forest([-1, 0, 1, 1, 0], [-1], [-1, 0])
    conv, x = drawn(layer).double(), features(trees).requires_grad_()
    inputs = converted(layer.inputs(trees))
    fused = conv(x, *inputs)
    seen = []
    handle = conv.register_message_forward_hook(lambda *given: seen.append(given[1][0]))
    one_by_one = conv(x, *inputs)
    handle.remove()
    assert len(seen) == 1 and "alpha" in seen[0]
    same(one_by_one, fused, x, *conv.parameters())
    conv(x, *inputs)
    assert len(seen) == 1


class Explained(torch.nn.Module):
    """The layer as the explainers take it: x, one edge_index, and the rest by keyword."""

    def __init__(self, conv, graph_level=False):
        super().__init__()
        self.conv, self.graph_level = conv, graph_level

    def forward(self, x, edge_index, edge_weight=None, edge_type=None, batch=None):
        if isinstance(self.conv, SelfAttentionConv):
            out = self.conv(x, batch)
        elif isinstance(self.conv, GCNConv):
            out = self.conv(x, edge_index, edge_weight, edge_type)
        else:
            out = self.conv(x, edge_index, edge_type)
        return out.mean(0, keepdim=True) if self.graph_level else out


def explained_inputs(conv, forest):
    """Edge_index, and the rest by keyword."""
    index, types, _ = forest.edges["ancestor"]
    if isinstance(conv, SelfAttentionConv):
        every = full_edges("test", torch.empty(forest.num_nodes), forest.batch)
        return every, {"batch": forest.batch}
    if isinstance(conv, TreeAttentionConv):
        index, types = conv.pack(forest.edges)
        return index, {"edge_type": types}
    weight = {"edge_weight": weighted(forest)[1]} if isinstance(conv, GCNConv) else {}
    return index, weight | ({} if conv.num_types is None else {"edge_type": types})


def explain(algorithm, model, x, edge_index, given, level, **masks):
    config = {"mode": "regression", "task_level": level, "return_type": "raw"}
    explainer = Explainer(model, algorithm, explanation_type="model", model_config=config, **masks)
    return explainer(x, edge_index, index=1 if level == "node" else None, **given)


@every_layer
@pytest.mark.parametrize("level", ["node", "graph"])
@pytest.mark.parametrize("edge_mask", ["object", None])
def test_gnn_explainer_explains(layer, forest, level, edge_mask, close):
    conv, tree = drawn(layer).eval(), forest()
    model, x = Explained(conv, level == "graph"), features(tree, torch.float32)
    edge_index, given = explained_inputs(conv, tree)
    plain = model(x, edge_index, **given)
    masks = {"node_mask_type": "attributes", "edge_mask_type": edge_mask}
    explanation = explain(GNNExplainer(epochs=3), model, x, edge_index, given, level, **masks)
    close(explanation.prediction, plain)
    assert explanation.node_mask.shape == x.shape and explanation.node_mask.gt(0).any()
    if edge_mask:
        assert explanation.edge_mask.shape == edge_index.shape[1:]
        assert explanation.edge_mask.gt(0).any()
    assert torch.equal(model(x, edge_index, **given), plain)


@every_layer
@pytest.mark.parametrize("level", ["node", "graph"])
def test_attention_explainer_reads_the_weights(layer, forest, level, close):
    conv, tree = drawn(layer).eval(), forest()
    model, x = Explained(conv, level == "graph"), features(tree, torch.float32)
    edge_index, given = explained_inputs(conv, tree)
    masks = {"edge_mask_type": "object"}
    explanation = explain(AttentionExplainer(), model, x, edge_index, given, level, **masks)
    assert explanation.edge_mask.shape == edge_index.shape[1:]
    if layer.attends and level == "graph":
        inputs = (edge_index, given["edge_type"]) if "edge_type" in given else (edge_index,)
        inputs = (tree.batch,) if isinstance(conv, SelfAttentionConv) else inputs
        _, weights = conv(x, *inputs, return_attention_weights=True)
        pairs = weights.values() if isinstance(weights, dict) else [weights]
        close(explanation.edge_mask, torch.cat([alpha.amax(1) for _, alpha in pairs]))


@every_layer
def test_the_mask_of_an_edge_scales_its_message(layer, forest, close):
    conv, tree = drawn(layer).eval(), forest()
    model, x = Explained(conv), features(tree, torch.float32)
    edge_index, given = explained_inputs(conv, tree)
    plain = model(x, edge_index, **given)
    set_masks(model, torch.ones(edge_index.size(1)), edge_index, apply_sigmoid=False)
    close(model(x, edge_index, **given), plain)
    set_masks(model, torch.full((edge_index.size(1),), 0.5), edge_index, apply_sigmoid=False)
    half = model(x, edge_index, **given)
    bias = conv.bias if getattr(conv, "bias", None) is not None else torch.zeros(1)
    bias = bias if bias.dim() == 1 else torch.zeros(1)
    close(2 * (half - bias), plain - bias)
    clear_masks(model)
    assert torch.equal(model(x, edge_index, **given), plain)


# torch.compile -----------------------------------------------------------------------------------


@every_layer
def test_compiles_whole_and_at_most_twice_for_three_sizes(layer, forest, same):
    conv = drawn(layer).double()
    torch._dynamo.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(conv, fullgraph=True, dynamic=True, backend=counter)
    for parent in ([-1, 0, 1, 1, 0], [-1, *range(11)], [-1, *[0] * 30]):
        tree = forest(parent)
        x = features(tree).requires_grad_()
        inputs = (None,) if layer is LAYERS["self"] else converted(layer.inputs(tree))
        same(compiled(x, *inputs), conv(x, *inputs), x, *conv.parameters())
    assert counter.frame_count <= 2
