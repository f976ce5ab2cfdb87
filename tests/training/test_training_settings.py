import dataclasses
import json
import math

import numpy as np
import pytest

from tgraph_attn.training import TrainingSettings


def test_settings_come_back_from_json():
    every = {
        "epochs": 3,
        "batch_size": 8,
        "optimizer": "adamw",
        "lr": 0.01,
        "eps": 1e-6,
        "word_lr": 0.02,
        "encoder_lr": 0.03,
        "weight_decay": 1e-4,
        "schedule": "constant",
        "monitor": "loss",
        "patience": 2,
        "clip": None,
        "average": 0.9,
        "autocast": True,
        "seed": 7,
    }
    assert every.keys() == {field.name for field in dataclasses.fields(TrainingSettings)}
    for given in ({}, every):
        settings = TrainingSettings(**given)
        again = TrainingSettings(**json.loads(json.dumps(dataclasses.asdict(settings))))
        assert again == settings
    assert dataclasses.asdict(settings) == every != dataclasses.asdict(TrainingSettings())


def test_numbers_of_numpy_become_plain_ones():
    assert type(TrainingSettings(lr=np.float64(0.5)).lr) is float


def test_settings_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TrainingSettings().lr = 1.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"epochs": 0}, r"TrainingSettings: epochs must be at least 1, but got 0"),
        ({"batch_size": 0}, r"batch_size must be at least 1"),
        ({"patience": 0}, r"patience must be at least 1"),
        ({"optimizer": "sgd"}, r"optimizer must be one of \['adam', 'adamw'\], .*'sgd'"),
        ({"eps": 0.0}, r"eps must be above 0, but got 0.0"),
        ({"schedule": "cosine"}, r"schedule must be one of \['constant', 'linear'\], .*'cosine'"),
        (
            {"monitor": "f1"},
            r"monitor must be one of \['accuracy', 'bleu', 'last', 'loss'\], .*'f1'",
        ),
        ({"average": 1.0}, r"average must be in \[0, 1\), but got 1.0"),
        ({"average": -0.1}, r"average must be in \[0, 1\)"),
        ({"lr": 0.0}, r"lr must be above 0, but got 0.0"),
        ({"lr": math.inf}, r"lr must be above 0, but got inf"),
        ({"weight_decay": math.inf}, r"weight_decay must be at least 0, but got inf"),
        ({"lr": float("nan")}, r"lr must be above 0, but got nan"),
        ({"word_lr": -1.0}, r"word_lr must be above 0"),
        ({"clip": 0.0}, r"clip must be above 0"),
        ({"weight_decay": -1e-4}, r"weight_decay must be at least 0, but got -0.0001"),
        ({"weight_decay": float("nan")}, r"weight_decay must be at least 0"),
    ],
)
def test_a_number_or_word_out_of_range_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        TrainingSettings(**given)


def test_epochs_are_whole_numbers():
    with pytest.raises(TypeError, match=r"TrainingSettings: epochs must be an int"):
        TrainingSettings(epochs=1.5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lr": None}, r"TrainingSettings: lr must be a float or int, but got NoneType"),
        ({"eps": None}, r"eps must be a float or int, but got NoneType"),
        ({"lr": "fast"}, r"lr must be a float or int, but got str"),
        ({"average": None}, r"average must be a float or int"),
        ({"clip": "no"}, r"clip must be a float or int"),
        ({"seed": None}, r"seed must be a int, but got NoneType"),
        ({"seed": "x"}, r"seed must be a int, but got str"),
        ({"autocast": "no"}, r"autocast must be a bool, but got str"),
    ],
)
def test_a_value_of_another_type_is_refused(given, message):
    with pytest.raises(TypeError, match=message):
        TrainingSettings(**given)
