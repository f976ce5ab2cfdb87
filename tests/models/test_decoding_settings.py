import dataclasses
import json
import math

import pytest

from tgraph_attn.models import DecodingSettings


def test_settings_come_back_from_json():
    for given in (
        {},
        {"beams": 4, "length_penalty": 0.5, "min_length": 2},
        {"seed": 3, "temperature": 0.7, "top_p": 0.9},
    ):
        settings = DecodingSettings(**given)
        written = dataclasses.asdict(settings)
        assert DecodingSettings(**json.loads(json.dumps(written))) == settings
        assert {name: written[name] for name in given} == given


def test_settings_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        DecodingSettings().beams = 2


@pytest.mark.parametrize(
    ("given", "greedy"),
    [({}, True), ({"beams": 2}, False), ({"seed": 0}, False), ({"min_length": 1}, False)],
)
def test_only_the_defaults_are_greedy(given, greedy):
    assert DecodingSettings(**given).is_greedy == greedy


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"beams": 0}, r"beams must be at least 1, but got 0"),
        ({"min_length": -1}, r"min_length must be at least 0, but got -1"),
        ({"seed": -1}, r"seed must be at least 0, but got -1"),
        ({"beams": 2, "length_penalty": math.inf}, r"length_penalty must be a finite number, but"),
        ({"seed": 0, "temperature": 0.0}, r"temperature must be above 0, and finite, but got 0.0"),
        ({"seed": 0, "temperature": math.nan}, r"temperature must be above 0"),
        ({"seed": 0, "top_p": 0.0}, r"top_p must be above 0, and at most 1, but got 0.0. Leave it"),
        ({"seed": 0, "top_p": 1.1}, r"top_p must be above 0, and at most 1, but got 1.1"),
        ({"seed": 0, "beams": 2}, r"beams must be 1 where words are drawn, but are 2, with seed=0"),
        (
            {"length_penalty": 0.5},
            r"length_penalty must be 1 where it has no .* Pass beams=4",
        ),
        (
            {"temperature": 0.5},
            r"temperature must be 1 where it has no effect, but is 0.5. Pass s",
        ),
        ({"beams": 2, "top_p": 0.5}, r"top_p must be 1 where it has no effect, but is 0.5"),
    ],
)
def test_a_number_out_of_range_or_without_effect_is_refused(given, message):
    with pytest.raises(ValueError, match="^DecodingSettings: " + message):
        DecodingSettings(**given)


@pytest.mark.parametrize(
    "given", [{"beams": 2.0}, {"seed": 0.5}, {"temperature": "1"}, {"top_p": None}, {"beams": True}]
)
def test_a_value_of_another_type_is_refused(given):
    [name] = given
    with pytest.raises(TypeError, match=f"^DecodingSettings: {name} must be a"):
        DecodingSettings(**given)
