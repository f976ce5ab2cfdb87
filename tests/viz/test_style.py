from tgraph_attn.viz._style import MARKERS, MONOSPACE, MONOSPACE_WIDTH, SERIES


def test_each_series_has_its_own_colour_and_marker():
    assert len(set(SERIES)) == len(SERIES) == len(set(MARKERS))


def test_a_character_of_the_type_is_as_wide_as_it_says():
    font_manager = __import__("pytest").importorskip("matplotlib.font_manager")
    from matplotlib.textpath import TextPath

    face = font_manager.FontProperties(family=MONOSPACE)
    assert font_manager.findfont(face, fallback_to_default=False).endswith("DejaVuSansMono.ttf")
    begins = [TextPath((0, 0), text, 100, prop=face).get_extents().x1 for text in ("H", "HH")]
    assert abs(begins[1] - begins[0] - 100 * MONOSPACE_WIDTH) < 0.5
