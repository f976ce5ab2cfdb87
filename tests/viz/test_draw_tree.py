import io

import numpy as np
import pytest
import torch

from tgraph_attn.convert import tree_to_data
from tgraph_attn.parse import parse_code
from tgraph_attn.tree import Tree
from tgraph_attn.viz import draw_tree

matplotlib = pytest.importorskip("matplotlib")

TREE = Tree([-1, 0, 1, 1, 0], text=list("abcde"))
EDGES = torch.tensor([[0, 1, 2, 0, 4], [0, 2, 1, 3, 1]])
WEIGHT = torch.tensor([0.9, 0.8, 0.05, 0.5, 1.0])


def png(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def arrows(figure):
    return [p for p in figure.axes[0].patches if type(p).__name__ == "FancyArrowPatch"]


def frames(figure):
    return [p for p in figure.axes[0].patches if type(p).__name__ == "FancyBboxPatch"]


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_each_node_has_its_label_and_each_child_its_line():
    figure = draw_tree(TREE)
    assert texts(figure) == list("abcde")
    (lines,) = figure.axes[0].collections
    assert len(lines.get_segments()) == 4
    assert not arrows(figure) and not frames(figure) and figure.axes[0].get_legend() is None
    assert texts(draw_tree(TREE, labels=[*"vwxyz"])) == list("vwxyz")


def test_weights_from_the_least_on_are_drawn_wider_the_more_they_weigh():
    figure = draw_tree(TREE, attention=(EDGES, WEIGHT), min_weight=0.1)
    widths = [arrow.get_linewidth() for arrow in arrows(figure)]
    assert len(widths) == 3 and widths == sorted(widths) and widths[0] < widths[-1]
    assert len(frames(figure)) == 1  # node 0 attends to itself
    assert len(arrows(draw_tree(TREE, attention=(EDGES, WEIGHT), min_weight=0))) == 4
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert len(legend) == 3 and "from key to query" in legend[1] and "below 0.1" in legend[1]


def test_curve_leads_from_the_key_to_the_query():
    figure = draw_tree(TREE, attention=(EDGES[:, 1:2], WEIGHT[1:2]))
    path = arrows(figure)[0]._path_original.vertices
    key, query = (figure.axes[0].texts[node].get_position() for node in (1, 2))
    assert (path[0][0], path[-1][0]) == pytest.approx((key[0], query[0]))
    assert key[1] < path[0][1] < path[-1][1] < query[1]


def test_no_two_labels_overlap():
    source = "def f(a, b=None):\n    return [g(x, y=2) for x in a if not b]"
    figure = draw_tree(parse_code(source, "python"))
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    for number, box in enumerate(boxes):
        assert figure.bbox.contains(box.x0, box.y0) and figure.bbox.contains(box.x1, box.y1)
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_a_graph_is_drawn_like_its_tree():
    assert png(draw_tree(tree_to_data(TREE))) == png(draw_tree(TREE))


def test_in_a_part_of_a_figure_all_gets_smaller():
    from matplotlib.figure import Figure

    whole = Figure(figsize=(1.5, 3))
    left, _ = whole.subfigures(1, 2)
    assert draw_tree(TREE, attention=(EDGES, WEIGHT), title="Title", figure=left) is whole
    alone = draw_tree(TREE, attention=(EDGES, WEIGHT), title="Title")
    sizes = [figure.axes[0].texts[0].get_fontsize() for figure in (left, alone)]
    assert sizes[0] < 0.3 * sizes[1]
    png(whole)
    assert all(t.get_window_extent().x1 <= left.bbox.x1 for t in left.axes[0].texts)


def test_labels_are_no_formulas_and_pyplot_keeps_nothing():
    figure = draw_tree(Tree([-1, 0], text=["a_$x", "b$"]), title="Cost in $ or $")
    assert texts(figure) == ["a_$x", "b$", "Cost in $ or $"]
    assert png(figure)
    from matplotlib._pylab_helpers import Gcf

    assert not Gcf.figs


def test_a_lone_node_and_no_edges_are_drawn():
    assert png(draw_tree(Tree([-1]), attention=(torch.empty(2, 0, dtype=torch.long), [])))


@pytest.mark.parametrize(
    ("attention", "message"),
    [
        ((EDGES, WEIGHT[:4]), r"one weight for each of the 5 edges, but their shape is \[4\]"),
        ((EDGES, torch.ones(5, 2)), r"one weight for each of the 5 edges.*alpha\[:, 0\]"),
        ((EDGES + 1, WEIGHT), r"edge_index must be in \[0, 4\], but ranges from 1 to 5"),
        ((EDGES, -WEIGHT), r"weight must be in \[0, 1\]"),
        ((EDGES, WEIGHT * torch.nan), r"weight must be in \[0, 1\]"),
        ((EDGES[:1], WEIGHT), r"edge_index must have shape \[2, any\]"),
    ],
)
def test_attention_that_does_not_fit_is_refused(attention, message):
    with pytest.raises(ValueError, match=f"draw_tree: .*{message}|draw_tree: {message}"):
        draw_tree(TREE, attention=attention)


def test_labels_of_another_tree_are_refused():
    with pytest.raises(
        ValueError, match="draw_tree: labels must have one string for each of the 5"
    ):
        draw_tree(TREE, labels=["a"])


def test_too_large_a_tree_is_refused():
    with pytest.raises(ValueError, match=r"at most 1,000 nodes, but this tree has 1,001.*truncate"):
        draw_tree(Tree(np.arange(-1, 1000)))


def test_least_weight_out_of_range_is_refused():
    with pytest.raises(ValueError, match=r"draw_tree: min_weight must be in \[0, 1\)"):
        draw_tree(TREE, min_weight=1.5)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r"draw_tree needs matplotlib.*tgraph_attn\[viz\]"):
        draw_tree(TREE)
