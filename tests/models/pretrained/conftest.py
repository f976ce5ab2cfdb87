import pytest

SIZES = {
    "vocab_size": 60,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 66,
}


@pytest.fixture
def encoder():
    """Makes a small model of a family, with drawn weights, in evaluation."""
    transformers = pytest.importorskip("transformers")

    def make(family="Roberta", head="Model", **changes):
        config = getattr(transformers, f"{family}Config")(**SIZES | changes)
        return getattr(transformers, f"{family}{head}")(config).eval()

    return make
