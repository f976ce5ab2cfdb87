import torch

from tgraph_attn.models._prediction import prediction


def test_a_prediction_names_its_classes():
    found = prediction(torch.tensor([0.25, 0.75]), ["no", "yes"])
    assert found == ("yes", {"yes": 0.75, "no": 0.25})
