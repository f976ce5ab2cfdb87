import pytest
import torch

from tgraph_attn.models.pretrained import stretch_positions


def test_places_are_repeated_after_the_rows_of_padding(encoder):
    model = encoder()
    before = model.embeddings.position_embeddings.weight.detach().clone()
    assert stretch_positions(model, 150) is model
    after = model.embeddings.position_embeddings.weight
    assert after.shape == (152, 32) and after.requires_grad
    assert torch.equal(after[:66], before)
    assert torch.equal(after[66:130], before[2:]) and torch.equal(after[130:], before[2:24])
    assert model.embeddings.position_embeddings.padding_idx == 1


def test_places_drawn_apart_keep_their_ends(encoder, close):
    model = encoder("Bert")
    before = model.embeddings.position_embeddings.weight.detach().clone()
    after = stretch_positions(model, 131, "interpolate").embeddings.position_embeddings.weight
    close(after[::2], before)
    close(after[1::2], (before[1:] + before[:-1]) / 2)


@pytest.mark.parametrize("family", ["Roberta", "Bert"])
@pytest.mark.parametrize("how", ["repeat", "interpolate"])
def test_a_stretched_model_reads_longer_texts_and_shorter_ones_alike(encoder, family, how, close):
    model = encoder(family)
    ids = torch.randint(5, 60, (2, 64))
    with pytest.raises((RuntimeError, IndexError, ValueError)):
        model(torch.randint(5, 60, (1, 130)))
    expected = model(ids).last_hidden_state
    stretch_positions(model, 130, how)
    assert model(torch.randint(5, 60, (1, 130))).last_hidden_state.isfinite().all()
    if how == "repeat":
        close(model(ids).last_hidden_state, expected)


def test_a_frozen_table_stays_frozen(encoder):
    model = encoder()
    model.requires_grad_(False)
    stretch_positions(model, 100)
    assert not any(weight.requires_grad for weight in model.parameters())


def test_a_saved_model_comes_back_as_long(encoder, tmp_path, close):
    model = stretch_positions(encoder(), 100)
    model.save_pretrained(tmp_path)
    other = type(model).from_pretrained(tmp_path).eval()
    ids = torch.randint(5, 60, (1, 100))
    close(other(ids).last_hidden_state, model(ids).last_hidden_state)


def test_a_model_without_one_table_of_places_is_refused(encoder):
    with pytest.raises(ValueError, match="position_embeddings, but Linear has 0"):
        stretch_positions(torch.nn.Linear(2, 2), 100)
    with pytest.raises(ValueError, match="num_tokens must be at least 1"):
        stretch_positions(encoder(), 0)
    with pytest.raises(ValueError, match="how must be"):
        stretch_positions(encoder(), 9, "double")
