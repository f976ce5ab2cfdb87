import io

import numpy as np
import pytest

from tgraph_attn.viz import draw_accuracy_by_size
from tgraph_attn.viz._style import SERIES

pytest.importorskip("matplotlib")

SIZES = [8, 2, 3, 9, 20, 24]
CORRECT = {"gcn": [0, 1, 1, 0, 1, 0], "sa": [1, 1, 0, 1, 1, 1]}


def lines(figure, count):
    return [
        (x.tolist(), y.tolist()) for x, y in (a.get_data() for a in figure.axes[0].lines[:count])
    ]


def shades(figure):
    from matplotlib.colors import to_hex

    filled = [c for c in figure.axes[0].collections if "FillBetween" in type(c).__name__]
    return {to_hex(c.get_facecolor()[0]): sum(map(len, c.get_paths())) for c in filled}


def test_a_point_is_the_accuracy_of_a_group_of_like_sizes():
    figure = draw_accuracy_by_size(SIZES, CORRECT, bins=3, title="R8")
    at = [2.5, 8.5, 22]
    assert lines(figure, 2) == [(at, [100, 0, 50]), (at, [50, 100, 100])]
    axes = figure.axes[0]
    assert axes.get_xlabel() == "nodes (3 groups of 2)" and axes.get_title(loc="left") == "R8"
    assert [text.get_text() for text in axes.texts] == ["gcn", "sa"]


def test_the_gap_between_two_has_the_colour_of_the_better_one():
    better = draw_accuracy_by_size(SIZES, {"gcn": [0] * 6, "sa": [1] * 6}, bins=3)
    assert shades(better)[SERIES[1]] > 0 and not shades(better).get(SERIES[0])
    assert all(shades(draw_accuracy_by_size(SIZES, CORRECT, bins=3)).values())
    assert not shades(draw_accuracy_by_size(SIZES, {"gcn": [1] * 6}))
    assert not shades(draw_accuracy_by_size(SIZES, {name: [1] * 6 for name in "abc"}))


def test_items_of_one_size_are_in_one_group():
    figure = draw_accuracy_by_size([5] * 7 + [7] * 3, {"gcn": [1] * 7 + [0] * 3}, bins=4)
    assert lines(figure, 1) == [([5, 7], [100, 0])]
    assert figure.axes[0].get_xlabel() == "nodes (2 groups of 3 to 7)"
    figure = draw_accuracy_by_size([5] * 9, {"gcn": [1] * 9})
    assert lines(figure, 1) == [([5], [100])]
    assert figure.axes[0].get_xlabel() == "nodes (1 group of 9)"
    figure.savefig(io.BytesIO(), format="png")


def test_a_line_through_a_point_is_one_standard_error_to_each_side():
    figure = draw_accuracy_by_size([3] * 16, {"gcn": [1, 0] * 8})
    (bars,) = (c for c in figure.axes[0].collections if type(c).__name__ == "LineCollection")
    assert bars.get_segments()[0][:, 1] == pytest.approx([50 - 12.5, 50 + 12.5])
    figure = draw_accuracy_by_size([3] * 16, {"gcn": [0.5] * 16})  # each right in half of the runs
    (bars,) = (c for c in figure.axes[0].collections if type(c).__name__ == "LineCollection")
    assert bars.get_segments()[0][:, 1] == pytest.approx([50, 50])


def test_fractions_of_runs_are_taken_and_ticks_are_round_and_inside():
    draw = np.random.default_rng(0)
    sizes = draw.integers(2, 300, 500)
    figure = draw_accuracy_by_size(sizes, {"gcn": draw.random(500), "sa": draw.random(500)})
    figure.savefig(io.BytesIO(), format="png")
    axes = figure.axes[0]
    assert len(axes.lines[0].get_xdata()) == 8
    low, high = axes.get_xlim()
    assert len(axes.get_xticks()) >= 3 and all(low <= tick <= high for tick in axes.get_xticks())
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert "50" in labels and "100" in labels


def test_a_part_of_a_figure_can_be_drawn_in():
    from matplotlib.figure import Figure

    whole = Figure(figsize=(8, 8))
    top, bottom = whole.subfigures(2, 1)
    assert draw_accuracy_by_size(SIZES, CORRECT, figure=top) is whole
    assert len(top.axes) == 1 and not bottom.axes


@pytest.mark.parametrize(
    ("sizes", "correct", "match"),
    [
        (SIZES, {}, "1 to 7 models, but has 0"),
        (SIZES, {str(n): [1] * 6 for n in range(8)}, "1 to 7 models, but has 8"),
        (SIZES, {"gcn": [1]}, r"one number for each item, but have shapes \[6\]"),
        ([], {"gcn": []}, "one number for each item"),
        ([0, 1], {"gcn": [1, 1]}, "each size must be above 0, but they range from 0.0"),
        ([1, 1], {"gcn": [1, 2]}, r"each number of correct must be in \[0, 1\]"),
        ([1, 1], {"gcn": [1, float("nan")]}, r"each number of correct must be in \[0, 1\]"),
    ],
)
def test_what_has_no_accuracy_is_refused(sizes, correct, match):
    with pytest.raises(ValueError, match=f"draw_accuracy_by_size: .*{match}"):
        draw_accuracy_by_size(sizes, correct)


def test_no_group_is_refused():
    with pytest.raises(ValueError, match="draw_accuracy_by_size: bins must be at least 1"):
        draw_accuracy_by_size(SIZES, CORRECT, bins=0)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("tgraph_attn._optional.is_available", lambda name: False)
    with pytest.raises(ImportError, match=r"draw_accuracy_by_size needs matplotlib"):
        draw_accuracy_by_size(SIZES, CORRECT)
