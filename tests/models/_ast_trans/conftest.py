import pytest
import torch

from tgraph_attn.models._ast_trans.target_decoder import TargetDecoder


@pytest.fixture
def wild():
    """A decoder whose words depend on those before, and the nodes of three trees."""

    def wild(seed=0, num_words=9, max_length=6):
        torch.manual_seed(seed)
        sizes = dict(heads=2, layers=2, hidden=12, dropout=0.5, max_length=max_length)
        decoder = TargetDecoder(num_words, 8, **sizes).double().eval()
        torch.nn.init.normal_(decoder.embedding.weight, std=9.0)
        torch.nn.init.normal_(decoder.generator.weight)
        return decoder, 3 * torch.randn(3, 5, 8, dtype=torch.float64)

    return wild
