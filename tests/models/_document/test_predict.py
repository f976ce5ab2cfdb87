import pytest
import torch
from torch.nn import Linear, Module
from torch_geometric.data import Batch

from tgraph_attn.models._document.predict import as_batch, predict, watching


class Fixed(Module):
    """Gives the logits it was made with, and zeros in training."""

    def __init__(self, logits):
        super().__init__()
        self.lin, self.logits = Linear(1, 1), logits

    def forward(self, batch):
        return self.logits[: batch.num_graphs] * (not self.training)


def test_each_document_has_its_likeliest_class_and_all_probabilities_the_likeliest_first(graph):
    logits = torch.tensor([[0.0, 2.0, 1.0], [9.0, 0.0, 0.0]])
    model = Fixed(logits).train()
    first, second = predict(model, graph, ["a", "b", "c"], ["oil", "corn"])
    assert (first.label, second.label) == ("b", "a") and model.training
    assert list(first.probabilities) == ["b", "c", "a"]
    assert list(first.probabilities.values()) == pytest.approx(
        logits[0].softmax(0)[[1, 2, 0]].tolist()
    )
    assert list(second.probabilities) == ["a", "b", "c"]  # of equal ones the first


def test_half_precision_is_no_obstacle(graph):
    [found] = predict(Fixed(torch.tensor([[0.0, 2.0]]).bfloat16()), graph, ["a", "b"], "oil")
    assert sum(found.probabilities.values()) == pytest.approx(1)


def test_no_gradient_is_kept(graph):
    logits = torch.zeros(1, 2, requires_grad=True)
    predict(Fixed(logits), graph, ["a", "b"], "oil")
    assert logits.grad is None


def test_texts_become_one_batch_in_their_order_and_graphs_stay(graph):
    batch = as_batch("test", graph, ["oil price", "", "corn"])
    assert batch.num_graphs == 3 and batch.x.tolist() == [3, 4, 2, 2, 9, 2]
    assert as_batch("test", graph, "oil").num_graphs == 1
    data = graph("oil")
    assert as_batch("test", graph, data) is data
    batch = Batch.from_data_list([data, data])
    assert as_batch("test", graph, batch) is batch


@pytest.mark.parametrize("wrong", [None, 3, b"oil", [b"oil"], ["oil", 3], {"oil": 1}])
def test_what_is_no_text_and_no_graph_is_refused(graph, wrong):
    with pytest.raises(
        TypeError, match=r"test: (documents|each text) must be .* Pass a text, a li"
    ):
        as_batch("test", graph, wrong)


@pytest.mark.parametrize("none", [[], ()])
def test_no_document_is_refused(graph, none):
    with pytest.raises(ValueError, match="test: documents must be at least one, but there are non"):
        as_batch("test", graph, none)


class Layer(Module):
    def forward(self, x, *, return_attention_weights=None):
        return (2 * x, ("edges", x)) if return_attention_weights else 2 * x


def test_watched_layers_keep_their_weights_and_give_what_they_give():
    layer, seen = Layer(), []
    with watching([layer, Layer()], seen):
        assert layer(3) == 6 and layer(4) == 8
    assert seen == [("edges", 3), ("edges", 4)]
    assert layer(5) == 10 and len(seen) == 2


def test_layers_are_left_alone_after_an_error():
    layer = Layer()
    with pytest.raises(RuntimeError, match="stop"), watching([layer], []):
        raise RuntimeError("stop")
    assert layer(5) == 10 and not layer._forward_hooks and not layer._forward_pre_hooks
