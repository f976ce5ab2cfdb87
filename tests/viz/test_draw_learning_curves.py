import io

import pytest

from tgraph_attn.viz import draw_learning_curves

pytest.importorskip("matplotlib")

CURVES = {"tree": [0.1, 0.3, 0.4], "gcn": [0.1, 0.2, 0.399], "gat": [0.2, 0.4]}


def test_each_curve_has_its_values_its_name_and_its_colour():
    axes = draw_learning_curves(CURVES, title="F1", xlabel="step").axes[0]
    for line, name in zip(axes.lines, CURVES, strict=True):
        assert line.get_ydata().tolist() == CURVES[name]
        assert line.get_xdata().tolist() == list(range(1, len(CURVES[name]) + 1))
    assert [text.get_text() for text in axes.texts] == list(CURVES)
    assert [t.get_color() for t in axes.texts] == [line.get_color() for line in axes.lines]
    assert len({line.get_color() for line in axes.lines}) == 3
    assert (axes.get_title(loc="left"), axes.get_xlabel()) == ("F1", "step")


def test_references_are_lines_from_side_to_side():
    axes = draw_learning_curves({"tree": [0.5]}, references={"guess": 0.25}).axes[0]
    assert list(axes.lines[-1].get_ydata()) == [0.25, 0.25]
    assert axes.get_ylim()[0] < 0.25 < 0.5 < axes.get_ylim()[1]


def test_no_two_names_overlap_and_all_are_inside():
    from matplotlib.text import Text

    references = {"nearest neighbour by TF-IDF": 0.4005, "the most frequent name": 0.1}
    figure = draw_learning_curves(CURVES, references=references)
    figure.savefig(io.BytesIO(), format="png")
    boxes = [Text.get_window_extent(text) for text in figure.axes[0].texts]
    for number, box in enumerate(boxes):
        assert figure.bbox.contains(box.x0, box.y0) and figure.bbox.contains(box.x1, box.y1)
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_a_part_of_a_figure_can_be_drawn_in():
    from matplotlib.figure import Figure

    whole = Figure(figsize=(8, 8))
    top, bottom = whole.subfigures(2, 1)
    assert draw_learning_curves(CURVES, figure=top) is whole
    assert len(top.axes) == 1 and not bottom.axes


@pytest.mark.parametrize("curves", [{}, {"a": []}, {str(n): [1.0] for n in range(8)}])
def test_too_few_and_too_many_curves_are_refused(curves):
    with pytest.raises(ValueError, match="draw_learning_curves: curves must be 1 to 7"):
        draw_learning_curves(curves)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r"draw_learning_curves needs matplotlib"):
        draw_learning_curves(CURVES)
