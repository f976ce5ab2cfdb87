import sys

import pytest
import torch

from tgraph_attn._optional import is_available
from tgraph_attn.models import DecodingSettings
from tgraph_attn.models._ast_trans.decode import decode
from tgraph_attn.models._ast_trans.greedy_decode import greedy_decode
from tgraph_attn.models._ast_trans.searched_decode import searched_decode
from tgraph_attn.vocab import Vocab

VOCAB = Vocab.build([*"abcde"], specials=["<bos>", "<eos>"])
IS_NODE = torch.arange(5) < torch.tensor([[5], [1], [3]])


@pytest.fixture
def made(wild):
    def made(max_length=None, settings=None):
        with torch.no_grad():
            return decode(
                *(*wild(), IS_NODE, VOCAB), **{"max_length": max_length, "settings": settings}
            )

    return made


@pytest.fixture
def without_transformers(monkeypatch):
    is_available.cache_clear()
    monkeypatch.setitem(sys.modules, "transformers", None)
    yield
    is_available.cache_clear()


def test_without_settings_it_is_greedy_and_needs_no_extra(made, wild, without_transformers):
    expected = greedy_decode(*wild(), IS_NODE, bos=2, eos=3, max_length=6)
    assert made().equal(expected) and made(settings=DecodingSettings()).equal(expected)
    assert made(max_length=2).equal(expected[:, :2])


@pytest.mark.parametrize("settings", [{"beams": 3}, {"seed": 5}, {"min_length": 4}], ids=str)
def test_with_settings_it_is_as_they_say(made, wild, settings):
    pytest.importorskip("transformers")
    settings = DecodingSettings(**settings)
    for length in (4, 6):
        with torch.no_grad():
            expected = searched_decode(
                *(*wild(), IS_NODE), bos=2, eos=3, max_length=length, settings=settings
            )
        assert made(None if length == 6 else length, settings).equal(expected)


def test_a_missing_transformers_is_named_with_its_extra(made, without_transformers):
    with pytest.raises(
        ImportError,
        match=r"ASTTrans.generate needs transformers, .* Leave settings out .* Or pip install",
    ):
        made(settings=DecodingSettings(beams=2))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_length": 0}, "max_length must be at least 1, but got 0"),
        ({"max_length": 7}, "max_length must be at most max_target=6, but got 7. Make the model"),
        (
            {"max_length": 3, "settings": DecodingSettings(min_length=4)},
            "min_length must be at most max_length=3, but is 4. Pass a smaller one",
        ),
    ],
)
def test_lengths_out_of_range_are_refused(made, given, message):
    with pytest.raises(ValueError, match=f"^ASTTrans.generate: {message}"):
        made(**given)


def test_settings_that_are_none_are_refused(made):
    with pytest.raises(TypeError, match=r"settings must be a DecodingSettings, but got dict\. Pas"):
        made(settings={"beams": 2})
