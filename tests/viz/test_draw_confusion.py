import io

import numpy as np
import pytest
import torch

from tgraph_attn.viz import draw_confusion

pytest.importorskip("matplotlib")


def drawn(k, items=2000, figure=None):
    draw = np.random.default_rng(k)
    truth = draw.choice(k, items, p=draw.dirichlet([0.5] * k))
    predicted = np.where(draw.random(items) < 0.8, truth, draw.integers(k, size=items))
    classes = [f"class-{'x' * (n % 9)}{n}" for n in range(k)]
    return draw_confusion(truth, predicted, classes, title=f"{k} classes", figure=figure), truth


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_cells_are_parts_of_their_row_and_say_their_counts():
    truth, predicted = torch.tensor([0, 0, 0, 0, 1, 1]), torch.tensor([0, 0, 0, 1, 0, 0])
    figure = draw_confusion(truth, predicted, ["corn", "oil", "tin"], title="Test")
    axes = figure.axes[0]
    assert texts(figure) == ["3", "1", "2", "items", "4", "2", "0"]
    places = [text.get_position() for text in axes.texts[:3]]
    assert places == [(0, 0), (1, 0), (0, 1)]  # predicted across, true down
    shown = axes.images[0].get_array()
    assert (shown[2] == 1).all() and (shown[1, 1] == 1).all()  # white where nothing is
    assert shown[1, 0].sum() < shown[0, 1].sum() < 3  # all of a row, and a quarter of one
    assert shown[0, 0, 2] > shown[0, 0, 0] and shown[1, 0, 2] < shown[1, 0, 0]  # blue and red
    assert [t.get_text() for t in axes.get_yticklabels()] == ["corn", "oil", "tin"]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["corn", "oil", "tin"]


@pytest.mark.parametrize("k", [1, 2, 8, 23, 52])
def test_each_number_is_in_its_cell_and_each_name_inside_the_picture(k):
    figure, truth = drawn(k)
    figure.savefig(io.BytesIO(), format="png")
    axes = figure.axes[0]
    right = axes.transData.transform([(0, 0), (1, 1)])
    side = abs(right[1] - right[0]).min()
    numbers = [text for text in axes.texts if text.get_ha() == "center"]
    assert len(numbers) >= k / 2
    for text in numbers:
        box = text.get_window_extent()
        assert box.width < side and box.height < side
    names = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts]
    for box in [name.get_window_extent() for name in names] + [
        axes.xaxis.label.get_window_extent()
    ]:
        assert figure.bbox.contains(box.x0, box.y0) and figure.bbox.contains(box.x1, box.y1)
    assert texts(figure)[-k:] == [f"{n:,}" for n in np.bincount(truth, minlength=k)]


def test_numbers_that_do_not_fit_are_left_out():
    figure = draw_confusion(np.zeros(10**6, int), np.zeros(10**6, int), [str(n) for n in range(52)])
    assert texts(figure)[:2] == ["items", "1,000,000"]


@pytest.mark.parametrize("size", [(8, 4), (3, 8)])
def test_a_part_of_a_figure_can_be_drawn_in(size):
    from matplotlib.figure import Figure

    whole = Figure(figsize=size)
    top, bottom = whole.subfigures(2, 1)
    assert drawn(8, figure=top)[0] is whole
    assert len(top.axes) == 2 and not bottom.axes
    whole.savefig(io.BytesIO(), format="png")
    box = top.axes[0].get_window_extent()
    assert box.width == pytest.approx(box.height)  # cells are square


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        (([], [], ["a"]), ValueError, "one class for each item, but have 0 and 0"),
        (([0], [0, 1], ["a", "b"]), ValueError, "one class for each item, but have 1 and 2"),
        (([0, 2], [0, 1], ["a", "b"]), ValueError, r"truth must be in \[0, 2\), but ranges"),
        (([0, 1], [0, -1], ["a", "b"]), ValueError, r"predicted must be in \[0, 2\)"),
        (([0.5], [0], ["a"]), TypeError, "truth must hold whole numbers"),
        (([0], [0], [1]), TypeError, "classes must hold str"),
        (([0], [0], []), ValueError, "1 to 200 classes, but there are 0"),
        (([0], [0], ["a"] * 201), ValueError, "1 to 200 classes, but there are 201"),
    ],
)
def test_what_has_no_confusion_is_refused(arguments, error, match):
    with pytest.raises(error, match=f"draw_confusion: .*{match}"):
        draw_confusion(*arguments)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r"draw_confusion needs matplotlib"):
        draw_confusion([0], [0], ["a"])
